// SPDX-License-Identifier: ISC
//
// Counts lines, words and letters of a generated text of 2,048 bytes.
#include "bench.h"

static char text[2049];

static void make_text(void)
{
	uint16_t seed = 1;

	for (unsigned i = 0; i < 2048; i++) {
		seed = (uint16_t)(seed * 25173u + 13849u);
		text[i] = seed >> 13 == 0 ? ' ' : seed >> 10 == 17 ? '\n' : (char)('a' + (seed >> 8) % 26u);
	}
}

static int is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

uint32_t bench(void)
{
	uint32_t lines = 0, words = 0, letters = 0;
	int inside = 0;

	make_text();
	for (const char *p = text; *p; p++) {
		letters++;
		if (*p == '\n')
			lines++;
		if (is_space(*p)) {
			inside = 0;
		} else if (!inside) {
			inside = 1;
			words++;
		}
	}
	return letters << 20 ^ words << 8 ^ lines;
}
