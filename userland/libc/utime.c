// SPDX-License-Identifier: ISC
//
// Times of files: FAT keeps that of the last change, in steps of two seconds; that of the last access is not kept.
#include "private.h"

#include <octix/date.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <utime.h>

#define NOW ((time_t)-1) // which who may write may set

static int set_time(const char *path, time_t seconds)
{
	uint16_t date, clock;

	if (seconds == NOW)
		return oct_utime(path, 0);
	oct_date_split((uint32_t)seconds, &date, &clock);
	return oct_utime(path, (unsigned long)date << 16 | clock);
}

int utime(const char *path, const struct utimbuf *times)
{
	return set_time(path, times ? times->modtime : NOW);
}

int utimes(const char *path, const struct timeval times[2])
{
	return set_time(path, times ? times[1].tv_sec : NOW);
}
