// SPDX-License-Identifier: ISC
//
// Divisions of doubles and floats, results in hexadecimal. The suite compares with what the host's compiler makes of
// the same program.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint64_t random64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static const uint64_t edge[] = {
	0, 1, 2, 0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001, 0x3ff0000000000000, 0x3ff0000000000001,
	0x3fefffffffffffff, 0x4000000000000000, 0x4008000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
};

static const uint32_t short_edge[] = {
	0, 1, 2, 0x007fffff, 0x00800000, 0x00800001, 0x3f800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x40400000, 0x7f7fffff,
	0x7f800000, 0x7fc00000,
};

static void divide(uint64_t a, uint64_t b)
{
	volatile double x, y;
	double q;
	uint64_t bits;

	memcpy((void *)&x, &a, 8);
	memcpy((void *)&y, &b, 8);
	q = x / y;
	memcpy(&bits, &q, 8);
	if (q != q)
		bits = 0x7ff8000000000000;
	printf("%08lx%08lx\n", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffff));
}

static void divide_short(uint32_t a, uint32_t b)
{
	volatile float x, y;
	float q;
	uint32_t bits;

	memcpy((void *)&x, &a, 4);
	memcpy((void *)&y, &b, 4);
	q = x / y;
	memcpy(&bits, &q, 4);
	printf("%08lx\n", (unsigned long)(q != q ? 0x7fc00000 : bits));
}

int main(void)
{
	enum { EDGES = sizeof edge / sizeof edge[0], RANDOM = 1500 };

	for (int i = 0; i < EDGES; i++)
		for (int j = 0; j < EDGES; j++) {
			divide(edge[i], edge[j]);
			divide(edge[i] | 1ull << 63, edge[j]);
			divide_short(short_edge[i], short_edge[j]);
			divide_short(short_edge[i], short_edge[j] | 1u << 31);
		}
	for (int i = 0; i < RANDOM; i++) {
		uint64_t a = random64(), b = random64(), near = 0x3fe0000000000000 | (b & 0x001fffffffffffff);

		divide(a, b);
		divide(a, near);
		divide(a & 0x801fffffffffffff, near); // small and denormal
		divide_short((uint32_t)a, (uint32_t)b);
		divide_short((uint32_t)a & 0x80ffffff, (uint32_t)(b >> 32));
		divide_short((uint32_t)a, 0x3f000000 | ((uint32_t)b & 0x00ffffff));
	}
	return 0;
}
