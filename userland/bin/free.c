// SPDX-License-Identifier: ISC
//
// free: frames, swap, processes and the card, how much there is and how much is left.
#include "command.h"

#include <octix/octix.h>
#include <stdio.h>

static void row(const char *name, unsigned long unit, unsigned long all, unsigned long left)
{
	printf(unit ? "%-7s %8lu" : "%-7s        -", name, unit);
	printf(" %8lu %8lu %8lu\n", all, all - left, left);
}

COMMAND(free, "", "show memory, swap and card space")
{
	struct oct_sysinfo s;

	if (oct_sysinfo(&s) < 0)
		return complain("sysinfo");
	puts("          bytes      all     used     free");
	row("frames", s.frame_size, s.frames, s.frames_free);
	row("swap", 256, s.swap_pages, s.swap_free);
	row("procs", 0, s.procs_max, s.procs_max - (unsigned long)s.procs);
	if (s.fs_free == 0xffffffff)
		printf("%-7s %8lu %8lu        ?        ?\n", "card", (unsigned long)s.cluster_size, (unsigned long)s.fs_clusters);
	else
		row("card", s.cluster_size, s.fs_clusters, s.fs_free);
	printf("dirty frames: %u\n", s.frames_dirty);
	return OK;
}
