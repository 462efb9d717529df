// SPDX-License-Identifier: ISC
//
// More code than the pool of frames holds: 256 different functions, called in a scattered order. Prints a checksum.
#include <stdint.h>
#include <stdio.h>

#define FUNCTION(n) \
	static __attribute__((noinline)) uint32_t f##n(uint32_t x) \
	{ \
		x ^= x << 13; \
		x += 0x1234567u + (n) * 40503u; \
		x ^= x >> 17; \
		x *= 2 * (n) + 1u; \
		return x ^ (x << 5); \
	}

#define FOUR(go, n)    go(n##0) go(n##1) go(n##2) go(n##3)
#define SIXTEEN(go, n) FOUR(go, n##0) FOUR(go, n##1) FOUR(go, n##2) FOUR(go, n##3)
#define ALL(go)        SIXTEEN(go, 1) SIXTEEN(go, 2) SIXTEEN(go, 3) SIXTEEN(go, 4) SIXTEEN(go, 5) SIXTEEN(go, 6) \
		       SIXTEEN(go, 7) SIXTEEN(go, 8) SIXTEEN(go, 9) SIXTEEN(go, 10) SIXTEEN(go, 11) SIXTEEN(go, 12) \
		       SIXTEEN(go, 13) SIXTEEN(go, 14) SIXTEEN(go, 15) SIXTEEN(go, 16)
#define NAME(n)        f##n,

ALL(FUNCTION)

static uint32_t (*const functions[])(uint32_t) = { ALL(NAME) };

#define COUNT (sizeof functions / sizeof functions[0])

int main(void)
{
	uint32_t sum = 1;

	for (uint32_t round = 0; round < 3; round++)
		for (uint32_t i = 0; i < COUNT; i++)
			sum = functions[i * 77 % COUNT](sum + round);
	printf("%u functions: %08lx\n", (unsigned)COUNT, (unsigned long)sum);
	return 0;
}
