// SPDX-License-Identifier: ISC
//
// Processor time: the kernel counts time slices, and does not tell the program's from its own.
#include "private.h"

#include <string.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

enum { TICKS = 100 }; // a second, as sysconf(_SC_CLK_TCK) says

clock_t clock(void)
{
	long ticks = __oct_process(getpid(), "ticks");

	return ticks < 0 ? (clock_t)-1 : (clock_t)ticks * (CLOCKS_PER_SEC / TICKS);
}

// Children's times are not counted.
clock_t times(struct tms *t)
{
	long ticks = __oct_process(getpid(), "ticks");

	if (ticks < 0)
		return (clock_t)-1;
	memset(t, 0, sizeof *t);
	t->tms_utime = (clock_t)ticks;
	return (clock_t)(oct_uptime() / (1000 / TICKS));
}
