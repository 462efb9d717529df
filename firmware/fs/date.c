// SPDX-License-Identifier: ISC
//
// FAT dates: years since 1980, month, day in 7, 4 and 5 bits; hours, minutes, seconds / 2 in 5, 6 and 5 (section Date
// and Time Formats). They hold local time by habit; here UTC. Subtractions instead of long divisions: at most 300.

#include <avr/pgmspace.h>

#include "fs/fat.h"

#define DAY 86400UL
#define EPOCH_1980 (3652 * DAY) // from 1970

static const uint8_t month_days[12] PROGMEM = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

// year: since 1980; month: 1 to 12. (2100 is none, and dates of FAT end in 2107: it counts as a leap year.)
static uint8_t days_of(uint8_t year, uint8_t month)
{
	return (uint8_t)(pgm_read_byte(&month_days[month - 1]) + (month == 2 && !(year & 3)));
}

uint32_t date_to_unix(uint16_t date, uint16_t time)
{
	uint8_t year = (uint8_t)(date >> 9), month = date >> 5 & 15, day = date & 31;
	uint16_t days = (uint16_t)(year * 365U + ((year + 3) >> 2));
	uint32_t minutes;

	if (!month || month > 12 || !day)
		return EPOCH_1980;
	for (uint8_t m = 1; m < month; m++)
		days += days_of(year, m);
	days = (uint16_t)(days + day - 1);
	minutes = days * 1440UL + (uint16_t)((time >> 11) * 60) + (time >> 5 & 63);
	return EPOCH_1980 + minutes * 60 + (uint8_t)((time & 31) << 1);
}

// Takes `unit` out of *value as often as it goes in.
static uint8_t take(uint32_t *value, uint32_t unit)
{
	uint8_t n = 0;

	for (; *value >= unit; n++)
		*value -= unit;
	return n;
}

void date_from_unix(uint32_t seconds, uint16_t *date, uint16_t *time)
{
	uint8_t year = 0, month = 1, day;
	uint16_t days;

	seconds = seconds < EPOCH_1980 ? 0 : seconds - EPOCH_1980;
	for (; seconds >= 366 * DAY || (year & 3 && seconds >= 365 * DAY); year++)
		seconds -= year & 3 ? 365 * DAY : 366 * DAY;
	for (; seconds >= days_of(year, month) * DAY; month++)
		seconds -= days_of(year, month) * DAY;
	day = take(&seconds, DAY);
	days = (uint16_t)((uint16_t)year << 9 | (uint16_t)month << 5 | (day + 1));
	*date = days;
	*time = (uint16_t)((uint16_t)take(&seconds, 3600) << 11);
	*time |= (uint16_t)((uint16_t)take(&seconds, 60) << 5);
	*time |= (uint8_t)seconds >> 1;
}
