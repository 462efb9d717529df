// SPDX-License-Identifier: ISC
//
// ps: the processes, from /proc.
#include "command.h"

#include <ctype.h>
#include <dirent.h>
#include <octix/octix.h>
#include <stdio.h>
#include <string.h>

static const char *state_of(const char *text)
{
	static const char names[] = "Rrun\0  Ssleep\0Wwait\0 Ttty\0  Ppipe\0 Msem\0  Dcard\0 Hstop\0 Vvfork\0Ffork\0 Zzombie";
	const char letter = *oct_proc_word(text, "state");

	for (const char *p = names; p < names + sizeof names; p += 7)
		if (*p == letter)
			return p + 1;
	return "?";
}

static void print(const char *text)
{
	unsigned long ticks = oct_proc_number(text, "ticks");

	printf("%5lu %5lu %5lu %-6s %4lu.%02lu %5lu %5lu %5lu %5lu %s", oct_proc_number(text, "pid"), oct_proc_number(text, "ppid"),
	       oct_proc_number(text, "pgid"), state_of(text), ticks / 100, ticks % 100, oct_proc_number(text, "resident"),
	       oct_proc_number(text, "swapped"), oct_proc_number(text, "faults"), oct_proc_number(text, "write_backs"),
	       oct_proc_word(text, "name")); // the last line
}

COMMAND(ps, "", "list processes")
{
	char path[24];
	DIR *dir = opendir("/proc");
	struct dirent *d;

	if (!dir)
		return complain("/proc");
	puts("  PID  PPID  PGID STATE     TIME   RES  SWAP FAULT WBACK NAME");
	while ((d = readdir(dir))) {
		const char *text;

		if (!isdigit((unsigned char)d->d_name[0]))
			continue;
		sprintf(path, "/proc/%.8s/stat", d->d_name);
		text = oct_proc_text(path, block, BLOCK);
		if (text) // else it has ended meanwhile
			print(text);
	}
	closedir(dir);
	return OK;
}
