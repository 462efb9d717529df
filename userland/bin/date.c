// SPDX-License-Identifier: ISC
//
// date: shows and sets the wall clock. Without TZ in the environment times are UTC.
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Two digits; -1: they are none.
static int two(const char *s)
{
	return isdigit((unsigned char)s[0]) && isdigit((unsigned char)s[1]) ? (s[0] - '0') * 10 + s[1] - '0' : -1;
}

// MMDDhhmm[[CC]YY][.ss]. A year that is not named is this one, one of two digits is from 1969 to 2068 (POSIX date).
static int parse_date(const char *text, struct tm *tm)
{
	size_t n = strcspn(text, ".");

	if ((n != 8 && n != 10 && n != 12) || (text[n] && strlen(text + n) != 3))
		return -1;
	for (size_t i = 0; i < n; i += 2)
		if (two(text + i) < 0)
			return -1;
	tm->tm_mon = two(text) - 1;
	tm->tm_mday = two(text + 2);
	tm->tm_hour = two(text + 4);
	tm->tm_min = two(text + 6);
	tm->tm_sec = text[n] ? two(text + n + 1) : 0;
	if (n == 10)
		tm->tm_year = two(text + 8) + (two(text + 8) < 69 ? 100 : 0);
	else if (n == 12)
		tm->tm_year = two(text + 8) * 100 + two(text + 10) - 1900;
	tm->tm_isdst = -1;
	return tm->tm_sec;
}

// The time, or -1 for one that is not, such as the 31st of April.
static time_t seconds_of(const char *text, struct tm *tm)
{
	struct tm want;
	time_t t;

	if (parse_date(text, tm) < 0)
		return -1;
	want = *tm;
	t = mktime(tm);
	return tm->tm_mon == want.tm_mon && tm->tm_mday == want.tm_mday && tm->tm_min == want.tm_min && tm->tm_sec == want.tm_sec ? t : -1;
}

static const char usual[] = "%a %b %e %H:%M:%S %Z %Y";

static int show(const char *format, const struct tm *tm)
{
	if (!strftime(block, BLOCK, format, tm) && *format)
		return complain_because(format, "too long");
	return puts(block) < 0 ? complain("write") : OK;
}

static int set_clock(const char *text, struct tm *tm)
{
	time_t t = seconds_of(text, tm);

	if (t < 0)
		return complain_because(text, "no such time: MMDDhhmm[[CC]YY][.ss]");
	if (stime(&t) == 0)
		return show(usual, tm);
	return errno == EINVAL ? complain_because(text, "the clock holds 1970 to 2106") : complain("the clock");
}

COMMAND(date, "[-u] [+FORMAT | MMDDhhmm[[CC]YY][.ss]]", "show the time, or set it (root); -u: in UTC, else by TZ")
{
	time_t now = time(NULL);
	struct tm tm;

	if (parse(&argc, &argv, "u"))
		setenv("TZ", "UTC0", 1);
	tzset();
	if (argc > 1)
		misused();
	tm = *localtime(&now);
	if (argc == 1 && **argv != '+')
		return set_clock(*argv, &tm);
	return show(argc == 1 ? *argv + 1 : usual, &tm);
}
