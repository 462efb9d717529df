// SPDX-License-Identifier: ISC
//
// See owner.h.

#include "fs/owner.h"

enum { HUNDREDTHS, TIME, HOUR, DATE, YEAR }; // the bytes of the record

#define FIRST_YEAR 0xd0 // bits of the year, 104, in the upper byte of the date
#define PARITY     0x02 // in the upper byte of the time

// Seven bits with a zero after the third, as months and days, minutes and seconds have them.
static uint8_t spread(uint8_t n)
{
	return (uint8_t)((n & 0x70) << 1) | (n & 15);
}

static uint8_t gather(uint8_t n)
{
	return (n >> 1 & 0x70) | (n & 15);
}

// PARITY when the number of bits set is even.
static uint8_t parity(const uint8_t *at)
{
	uint8_t sum = at[0] ^ at[1] ^ at[2] ^ at[3] ^ at[4];

	sum ^= sum >> 4;
	sum ^= sum >> 2;
	sum ^= sum >> 1;
	return sum & 1 ? 0 : PARITY;
}

void owner_encode(uint8_t *at, const struct owner *o)
{
	at[HUNDREDTHS] = o->mode & 0x7f;
	at[TIME] = spread(o->gid);
	at[HOUR] = (uint8_t)(o->mode >> 4 & 0x78) | (uint8_t)(o->mode >> 11 & 1);
	at[DATE] = spread(o->uid);
	at[YEAR] = FIRST_YEAR | (o->uid >> 5 & 4) | (o->gid >> 6 & 2);
	at[HOUR] |= parity(at);
	at[DATE] += 0x21; // day and month count from 1: at most 0x10 and 8
	if (at[DATE] < 0x21)
		at[YEAR]++;
}

bool owner_decode(const uint8_t *at, struct owner *o)
{
	uint8_t raw[OWNER_BYTES] = { at[0], at[1], at[2], at[3] - 0x21, at[4] - (at[3] < 0x21) };
	uint8_t uid = gather(raw[DATE]), gid = gather(raw[TIME]);

	if ((raw[YEAR] & 0xf9) != FIRST_YEAR || (raw[DATE] | raw[TIME]) & 0x10 || raw[HOUR] & 0x84 || raw[HUNDREDTHS] & 0x80 || parity(raw))
		return false;
	uid |= (raw[YEAR] & 4) << 5;
	gid |= (raw[YEAR] & 2) << 6;
	if (uid > OWNER_MAX || gid > OWNER_MAX)
		return false;
	o->uid = uid;
	o->gid = gid;
	o->mode = raw[HUNDREDTHS] | (uint16_t)(raw[HOUR] & 0x78) << 4 | (uint16_t)(raw[HOUR] & 1) << 11;
	return true;
}
