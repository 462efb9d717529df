// SPDX-License-Identifier: ISC
//
// Capacities from CSD registers: both versions, with the fields at their limits. Prints TAP.

#include <stdio.h>
#include <stdlib.h>

#include "drivers/sd.h"

static const struct { const char *csd; uint32_t sectors; } cards[] = {
	{ "400e00325b590000001f7f800a4000d5", 32768 },      // 16 MiB, version 2
	{ "400e00325b5900001d8a7f800a4000b7", 7744512 },    // 4 GB
	{ "400e00325b590000edc87f800a40404b", 62333952 },   // 32 GB
	{ "400e00325b59003fffff7f800a400001", 0 },          // 2 TiB: 2^32 sectors do not fit
	{ "002600325b5a83d3f6dbff81164000cf", 0 },          // set below
	{ "000e00325b5983ffedd8ff800a40008d", 0 },
	{ "002f00325f5983d37cffffff964000e1", 0 },
	{ "c00e00325b590000001f7f800a4000d5", 0 },          // no version known
	{ "000e00325b580000000000000000000d", 0 },          // READ_BL_LEN 8
};

// Version 1 by the formula of the specification, in 64 bits.
static uint64_t v1(const uint8_t *c)
{
	uint64_t size = 0, bits = 0;

	for (int i = 0; i < 16; i++)
		if (i >= 6 && i <= 8)
			bits = bits << 8 | c[i];
	size = bits >> 6 & 0xfff;
	return ((size + 1) << ((((c[9] & 3) << 1) | (c[10] >> 7)) + 2) << (c[5] & 15)) >> 9;
}

int main(void)
{
	int bad = 0;

	for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
		uint8_t csd[16];
		uint64_t want = cards[i].sectors;

		for (int k = 0; k < 16; k++) {
			char hex[3] = { cards[i].csd[2 * k], cards[i].csd[2 * k + 1], 0 };

			csd[k] = (uint8_t)strtoul(hex, NULL, 16);
		}
		if (csd[0] >> 6 == 0 && (csd[5] & 15) >= 9)
			want = v1(csd);
		int ok = sd_csd_sectors(csd) == want;

		bad += !ok;
		printf("%s %zu - %s: %u sectors\n", ok ? "ok" : "not ok", i + 1, cards[i].csd, sd_csd_sectors(csd));
	}
	return bad != 0;
}
