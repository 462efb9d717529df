// SPDX-License-Identifier: ISC
//
// Owners in creation times (fs/owner.h): all modes, all ids, everything that is not one, and what Linux's vfat does to them when it
// brings an inode back to the card: FAT time to seconds and nanoseconds, and back.

#include "fs/owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int tests, failed;

static void result(bool good, const char *name)
{
	printf("%sok %d %s\n", good ? "" : "not ", ++tests, name);
	failed += !good;
}

static bool equal(const struct owner *a, const struct owner *b)
{
	return a->uid == b->uid && a->gid == b->gid && a->mode == b->mode;
}

static unsigned date_of(const uint8_t *at)
{
	return at[3] | at[4] << 8;
}

static unsigned time_of(const uint8_t *at)
{
	return at[1] | at[2] << 8;
}

// Is it a date and time that FAT knows, in the years that are ours?
static bool valid(const uint8_t *at)
{
	unsigned date = date_of(at), time = time_of(at), year = date >> 9, month = date >> 5 & 15, day = date & 31;

	return year >= 104 && year <= 107 && month >= 1 && month <= 8 && day >= 1 && day <= 16 && time >> 11 < 24 && (time >> 5 & 63) < 60
	       && (time & 31) < 30 && at[0] < 200;
}

// What vfat reads: seconds in UTC and nanoseconds; hundredths from 100 on are a second.
static time_t to_unix(const uint8_t *at, int zone, long *ns)
{
	unsigned date = date_of(at), time = time_of(at);
	struct tm tm = { .tm_year = (int)(date >> 9) + 80, .tm_mon = (int)(date >> 5 & 15) - 1, .tm_mday = (int)date & 31,
			 .tm_hour = (int)time >> 11, .tm_min = (int)time >> 5 & 63, .tm_sec = (int)(time & 31) * 2 };

	*ns = at[0] % 100 * 10000000L;
	return timegm(&tm) + zone * 60 + at[0] / 100;
}

static void from_unix(uint8_t *at, time_t seconds, long ns, int zone)
{
	struct tm tm;
	unsigned date, time;

	seconds -= zone * 60;
	gmtime_r(&seconds, &tm);
	date = (unsigned)(tm.tm_year - 80) << 9 | (unsigned)(tm.tm_mon + 1) << 5 | (unsigned)tm.tm_mday;
	time = (unsigned)tm.tm_hour << 11 | (unsigned)tm.tm_min << 5 | (unsigned)tm.tm_sec / 2;
	at[0] = (uint8_t)((seconds & 1) * 100 + ns / 10000000);
	at[1] = (uint8_t)time, at[2] = (uint8_t)(time >> 8), at[3] = (uint8_t)date, at[4] = (uint8_t)(date >> 8);
}

static bool passes_vfat(const uint8_t *at)
{
	static const int zones[] = { 0, -720, -345, 330, 840 };
	uint8_t back[OWNER_BYTES];

	for (unsigned i = 0; i < sizeof zones / sizeof zones[0]; i++) {
		long ns;
		time_t seconds = to_unix(at, zones[i], &ns);

		from_unix(back, seconds, ns, zones[i]);
		if (memcmp(at, back, OWNER_BYTES))
			return false;
	}
	return true;
}

static bool round_trip(const struct owner *o)
{
	uint8_t at[OWNER_BYTES];
	struct owner back = { 0 };

	owner_encode(at, o);
	if (valid(at) && passes_vfat(at) && owner_decode(at, &back) && equal(o, &back))
		return true;
	printf("# %u:%u %o became %u:%u %o\n", o->uid, o->gid, o->mode, back.uid, back.gid, back.mode);
	return false;
}

static void all_modes(void)
{
	bool good = true;

	for (unsigned mode = 0; mode <= OWNER_MODE && good; mode++)
		for (int i = 0; i < 16 && good; i++)
			good = round_trip(&(struct owner){ (uint8_t)(rand() % 255), (uint8_t)(rand() % 255), (uint16_t)mode });
	result(good, "all modes, ids at random");
}

static void all_ids(void)
{
	bool good = true;

	for (unsigned uid = 0; uid <= OWNER_MAX && good; uid++)
		for (unsigned gid = 0; gid <= OWNER_MAX && good; gid++)
			good = round_trip(&(struct owner){ (uint8_t)uid, (uint8_t)gid, (uint16_t)(rand() & OWNER_MODE) });
	result(good, "all users and groups, modes at random");
}

// Every date and time that PCs make until 2083, and bytes at random: at most one in 1,024 of them is ours by chance.
static void foreign(void)
{
	struct owner o = { 9, 9, 9 };
	bool good = true;
	unsigned ours = 0;

	for (unsigned date = 0; date < 104u << 9 && good; date++) {
		uint8_t at[OWNER_BYTES] = { (uint8_t)rand(), (uint8_t)rand(), (uint8_t)rand(), (uint8_t)date, (uint8_t)(date >> 8) };

		good = !owner_decode(at, &o) && o.uid == 9 && o.gid == 9 && o.mode == 9;
	}
	result(good, "what a PC has made has no owner");
	for (unsigned i = 0; i < 1000000; i++) {
		uint8_t at[OWNER_BYTES] = { (uint8_t)rand(), (uint8_t)rand(), (uint8_t)rand(), (uint8_t)rand(), (uint8_t)rand() };

		if (owner_decode(at, &o)) {
			uint8_t again[OWNER_BYTES];

			ours++;
			owner_encode(again, &o);
			good = good && !memcmp(at, again, OWNER_BYTES);
		}
	}
	result(good && ours < 1000, "bytes at random: what is taken for an owner would be written so");
}

// One bit that has changed is noticed.
static void single_bits(void)
{
	bool good = true;

	for (unsigned i = 0; i < 20000 && good; i++) {
		struct owner o = { (uint8_t)(rand() % 255), (uint8_t)(rand() % 255), (uint16_t)(rand() & OWNER_MODE) }, back;
		uint8_t at[OWNER_BYTES];

		owner_encode(at, &o);
		at[rand() % 3] ^= 1 << rand() % 8;
		good = !owner_decode(at, &back);
	}
	result(good, "a changed bit of time or hundredths makes it unknown");
}

int main(void)
{
	srand(1);
	all_modes();
	all_ids();
	foreign();
	single_bits();
	printf("1..%d\n", tests);
	return failed != 0;
}
