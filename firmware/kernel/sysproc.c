// SPDX-License-Identifier: ISC
//
// System calls about processes, time, memory and the machine.

#include <string.h>

#include <avr/io.h>
#include <avr/wdt.h>
#include <avr/interrupt.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "drivers/sd.h"
#include "drivers/uart.h"
#include "fs/fs.h"
#include "kernel/clock.h"
#include "kernel/file.h"
#include "kernel/print.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "kernel/version.h"
#include "vm/frames.h"
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
	bool any = false;

	if (signal >= 16)
		return -OX_EINVAL;
	for (struct proc *p = procs; p < procs + PROCS; p++) {
		if (p->state == PROC_FREE || !named(p, pid))
			continue;
		if (pid == -1 && (p == INIT || p == self()))
			continue;
		any = true;
		if (signal)
			proc_signal(p, (uint8_t)signal);
	}
	return any ? 0 : -OX_ESRCH;
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

static uint16_t parent_pid(const struct proc *p)
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

	if (!pid)
		pid = (int16_t)self()->pid;
	if (!pgid)
		pgid = pid;
	if (pid < 0 || pgid < 0)
		return -OX_EINVAL;
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && (int16_t)p->pid == pid && (p == self() || p->parent == self())) {
			if (pgid != pid && !is_group(pgid))
				return -OX_EPERM;
			p->pgid = (uint16_t)pgid;
			return 0;
		}
	return -OX_ESRCH;
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
	struct proc *p = self();
	uint32_t now = clock_uptime();

	if (!p->timed) {
		p->deadline = now + (arg(0) > 0x7fffffff ? 0x7fffffff : arg(0));
		p->timed = true;
	}
	if ((int32_t)(now - p->deadline) >= 0) {
		p->timed = false;
		return 0;
	}
	p->state = PROC_SLEEP;
	return AGAIN;
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

static uint8_t public_state(const struct proc *p)
{
	static const uint8_t names[] PROGMEM = {
		[PROC_RUN] = OCT_RUN, [PROC_SLEEP] = OCT_SLEEP, [PROC_CHILD] = OCT_WAIT, [PROC_TTY_IN] = OCT_TTY,
		[PROC_TTY_OUT] = OCT_TTY, [PROC_PIPE] = OCT_PIPE, [PROC_CARD] = OCT_CARD,
		[PROC_VFORK] = OCT_VFORK, [PROC_ZOMBIE] = OCT_ZOMBIE,
	};

	return pgm_read_byte(&names[p->state]);
}

int16_t sys_oct_procinfo(void)
{
	struct oct_procinfo info;
	const struct proc *p;
	uint16_t va;

	if (arg(0) >= PROCS)
		return -OX_EINVAL;
	p = &procs[(uint8_t)arg(0)];
	if (p->state == PROC_FREE)
		return -OX_ESRCH;
	va = arg_address(1);
	memset(&info, 0, sizeof info);
	info.pid = p->pid;
	info.ppid = parent_pid(p);
	info.pgid = p->pgid;
	info.state = public_state(p);
	info.slot = p->space == NO_SPACE ? NO_SLOT : spaces[p->space].slot;
	info.faults = p->faults;
	info.ticks = p->ticks;
	if (p->space != NO_SPACE) {
		info.resident = space_resident(p->space);
		info.swapped = space_swapped(p->space);
		info.writebacks = spaces[p->space].writebacks;
	}
	memcpy(info.name, p->name, NAME_SIZE);
	return give(va, &info, sizeof info);
}

static void count_frames(struct oct_sysinfo *info)
{
	for (uint8_t i = 0; i < FRAMES; i++) {
		info->frames_free += frame_rows.state.kind[i] == FRAME_FREE;
		info->frames_dirty += (frame_rows.state.flags[i] & FRAME_DIRTY) != 0;
	}
	for (uint8_t i = 0; i < PROCS; i++)
		info->procs += procs[i].state != PROC_FREE;
	for (uint8_t i = 0; i < SPACES; i++) {
		info->swap_pages += DATA_PAGES;
		info->swap_free += spaces[i].file ? DATA_PAGES - space_swapped(i) : DATA_PAGES;
	}
}

int16_t sys_oct_sysinfo(void)
{
	struct oct_sysinfo info;
	uint16_t va = arg_address(0);

	memset(&info, 0, sizeof info);
	info.uptime_ms = clock_uptime();
	info.f_cpu = BOARD_F_CPU;
	info.frame_size = FRAME_SIZE;
	info.frames = FRAMES;
	count_frames(&info);
	info.procs_max = PROCS;
	memcpy(&info.faults_hard, &pool_counts, sizeof pool_counts); // the same four, in the same order
	info.reads = sd_reads;
	info.writes = sd_writes;
	info.switches = switches;
	info.syscalls = syscalls;
	info.card_sectors = sd_sectors;
	info.fs_clusters = fs_clusters();
	info.fs_free = fs_clusters() < 0x20000 ? fs_free_clusters() : fs_free_known(); // counting takes half a second
	info.cluster_size = fs_cluster_size();
	strcpy_P(info.board, P(BOARD_NAME));
	strcpy_P(info.version, P(OCTIX_VERSION));
	return give(va, &info, sizeof info);
}
