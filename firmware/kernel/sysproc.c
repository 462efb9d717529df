// SPDX-License-Identifier: ISC
//
// System calls about processes, time, memory and the machine.

#include <avr/io.h>
#include <avr/wdt.h>
#include <avr/interrupt.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "drivers/uart.h"
#include "fs/fs.h"
#include "kernel/clock.h"
#include "kernel/file.h"
#include "kernel/ids.h"
#include "kernel/print.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "vm/pager.h"

// ---- life and death

int16_t sys__exit(void)
{
	proc_exit(self(), (uint16_t)(arg(0) & 0xff) << 8);
	return NO_RESULT;
}

// Is it one of those that a pid argument names (POSIX waitpid, kill)?
static bool named(const struct proc *p, int16_t pid)
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

	if (options & ~(OX_WNOHANG | OX_WUNTRACED))
		return -OX_EINVAL;
	for (struct proc *child = procs; child < procs + PROCS; child++) {
		int32_t status = child->status;

		if (child->state == PROC_FREE || child->parent != self() || child == self() || !named(child, pid))
			continue;
		any = true;
		if (child->state != PROC_ZOMBIE)
			continue;
		if (va)
			give(va, &status, sizeof status);
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

int16_t sys_kill(void)
{
	int16_t pid = arg_small(0);
	uint16_t signal = (uint16_t)arg_small(1);
	int16_t result = -OX_ESRCH;

	if (signal >= 16)
		return -OX_EINVAL;
	for (struct proc *p = procs; p < procs + PROCS; p++) {
		if (p->state == PROC_FREE || !named(p, pid))
			continue;
		if (pid == -1 && (p == INIT || p == self()))
			continue;
		if (!may_signal(p)) {
			if (result)
				result = -OX_EPERM;
			continue;
		}
		result = 0;
		if (signal)
			proc_signal(p, (uint8_t)signal);
	}
	return result;
}

int16_t sys_oct_signal(void)
{
	uint16_t signal = (uint16_t)arg_small(0), ignore = (uint16_t)arg_small(1);
	uint16_t mask;
	bool old;

	if (signal == 0 || signal >= 16 || signal == OX_SIGKILL || ignore > 1)
		return -OX_EINVAL;
	mask = 1u << signal;
	old = self()->ignored & mask;
	if (ignore)
		self()->ignored |= mask;
	else
		self()->ignored &= ~mask;
	return old;
}

uint16_t parent_pid(const struct proc *p)
{
	return p == INIT ? 0 : p->parent->pid;
}

int16_t sys_getpid(void)
{
	return (int16_t)self()->pid;
}

int16_t sys_getppid(void)
{
	return (int16_t)parent_pid(self());
}

// ---- process groups

// Is there a process of this group?
static bool is_group(int16_t pgid)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && (int16_t)p->pgid == pgid)
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
	if (!p || (p != self() && p->parent != self()))
		fail(-OX_ESRCH);
	if (pgid != pid && !is_group(pgid))
		fail(-OX_EPERM);
	p->pgid = (uint16_t)pgid;
	return 0;
}

int16_t sys_getpgrp(void)
{
	return (int16_t)self()->pgid;
}

static void need_tty(void)
{
	if (arg_open()->kind != OPEN_TTY)
		fail(-OX_ENOTTY);
}

int16_t sys_tcsetpgrp(void)
{
	int16_t pgid = arg_small(1);

	need_tty();
	if (!is_group(pgid))
		return -OX_EPERM;
	tty_set_group((uint16_t)pgid);
	return 0;
}

int16_t sys_tcgetpgrp(void)
{
	need_tty();
	return (int16_t)tty_group;
}

int16_t sys_tcdrain(void)
{
	need_tty();
	return tty_drain();
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

int16_t sys_cycles(void)
{
	return any_value(clock_cycles());
}

// ---- the machine

int16_t sys_mark(void)
{
	GPIOR0 = (uint8_t)arg(0);
	return 0;
}

int16_t sys_oct_reboot(void)
{
	if (arg(0) > OCT_RESTART)
		return -OX_EINVAL;
	need_root();
	fs_sync();
	if (arg(0) == OCT_HALT)
		halt(P("System halted.\n"));
	print(P("Restarting.\n"));
	uart_drain();
	cli();
	wdt_enable(WDTO_15MS);
	for (;;)
		;
}
