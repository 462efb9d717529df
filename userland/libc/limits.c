// SPDX-License-Identifier: ISC
//
// sysconf, pathconf and fpathconf: what <limits.h> says, and what depends on the board.
#include "private.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

enum { PAGE = 256, TICKS = 100 };

#define MEMINFO "/proc/meminfo" // always there

// -1 without an error: there is no fixed limit.
long sysconf(int name)
{
	switch (name) {
	case _SC_ARG_MAX: return ARG_MAX;
	case _SC_CHILD_MAX: return __oct_field(MEMINFO, "procs") - 2; // init and the login shell
	case _SC_CLK_TCK: return TICKS;
	case _SC_FSYNC:
	case _SC_MONOTONIC_CLOCK: return 200809;
	case _SC_IOV_MAX: return IOV_MAX;
	case _SC_LINE_MAX: return LINE_MAX;
	case _SC_NGROUPS_MAX: return NGROUPS_MAX;
	case _SC_NPROCESSORS_CONF:
	case _SC_NPROCESSORS_ONLN: return 1;
	case _SC_OPEN_MAX: return OPEN_MAX;
	case _SC_PAGESIZE: return PAGE;
	case _SC_PHYS_PAGES: return __oct_field(MEMINFO, "frames") * (__oct_field(MEMINFO, "frame_size") / PAGE);
	case _SC_AVPHYS_PAGES: return __oct_field(MEMINFO, "free") * (__oct_field(MEMINFO, "frame_size") / PAGE);
	}
	errno = EINVAL;
	return -1;
}

static long limit(int name)
{
	switch (name) {
	case _PC_LINK_MAX: return LINK_MAX;
	case _PC_MAX_CANON: return MAX_CANON;
	case _PC_MAX_INPUT: return MAX_INPUT;
	case _PC_NAME_MAX: return NAME_MAX;
	case _PC_PATH_MAX: return PATH_MAX;
	case _PC_PIPE_BUF: return PIPE_BUF;
	case _PC_CHOWN_RESTRICTED:
	case _PC_NO_TRUNC: return 1;
	case _PC_FILESIZEBITS: return 32;
	}
	errno = EINVAL;
	return -1;
}

long pathconf(const char *path, int name)
{
	struct oct_stat st;

	return oct_stat(path, &st) < 0 ? -1 : limit(name);
}

long fpathconf(int fd, int name)
{
	struct oct_stat st;

	return oct_fstat(fd, &st) < 0 ? -1 : limit(name);
}
