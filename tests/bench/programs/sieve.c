// SPDX-License-Identifier: ISC
//
// The sieve of Eratosthenes over the odd numbers below 4,096.
#include <string.h>

#include "bench.h"

#define ODDS 2048

static uint8_t composite[ODDS];

uint32_t bench(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < ODDS; i++)
		composite[i] = 0;
	for (unsigned i = 1; i < ODDS; i++) {
		if (composite[i])
			continue;
		sum += 2 * i + 1;
		for (unsigned k = i + 2 * i + 1; k < ODDS; k += 2 * i + 1)
			composite[k] = 1;
	}
	return sum;
}
