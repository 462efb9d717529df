// SPDX-License-Identifier: ISC
//
// System calls about signals.

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/clock.h"
#include "kernel/ids.h"
#include "kernel/signal.h"
#include "kernel/user.h"

int16_t sys_kill(void)
{
	int16_t pid = arg_small(0);
	uint16_t signal = (uint16_t)arg_small(1);
	int16_t result = -OX_ESRCH;

	if (signal >= OX_NSIG)
		return -OX_EINVAL;
	for (struct proc *p = procs; p < procs + PROCS; p++) {
		if (p->state == PROC_FREE || !named(p, pid))
			continue;
		if (pid == -1 && (p == INIT || p == self()))
			continue;
		if (!may_signal(p) && (signal != OX_SIGCONT || p->sid != self()->sid)) {
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
	struct proc *p = self();
	uint16_t signal = (uint16_t)arg_small(0), to = (uint16_t)arg_small(1);
	uint32_t bit;
	int16_t old;

	if (signal == 0 || signal >= OX_NSIG || to > (signal == OX_SIGCHLD ? OCT_SIG_CATCH | OCT_SIG_NOCLDSTOP : OCT_SIG_ASK))
		return -OX_EINVAL;
	bit = signal_bit((uint8_t)signal);
	old = p->ignored & bit ? OCT_SIG_IGN : p->caught & bit ? OCT_SIG_CATCH : OCT_SIG_DFL;
	if (signal == OX_SIGCHLD && p->ignored & SIGBIT_NOCLDSTOP)
		old |= OCT_SIG_NOCLDSTOP;
	if (to == OCT_SIG_ASK)
		return old;
	if (bit & UNBLOCKABLE)
		return -OX_EINVAL;
	p->ignored &= ~bit;
	p->caught &= ~bit;
	if (signal == OX_SIGCHLD)
		p->ignored &= ~SIGBIT_NOCLDSTOP;
	if (to & OCT_SIG_NOCLDSTOP)
		p->ignored |= SIGBIT_NOCLDSTOP;
	if (to & OCT_SIG_CATCH) {
		p->caught |= bit;
		self_regs()[3] = arg(2);
	}
	if (to & OCT_SIG_IGN)
		p->ignored |= bit;
	if (signal_ignored(p, bit))
		p->pending &= ~bit;
	signals_note(p);
	return old;
}

static void set_mask(uint32_t mask)
{
	self()->blocked = mask & ~UNBLOCKABLE;
	signals_note(self());
}

int16_t sys_oct_sigmask(void)
{
	uint32_t mask = self()->blocked, set = arg(1);
	uint16_t how = (uint16_t)arg_small(0), va = arg_address(2);

	if (how > OCT_UNBLOCK)
		return -OX_EINVAL;
	if (va)
		give(va, &mask, sizeof mask);
	if (how == OCT_BLOCK)
		set |= mask;
	else if (how == OCT_UNBLOCK)
		set = mask & ~set;
	set_mask(set);
	return 0;
}

int16_t sys_oct_sigpending(void)
{
	return any_value(self()->pending);
}

// The old mask stays in a1, where the frame of the handler takes it from.
int16_t sys_oct_sigsuspend(void)
{
	if (!self()->call) {
		self_regs()[11] = self()->blocked;
		set_mask(arg(0));
	}
	self()->state = PROC_PAUSE;
	return AGAIN;
}

// All that comes from the frame is the process's own; only the machine's pointers are kept within its code.
int16_t sys_oct_sigreturn(void)
{
	struct proc *p = self();
	uint16_t va = arg_address(0);
	bool again = arg(1) != 0;
	uint32_t *regs = self_regs();
	struct { uint32_t acc, mask, pc, rest; } tail;

	check(copy_in(p->space, &tail, va + 64, sizeof tail));
	check(copy_in(p->space, regs, va, 64));
	regs[0] = 0;
	p->acc = tail.acc;
	proc_jump(p, tail.pc);
	if (tail.rest >> 24 && !again) {
		p->pc.offset++;
		regs[10] = (uint32_t)-OX_EINTR;
	}
	set_mask(tail.mask);
	return NO_RESULT;
}

int16_t sys_oct_alarm(void)
{
	return any_value(alarm_set(self(), arg(0)));
}
