// SPDX-License-Identifier: ISC
//
// The clocks: seconds and milliseconds from the kernel. Years end in 2106, as the kernel's 32 bits do.
#include "private.h"

#include <errno.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

enum { NS = 1000000, US = 1000 }; // in a millisecond

static int wrong(void)
{
	errno = EINVAL;
	return -1;
}

// The kernel's number of a clock, or -1.
static int number_of(clockid_t clock)
{
	if (clock == CLOCK_REALTIME)
		return OCT_CLOCK_WALL;
	return clock == CLOCK_MONOTONIC ? OCT_CLOCK_BOOT : wrong();
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	int number = number_of(clock);
	struct oct_time t;

	if (number < 0 || oct_clock(number, &t) < 0)
		return -1;
	ts->tv_sec = (time_t)t.seconds;
	ts->tv_nsec = (long)t.ms * NS;
	return 0;
}

int clock_getres(clockid_t clock, struct timespec *ts)
{
	if (number_of(clock) < 0)
		return -1;
	if (ts) {
		ts->tv_sec = 0;
		ts->tv_nsec = NS;
	}
	return 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct oct_time t;

	(void)zone;
	if (oct_clock(OCT_CLOCK_WALL, &t) < 0)
		return -1;
	tv->tv_sec = (time_t)t.seconds;
	tv->tv_usec = (suseconds_t)t.ms * US;
	return 0;
}

static int set(time_t seconds, unsigned long ms)
{
	struct oct_time t = { (uint32_t)seconds, ms };

	return seconds != (time_t)t.seconds ? wrong() : oct_settime(&t);
}

int clock_settime(clockid_t clock, const struct timespec *ts)
{
	if (clock != CLOCK_REALTIME || ts->tv_nsec < 0 || ts->tv_nsec > 999999999)
		return wrong();
	return set(ts->tv_sec, (unsigned long)ts->tv_nsec / NS);
}

int settimeofday(const struct timeval *tv, const struct timezone *zone)
{
	(void)zone;
	if (tv->tv_usec < 0 || tv->tv_usec > 999999)
		return wrong();
	return set(tv->tv_sec, (unsigned long)tv->tv_usec / US);
}

int stime(const time_t *seconds)
{
	return set(*seconds, 0);
}
