// SPDX-License-Identifier: ISC
//
// Signals: sending and delivering. POSIX.1-2017, 2.4.

#include "kernel/signal.h"

#include <stddef.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "fs/fs.h"
#include "kernel/fork.h"
#include "kernel/user.h"
#include "vm/frames.h"

enum call {
#define SYSCALL(name, ...) CALL_##name,
#include <octix/syscalls.def>
#undef SYSCALL
};

#define STOPS   (SIGBIT(OX_SIGSTOP) | SIGBIT(OX_SIGTSTP) | SIGBIT(OX_SIGTTIN) | SIGBIT(OX_SIGTTOU))
#define IGNORED (SIGBIT(OX_SIGURG) | SIGBIT(OX_SIGCONT) | SIGBIT(OX_SIGCHLD) | SIGBIT(OX_SIGWINCH)) // by default

NOINLINE uint32_t signal_bit(uint8_t signal)
{
	uint32_t bit = 1;

	while (signal--)
		bit <<= 1;
	return bit;
}

NOINLINE bool signal_ignored(const struct proc *p, uint32_t bit)
{
	return bit & (p->ignored | (IGNORED & ~p->caught));
}

// What can be delivered now. A child of vfork is stopped after its execve: its parent waits for it.
static NOINLINE uint32_t deliverable(const struct proc *p)
{
	uint32_t set = p->pending & ~p->blocked;

	return set & STOPS && borrows(p) ? set & ~STOPS : set;
}

void signals_note(struct proc *p)
{
	p->signaled = deliverable(p) != 0;
}

// ---- sending

// It has stopped, or goes on: its parent may ask.
static void report(struct proc *p, uint8_t what)
{
	p->report = what;
	if (!(parent_of(p)->ignored & SIGBIT_NOCLDSTOP))
		proc_signal(parent_of(p), OX_SIGCHLD);
	wake_parent(parent_of(p));
}

void proc_signal(struct proc *to, uint8_t signal)
{
	uint32_t bit = signal_bit(signal);

	if (to->state == PROC_FREE || to->state == PROC_ZOMBIE || (to == INIT && !(to->caught & bit)))
		return;
	if (bit & STOPS)
		to->pending &= ~SIGBIT(OX_SIGCONT);
	if (signal == OX_SIGCONT) {
		to->pending &= ~STOPS;
		if (to->state == PROC_STOPPED) {
			to->state = PROC_RUN;
			report(to, GOES_ON);
		}
	}
	if (!(bit & to->blocked) && signal_ignored(to, bit))
		return;
	to->pending |= bit;
	signals_note(to);
	if (to->signaled && to->state < PROC_VFORK && (to->state != PROC_STOPPED || signal == OX_SIGKILL))
		to->state = PROC_RUN;
}

void group_signal(uint16_t pgid, uint8_t signal)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->pgid == pgid)
			proc_signal(p, signal);
}

bool group_ignores(uint16_t pgid, uint8_t signal)
{
	uint32_t bit = signal_bit(signal);

	for (const struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->pgid == pgid && (p->ignored & bit))
			return true;
	return false;
}

bool group_orphaned(uint16_t pgid)
{
	for (const struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->state != PROC_ZOMBIE && p->pgid == pgid && parent_of(p)->pgid != pgid
		    && parent_of(p)->sid == p->sid && parent_of(p)->state != PROC_ZOMBIE)
			return false;
	return true;
}

// ---- delivering

// What is in the frame behind the registers.
struct tail {
	uint32_t acc, mask, pc;
	uint16_t address;
	uint8_t signal;
	uint8_t restart;
};

_Static_assert(sizeof(struct oct_sigframe) == 64 + sizeof(struct tail) && offsetof(struct oct_sigframe, acc) == 64, "one piece each");

// The call that was interrupted ends, or will do what sigreturn says.
static void end_call(struct proc *p, uint32_t *regs, struct tail *t)
{
	uint16_t done = p->progress;

	if (regs[5] == CALL_oct_sigsuspend)
		t->mask = regs[11];
	else if (!done && !p->timed && regs[5] != CALL_poll)
		t->restart = true;
	if (!t->restart) {
		p->pc.offset++;
		regs[10] = done ? done : (uint32_t)-OX_EINTR;
	}
	p->progress = 0;
	p->timed = false;
	p->call = CALL_NONE;
}

// Puts the frame on the stack; false: there is no room.
static NOINLINE bool deliver(struct proc *p, uint8_t signal, uint16_t address)
{
	struct tail t = { .acc = p->acc, .mask = p->blocked, .address = address, .signal = signal };
	uint32_t *regs = proc_regs(p);
	uint16_t va = ((uint16_t)regs[2] - sizeof(struct oct_sigframe)) & ~3u;

	card_restart = false;
	if (p->call)
		end_call(p, regs, &t);
	t.pc = (uint32_t)p->pc.tag << 16 | (uint16_t)(p->pc.index << 8) | p->pc.offset;
	if (regs[2] >> 16 || copy_out(p->space, va, regs, 64) != 0 || copy_out(p->space, va + 64, &t, sizeof t) != 0)
		return false;
	regs[10] = signal;
	regs[2] = regs[11] = va;
	proc_jump(p, regs[3]);
	p->blocked = ~UNBLOCKABLE;
	return true;
}

bool signal_catch(struct proc *p, uint8_t signal, uint16_t address)
{
	uint32_t bit = signal_bit(signal);

	return (p->caught & ~p->blocked & bit) && deliver(p, signal, address);
}

static void stop_process(struct proc *p, uint8_t signal)
{
	p->state = PROC_STOPPED;
	report(p, signal - REPORTED);
}

static uint8_t lowest(uint32_t set)
{
	uint8_t n = 0;

	if (set & SIGBIT(OX_SIGKILL))
		return OX_SIGKILL;
	for (; !(set & 1); set >>= 1)
		n++;
	return n;
}

NOINLINE bool signals_act(struct proc *p)
{
	uint32_t set;

	while ((set = deliverable(p))) {
		uint8_t signal = lowest(set);
		uint32_t bit = signal_bit(signal);
		bool caught = p->caught & bit;

		if (caught && (p->call & ~CALL_INTERRUPTED || half_made(p)))
			return true; // and the call is tried once more; one that was left, and a fork, comes to its end first
		p->pending &= ~bit;
		if (!caught) {
			if (signal_ignored(p, bit))
				continue;
			if (!(bit & STOPS)) {
				proc_exit(p, signal);
				return false;
			}
			if (signal == OX_SIGSTOP || !group_orphaned(p->pgid)) {
				stop_process(p, signal);
				return false;
			}
		} else if (!deliver(p, signal, 0)) {
			proc_exit(p, OX_SIGSEGV);
			return false;
		}
	}
	p->signaled = false;
	return true;
}

void call_waits(struct proc *p)
{
	p->pc.offset--;
	p->call = CALL_WAITS;
	if (p->signaled) { // a handler's: others have acted before
		p->call = CALL_INTERRUPTED;
		p->state = PROC_RUN;
	}
}
