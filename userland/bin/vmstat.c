// SPDX-License-Identifier: ISC
//
// vmstat: counters of paging since boot, from /proc/stat.
#include "command.h"

#include <octix/octix.h>
#include <stdio.h>
#include <string.h>

static void row(const char *text, const char *name, const char *meaning)
{
	printf("%10lu  %-12s %s\n", oct_proc_number(text, name), name, meaning);
}

static int length(const char *word)
{
	return (int)strcspn(word, "\n");
}

COMMAND(vmstat, "", "show paging counters since boot; instructions are estimated from the time spent in bytecode")
{
	const char *text = oct_proc_text("/proc/stat", block, BLOCK);
	const char *version, *board;
	unsigned long up;

	if (!text)
		return complain("/proc/stat");
	up = oct_proc_number(text, "uptime_ms");
	version = oct_proc_word(text, "version");
	board = oct_proc_word(text, "board");
	printf("Octix %.*s on %.*s, %lu kHz, up %lu.%03lu s\n", length(version), version, length(board), board, oct_proc_number(text, "khz"),
	       up / 1000, up % 1000);
	row(text, "faults", "pages brought in");
	row(text, "zero_filled", "of them, without a read");
	row(text, "soft_faults", "page was there, its map entry was not");
	row(text, "write_backs", "pages written to swap");
	row(text, "reads", "sectors read, all");
	row(text, "writes", "sectors written, all");
	row(text, "switches", "of processes");
	row(text, "calls", "system calls");
	row(text, "vm", "1/100 s in bytecode, sampled");
	row(text, "kernel", "in the kernel");
	row(text, "idle", "nobody could run");
	row(text, "kinsns", "thousands of instructions, estimated from vm");
	return OK;
}
