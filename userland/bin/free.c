// SPDX-License-Identifier: ISC
//
// free: frames, swap, processes and the card, how much there is and how much is left; from /proc/meminfo.
#include "command.h"

#include <ctype.h>
#include <dirent.h>
#include <octix/octix.h>
#include <stdio.h>

enum { UNKNOWN = -1 };

static void row(const char *name, unsigned long unit, unsigned long all, unsigned long left)
{
	printf(unit ? "%-7s %8lu" : "%-7s        -", name, unit);
	if (left == (unsigned long)UNKNOWN)
		printf(" %8lu        ?        ?\n", all);
	else
		printf(" %8lu %8lu %8lu\n", all, all - left, left);
}

static unsigned long processes(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	unsigned long n = 0;

	if (!dir)
		return 0;
	while ((d = readdir(dir)))
		n += isdigit((unsigned char)d->d_name[0]) != 0;
	closedir(dir);
	return n;
}

COMMAND(free, "", "show memory, swap and card space")
{
	const char *text = oct_proc_text("/proc/meminfo", block, BLOCK);
	unsigned long frame, all;

	if (!text)
		return complain("/proc/meminfo");
	puts("          bytes      all     used     free");
	frame = oct_proc_number(text, "frame_size");
	row("frames", frame, oct_proc_number(text, "frames"), oct_proc_number(text, "free"));
	all = oct_proc_number(text, "swap");
	row("swap", frame, all, all - oct_proc_number(text, "swap_used"));
	all = oct_proc_number(text, "procs");
	row("procs", 0, all, all - processes());
	row("card", oct_proc_number(text, "cluster_size"), oct_proc_number(text, "clusters"), oct_proc_number(text, "clusters_free"));
	printf("dirty frames: %lu\n", oct_proc_number(text, "dirty"));
	return OK;
}
