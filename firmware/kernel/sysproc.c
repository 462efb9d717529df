// SPDX-License-Identifier: ISC
//
// System calls about processes, time, memory and the machine.

#include <avr/io.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "fs/fs.h"
#include "kernel/clock.h"
#include "kernel/file.h"
#include "kernel/ids.h"
#include "kernel/print.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "kernel/watchdog.h"
#include "vm/pager.h"

// ---- life and death

int16_t sys__exit(void)
{
	proc_exit(self(), (uint16_t)(arg(0) & 0xff) << 8);
	return NO_RESULT;
}

bool named(const struct proc *p, int16_t pid)
{
	if (pid == -1)
		return true;
	if (pid > 0)
		return (int16_t)p->pid == pid;
	return p->pgid == (pid ? (uint16_t)-pid : self()->pgid);
}

int16_t sys_waitpid(void)
{
	int16_t pid = arg_small(0), options = arg_small(2);
	bool any = false;
	uint16_t va = arg_address(1);

	if (options & ~(OX_WNOHANG | OX_WUNTRACED | OX_WCONTINUED | OX_WNOWAIT | OX_WNOEXIT))
		return -OX_EINVAL;
	for (struct proc *child = procs; child < procs + PROCS; child++) {
		uint8_t report = child->report;
		uint32_t status = report == GOES_ON ? OX_CONTINUED : (uint16_t)(report + REPORTED) << 8 | OX_STOPPED;

		if (child->state == PROC_FREE || parent_of(child) != self() || child == self() || !named(child, pid))
			continue;
		if (child->state == PROC_ZOMBIE && options & OX_WNOEXIT)
			continue; // it will neither stop nor go on
		any = true;
		if (child->state == PROC_ZOMBIE)
			status = child->status;
		else if (!report || !(options & (report == GOES_ON ? OX_WCONTINUED : OX_WUNTRACED)))
			continue;
		if (va)
			give(va, &status, sizeof status);
		if (options & OX_WNOWAIT)
			return (int16_t)child->pid;
		child->report = 0;
		if (child->state == PROC_ZOMBIE)
			child->state = PROC_FREE;
		return (int16_t)child->pid;
	}
	if (!any)
		return -OX_ECHILD;
	if (options & OX_WNOHANG)
		return 0;
	self()->state = PROC_CHILD;
	return AGAIN;
}

uint16_t parent_pid(const struct proc *p)
{
	return p == INIT ? 0 : parent_of(p)->pid;
}

int16_t sys_getpid(void)
{
	return (int16_t)self()->pid;
}

int16_t sys_getppid(void)
{
	return (int16_t)parent_pid(self());
}

// ---- process groups and sessions

bool group_exists(int16_t pgid)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && (int16_t)p->pgid == pgid && p->sid == self()->sid)
			return true;
	return false;
}

int16_t sys_setpgid(void)
{
	int16_t pid = arg_small(0), pgid = arg_small(1);
	struct proc *p;

	if (!pid)
		pid = (int16_t)self()->pid;
	if (!pgid)
		pgid = pid;
	if (pid < 0 || pgid < 0)
		return -OX_EINVAL;
	p = proc_find((uint16_t)pid);
	if (!p || (p != self() && parent_of(p) != self()))
		fail(-OX_ESRCH);
	if (p->sid == p->pid || p->sid != self()->sid || (pgid != pid && !group_exists(pgid)))
		fail(-OX_EPERM);
	p->pgid = (uint16_t)pgid;
	wake_parent(parent_of(p)); // it may wait for the old group
	return 0;
}

int16_t sys_setsid(void)
{
	struct proc *me = self();

	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->pgid == me->pid)
			return -OX_EPERM;
	return (int16_t)(me->sid = me->pgid = me->pid);
}

// The process that argument 0 names; 0: the one that asks.
static const struct proc *arg_process(void)
{
	int16_t pid = arg_small(0);
	const struct proc *p = pid ? proc_find((uint16_t)pid) : self();

	if (!p)
		fail(-OX_ESRCH);
	return p;
}

int16_t sys_getpgid(void)
{
	return (int16_t)arg_process()->pgid;
}

int16_t sys_getsid(void)
{
	return (int16_t)arg_process()->sid;
}

int16_t sys_getpgrp(void)
{
	return (int16_t)self()->pgid;
}

// ---- memory and time

int16_t sys_oct_brk(void)
{
	struct space *s = &spaces[self()->space];
	uint32_t end = (arg(0) + 255) >> 8;

	if (arg(0) >> 16 || end > s->stack_start)
		return -OX_ENOMEM;
	if (end > s->heap_end)
		s->heap_end = (uint8_t)end;
	return 0;
}

int16_t sys_oct_sleep(void)
{
	if (time_is_up(arg(0)))
		return 0;
	self()->state = PROC_SLEEP;
	return AGAIN;
}

int16_t sys_oct_uptime(void)
{
	return any_value(clock_uptime());
}

int16_t sys_oct_time(void)
{
	return any_value(clock_wall());
}

int16_t sys_oct_clock(void)
{
	struct oct_time t;
	uint16_t clock = (uint16_t)arg_small(0);

	if (clock > OCT_CLOCK_BOOT)
		return -OX_EINVAL;
	clock_get(&t, (uint8_t)clock);
	return give(arg_address(1), &t, sizeof t);
}

int16_t sys_oct_settime(void)
{
	struct oct_time t;

	check(copy_in(self()->space, &t, arg_address(0), sizeof t));
	if (t.ms > 999)
		return -OX_EINVAL;
	need_root();
	clock_set(&t);
	return 0;
}

int16_t sys_cycles(void)
{
	return any_value(clock_cycles());
}

// ---- the machine

int16_t sys_mark(void)
{
	GPIOR0 = (uint8_t)arg(0);
	if (BOARD_HAS_TEST)
		test_mark(GPIOR0);
	return 0;
}

int16_t sys_oct_reboot(void)
{
	if (arg(0) > OCT_RESTART)
		return -OX_EINVAL;
	need_root();
	fs_sync();
	clock_save();
	if (arg(0) == OCT_HALT)
		halt(P("System halted.\n"));
	print(P("Restarting.\n"));
	uart_drain(&ttys[0].line);
	restart();
}
