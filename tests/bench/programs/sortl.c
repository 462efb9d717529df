// SPDX-License-Identifier: ISC
//
// The library's qsort and strcmp over 80 words.
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define N 80

static char words[N][8];
static char *order[N];

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

uint32_t bench(void)
{
	uint16_t seed = 7;
	uint32_t sum = 0;

	for (unsigned i = 0; i < N; i++) {
		for (unsigned k = 0; k < 6; k++) {
			seed = (uint16_t)(seed * 25173u + 13849u);
			words[i][k] = (char)('a' + (seed >> 8) % 4u);
		}
		order[i] = words[i];
	}
	qsort(order, N, sizeof order[0], by_text);
	for (unsigned i = 0; i < N; i++)
		for (const char *p = order[i]; *p; p++)
			sum = sum * 33 + (uint8_t)*p;
	return sum;
}
