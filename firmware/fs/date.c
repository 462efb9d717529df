// SPDX-License-Identifier: ISC
//
// FAT dates (octix/date.h) from seconds. The other way is up to programs.

#include "fs/fat.h"

#define DAY 86400UL
#define DAYS_1980 3652 // from 1970

static uint8_t days_of(uint8_t year, uint8_t month)
{
	if (month == 2)
		return year & 3 ? 28 : 29;
	return 30 + ((month + (month >> 3)) & 1);
}

void date_from_unix(uint32_t seconds, uint16_t *date, uint16_t *time)
{
	uint16_t days = (uint16_t)(seconds / DAY), minutes = (uint16_t)(seconds % DAY >> 1) / 30;
	uint8_t half = (uint8_t)((uint16_t)(seconds % DAY >> 1) % 30), year = 0, month = 1;

	days = days < DAYS_1980 ? 0 : days - DAYS_1980;
	for (uint16_t length = 366; days >= length; length = year & 3 ? 365 : 366) {
		days -= length;
		year++;
	}
	for (; days >= days_of(year, month); month++)
		days -= days_of(year, month);
	*date = (uint16_t)((uint16_t)year << 9 | (uint16_t)month << 5 | (days + 1));
	*time = (uint16_t)((minutes / 60) << 11 | (minutes % 60) << 5 | half);
}
