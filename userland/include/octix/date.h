// SPDX-License-Identifier: ISC
//
// Dates as FAT has them: years since 1980, month, day in 7, 4 and 5 bits; hours, minutes, seconds / 2 in 5, 6 and 5
// (Microsoft FAT specification, section Date and Time Formats). They hold local time by habit; here UTC. 2100 counts as a leap
// year. The kernel hands them out as they are; programs turn them into seconds, and back.
#ifndef OCTIX_DATE_H
#define OCTIX_DATE_H

#include <stdint.h>

// Seconds since 1970-01-01 of a date << 16 | time; 0, which stands for none, gives 0.
static inline uint32_t oct_date_seconds(uint32_t fat)
{
	static const uint16_t before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	uint32_t year = fat >> 25, month = ((fat >> 21 & 15) + 11) % 12, day = fat >> 16 & 31;
	uint32_t days = 3651 + year * 365 + (year + 3) / 4 + before[month % 12] + (month > 1 && year % 4 == 0) + day;

	return fat ? days * 86400 + (fat >> 11 & 31) * 3600 + (fat >> 5 & 63) * 60 + (fat & 31) * 2 : 0;
}

static inline uint8_t oct_days_of(uint8_t year, uint8_t month)
{
	if (month == 2)
		return year & 3 ? 28 : 29;
	return 30 + ((month + (month >> 3)) & 1);
}

// Date and time of seconds since 1970; what is before 1980 is its first day.
static inline void oct_date_split(uint32_t seconds, uint16_t *date, uint16_t *time)
{
	uint16_t days = (uint16_t)(seconds / 86400), minutes = (uint16_t)(seconds % 86400 >> 1) / 30;
	uint8_t half = (uint8_t)((uint16_t)(seconds % 86400 >> 1) % 30), year = 0, month = 1;

	days = days < 3652 ? 0 : days - 3652;
	for (uint16_t length = 366; days >= length; length = year & 3 ? 365 : 366) {
		days -= length;
		year++;
	}
	for (; days >= oct_days_of(year, month); month++)
		days -= oct_days_of(year, month);
	*date = (uint16_t)((uint16_t)year << 9 | (uint16_t)month << 5 | (days + 1));
	*time = (uint16_t)((minutes / 60) << 11 | (minutes % 60) << 5 | half);
}

#endif
