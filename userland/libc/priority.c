// SPDX-License-Identifier: ISC
//
// Nice values. POSIX nice, getpriority, setpriority (XSI).
#include "private.h"

#include <errno.h>
#include <limits.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LAST = 2 * NZERO - 1 };

int getpriority(int which, id_t who)
{
	int value = oct_nice(which, (int)who, -1);

	return value < 0 ? -1 : value - NZERO;
}

int setpriority(int which, id_t who, int value)
{
	value = value < -NZERO ? 0 : value > LAST - NZERO ? LAST : value + NZERO;
	return oct_nice(which, (int)who, value) < 0 ? -1 : 0;
}

int nice(int more)
{
	int value = getpriority(PRIO_PROCESS, 0) + (more < -2 * NZERO ? -2 * NZERO : more > LAST ? LAST : more);

	if (setpriority(PRIO_PROCESS, 0, value) == 0)
		return getpriority(PRIO_PROCESS, 0);
	if (errno == EACCES)
		errno = EPERM; // as nice has it
	return -1;
}
