// SPDX-License-Identifier: ISC
//
// vmstat: counters of paging since boot.
#include "command.h"

#include <octix/octix.h>
#include <stdio.h>

static void row(const char *name, unsigned long value, const char *meaning)
{
	printf("%10lu  %-12s %s\n", value, name, meaning);
}

COMMAND(vmstat, "", "show paging counters since boot")
{
	struct oct_sysinfo s;

	if (oct_sysinfo(&s) < 0)
		return complain("sysinfo");
	printf("Octix %.20s on %.12s, %lu kHz, up %lu.%03lu s\n", s.version, s.board, (unsigned long)s.f_cpu / 1000,
	       (unsigned long)s.uptime_ms / 1000, (unsigned long)s.uptime_ms % 1000);
	row("faults", s.faults_hard, "pages brought in");
	row("zero-filled", s.faults_zero, "of them, without a read");
	row("soft faults", s.faults_soft, "page was there, its map entry was not");
	row("write-backs", s.writebacks, "pages written to swap");
	row("reads", s.reads, "sectors read, all");
	row("writes", s.writes, "sectors written, all");
	row("switches", s.switches, "of processes");
	row("calls", s.syscalls, "system calls");
	return OK;
}
