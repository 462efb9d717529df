// SPDX-License-Identifier: ISC
//
// uptime: the time, and how long the machine has been up.
#include "command.h"

#include <stdio.h>
#include <time.h>

COMMAND(uptime, "", "show how long the machine has been up")
{
	struct timespec up;
	time_t now = time(NULL);
	unsigned long s;

	if (argc > 1)
		misused();
	if (clock_gettime(CLOCK_MONOTONIC, &up) < 0)
		return complain("the clock");
	tzset();
	strftime(block, BLOCK, "%H:%M:%S", localtime(&now));
	s = (unsigned long)up.tv_sec;
	printf("%s up %lu days, %02lu:%02lu:%02lu\n", block, s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
	return OK;
}
