// SPDX-License-Identifier: ISC
//
// 64-bit multiplication and division by the names that gcc calls. Marks 1 to 2: ROUNDS loops of 5 products, 2 to 3: of calls that do
// nothing, 3 to 4: of quotients (64 bits by 64, 29 and 10 bits, days of a time, the digits of a number).
#include <stdint.h>

#define ROUNDS 100

int mark(int n);
uint64_t __muldi3(uint64_t a, uint64_t b);
uint64_t __udivdi3(uint64_t a, uint64_t b);

static const struct {
	uint64_t a, b;
} pairs[] = {
	{ 0xfedcba9876543210, 0x123456789abcdef0 }, { 0xfedcba9876543210, 0x0000000012345678 }, { 0x0123456789abcdef, 1000 },
	{ 1767225600, 86400 }, { 12345678901234567, 10 },
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

typedef uint64_t function(uint64_t a, uint64_t b);

static uint64_t nothing(uint64_t a, uint64_t b)
{
	(void)b;
	return a;
}

static __attribute__((noinline)) uint64_t loop(function *f)
{
	uint64_t sum = 0;

	for (int i = 0; i < ROUNDS; i++)
		for (int k = 0; k < PAIRS; k++)
			sum += f(pairs[k].a, pairs[k].b);
	return sum;
}

int main(void)
{
	uint64_t sum = 0;

	for (int round = 0; round < 2; round++) {
		mark(1);
		sum += loop(__muldi3);
		mark(2);
		sum -= loop(nothing);
		mark(3);
		sum += loop(__udivdi3);
		mark(4);
	}
	return sum == 0;
}
