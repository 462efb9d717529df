// SPDX-License-Identifier: ISC
//
// sleep: waits some seconds; a fraction counts to milliseconds.
#include "command.h"

#include <stdlib.h>
#include <time.h>

static int parse_seconds(const char *text, struct timespec *ts)
{
	char *end;
	long unit = 100000000;

	ts->tv_sec = (time_t)strtoul(text, &end, 10);
	ts->tv_nsec = 0;
	if (end == text || *text == '-')
		return -1;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++, unit /= 10)
			ts->tv_nsec += (*end - '0') * unit;
	return *end ? -1 : 0;
}

COMMAND(sleep, "SECONDS", "wait, e.g. 2 or 0.5 seconds")
{
	struct timespec ts;

	if (argc != 2)
		misused();
	if (parse_seconds(argv[1], &ts) < 0)
		return complain_because(argv[1], "not a number of seconds");
	return nanosleep(&ts, NULL) < 0 ? complain("sleep") : OK;
}
