// SPDX-License-Identifier: ISC
//
// fork: the child gets a data space of its own, into which the parent's pages are copied one by one, card to card or from their frames. The
// call runs again after each page that has been written, so others run in between; what is done stands in the child. Pages of the
// program file that nobody has changed are not copied, nor zeros.

#include "kernel/fork.h"

#include <string.h>

#include <octix/errno.h>

#include "kernel/file.h"
#include "kernel/user.h"
#include "vm/pager.h"

struct proc *half_made(const struct proc *p)
{
	for (struct proc *child = procs; child < procs + PROCS; child++)
		if (child->state == PROC_FORK && parent_of(child) == p)
			return child;
	return 0;
}

static struct proc *begin(void)
{
	uint8_t space = space_like(self()->space);
	struct proc *child;

	if (space == NO_SPACE)
		fail(-OX_ENOMEM);
	child = proc_clone();
	if (!child) {
		space_free(space);
		fail(-OX_EAGAIN);
	}
	child->space = space;
	child->state = PROC_FORK;
	return child;
}

void fork_abandon(const struct proc *parent)
{
	struct proc *child = half_made(parent);

	if (!child)
		return;
	files_close(child, true);
	space_free(child->space);
	child->state = PROC_FREE;
}

int16_t sys_fork(void)
{
	struct proc *child = half_made(self());

	if (!child)
		child = begin();
	child->progress = space_copy(self()->space, child->space, child->progress);
	if (child->progress == COPY_FAILED) {
		fork_abandon(self());
		return -OX_EIO;
	}
	if (child->progress != COPY_DONE)
		return AGAIN;
	child->progress = 0;
	copy_regs(child->regs, self_regs());
	child->regs[10] = 0;
	child->state = PROC_RUN;
	return (int16_t)child->pid;
}
