// SPDX-License-Identifier: ISC
//
// Seconds from the kernel, and sleeping by milliseconds. The other clocks: clock.c.
#include "private.h"

#include <errno.h>
#include <limits.h>
#include <octix/octix.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 2000000 }; // seconds of one sleep in the kernel

time_t time(time_t *where)
{
	time_t now = (time_t)oct_time();

	if (where)
		*where = now;
	return now;
}

// Sleeps in pieces: the kernel takes milliseconds up to 31 bits. What is left after a signal stands in *seconds and *ms.
static int sleep_for(unsigned long *seconds, unsigned long *ms)
{
	for (;;) {
		unsigned long piece = *seconds < LONGEST ? *seconds : LONGEST, length = piece * 1000 + *ms, start = oct_uptime(), done;

		if (oct_sleep(length) < 0) {
			done = oct_uptime() - start;
			length = done < length ? length - done : 0;
			*seconds += length / 1000 - piece;
			*ms = length % 1000;
			return -1;
		}
		*seconds -= piece;
		*ms = 0;
		if (!*seconds)
			return 0;
	}
}

unsigned sleep(unsigned seconds)
{
	unsigned long left = seconds, ms = 0;

	return sleep_for(&left, &ms) == 0 ? 0 : (unsigned)left + (ms >= 500);
}

int usleep(useconds_t us)
{
	return oct_sleep(us / 1000 + (us % 1000 != 0));
}

int nanosleep(const struct timespec *ts, struct timespec *rest)
{
	unsigned long seconds, ms;

	if (ts->tv_sec < 0 || ts->tv_nsec < 0 || ts->tv_nsec > 999999999) {
		errno = EINVAL;
		return -1;
	}
	seconds = ts->tv_sec > LONG_MAX ? LONG_MAX : (unsigned long)ts->tv_sec;
	ms = ((unsigned long)ts->tv_nsec + 999999) / 1000000;
	if (sleep_for(&seconds, &ms) == 0)
		return 0;
	if (rest) {
		rest->tv_sec = (time_t)seconds;
		rest->tv_nsec = (long)ms * 1000000;
	}
	return -1;
}
