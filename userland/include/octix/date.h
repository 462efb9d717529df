// SPDX-License-Identifier: ISC
//
// Dates as FAT has them: years since 1980, month, day in 7, 4 and 5 bits; hours, minutes, seconds / 2 in 5, 6 and 5
// (Microsoft FAT specification, section Date and Time Formats). They hold local time by habit; here UTC. 2100 counts as a leap
// year. The kernel hands them out as they are; programs turn them into seconds.
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

#endif
