// SPDX-License-Identifier: ISC
//
// ps: the processes, from the kernel's table.
#include "command.h"

#include <errno.h>
#include <octix/octix.h>
#include <stdio.h>

static const char *const states[] = { "run", "sleep", "wait", "zombie", "vfork", "pipe", "tty", "card" };

static void print(const struct oct_procinfo *p)
{
	const char *state = p->state < sizeof states / sizeof states[0] ? states[p->state] : "?";

	printf("%5u %5u %5u %-6s %4lu.%02lu %5u %5u %5u %5u %.16s\n", p->pid, p->ppid, p->pgid, state, (unsigned long)p->ticks / 100,
	       (unsigned long)p->ticks % 100, p->resident, p->swapped, p->faults, p->writebacks, p->name);
}

COMMAND(ps, "", "list processes")
{
	struct oct_procinfo p;

	puts("  PID  PPID  PGID STATE     TIME   RES  SWAP FAULT WBACK NAME");
	for (int i = 0;; i++)
		if (oct_procinfo(i, &p) == 0)
			print(&p);
		else if (errno != ESRCH)
			break;
	return errno == EINVAL ? OK : complain("procinfo");
}
