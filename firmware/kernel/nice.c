// SPDX-License-Identifier: ISC
//
// Nice values: how much of the time a process gets (stands_back, favoured: proc.c).

#include "kernel/ids.h"
#include "kernel/user.h"

static bool chosen(const struct proc *p, int16_t which, int16_t who)
{
	switch (which) {
	case OX_PRIO_PROCESS:
		return who ? p->pid == (uint16_t)who : p == self();
	case OX_PRIO_PGRP:
		return named(p, -who);
	default:
		return p->user.ruid == (who ? (uint8_t)who : self()->user.ruid);
	}
}

int16_t sys_oct_nice(void)
{
	int16_t which = arg_small(0), who = arg_small(1), value = arg_small(2), result = 0;
	const struct user *u = &self()->user;
	uint8_t lowest = NICE_LAST + 1;

	if ((uint16_t)which > OX_PRIO_USER || who < 0 || value > NICE_LAST)
		fail(-OX_EINVAL);
	for (struct proc *p = procs; p < procs + PROCS; p++) {
		if (p->state == PROC_FREE || !chosen(p, which, who))
			continue;
		if (value >= 0) {
			if (u->uid && u->uid != p->user.uid && u->uid != p->user.ruid)
				result = -OX_EPERM;
			else if (u->uid && value < p->nice)
				result = -OX_EACCES;
			else
				p->nice = (uint8_t)value;
		}
		if (p->nice < lowest)
			lowest = p->nice;
	}
	if (lowest > NICE_LAST)
		fail(-OX_ESRCH);
	return result ? result : lowest;
}
