// SPDX-License-Identifier: ISC
//
// snprintf of integers and strings.
#include <stdio.h>

#include "bench.h"

uint32_t bench(void)
{
	char line[64];
	uint32_t sum = 0;

	for (int i = 0; i < 20; i++) {
		int n = snprintf(line, sizeof line, "%d %5u %-6s|%04x %c", i * 37 - 300, 1000u + (unsigned)i * 7u,
		                 i & 1 ? "odd" : "even", (unsigned)i * 257u, 'a' + i);

		for (int k = 0; k < n; k++)
			sum = sum * 31 + (uint8_t)line[k];
	}
	return sum;
}
