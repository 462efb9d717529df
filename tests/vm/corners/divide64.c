// SPDX-License-Identifier: ISC
//
// The functions that gcc calls for multiplication and division of 64 bits: powers of two and their neighbours, all signs, and what
// C leaves undefined: division by zero, the lowest number by -1.
#include "corner.h"

#ifdef __octix__
uint64_t __muldi3(uint64_t a, uint64_t b);
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b);
uint64_t __divdi3(uint64_t a, uint64_t b);
uint64_t __moddi3(uint64_t a, uint64_t b);
#else
static uint64_t __muldi3(uint64_t a, uint64_t b)
{
	uint64_t product = 0;

	for (int i = 0; i < 64; i++)
		product += b >> i & 1 ? a << i : 0;
	return product;
}

static uint64_t __udivdi3(uint64_t a, uint64_t b)
{
	return b ? a / b : ~(uint64_t)0;
}

static uint64_t __umoddi3(uint64_t a, uint64_t b)
{
	return b ? a % b : a;
}

static uint64_t __divdi3(uint64_t a, uint64_t b)
{
	if (b == 0)
		return a >> 63 ? 1 : ~(uint64_t)0;
	return ~b ? (uint64_t)((int64_t)a / (int64_t)b) : 0 - a;
}

static uint64_t __moddi3(uint64_t a, uint64_t b)
{
	if (b == 0)
		return a;
	return ~b ? (uint64_t)((int64_t)a % (int64_t)b) : 0;
}
#endif

// 0, 1, -1, then the powers of two, one less, one more, and their negatives.
enum { VALUES = 3 + 64 * 6 };

static uint64_t value(int i)
{
	uint64_t power = (uint64_t)1 << (i < 3 ? 0 : (i - 3) / 6);
	uint64_t near[] = { power, power - 1, power + 1, 0 - power, 0 - power + 1, 0 - power - 1 };

	return i < 3 ? (uint64_t)i - (i == 2 ? 3 : 0) : near[(i - 3) % 6];
}

static void try_all(uint64_t (*f)(uint64_t, uint64_t), const char *name)
{
	for (int i = 0; i < VALUES; i++)
		for (int j = i % 13; j < VALUES; j += 13)
			mix(f(value(i), value(j)));
	for (int i = 0; i < 9; i++)
		for (int j = 0; j < 9; j++)
			mix(f(value(i), value(j)));
	mix(f((uint64_t)1 << 63, ~(uint64_t)0));
	mix(f(0x123456789abcdef0, 1000000007));
	result(name);
}

int main(void)
{
	try_all(__muldi3, "products");
	try_all(__udivdi3, "quotients");
	try_all(__umoddi3, "remainders");
	try_all(__divdi3, "signed quotients");
	try_all(__moddi3, "signed remainders");
	return 0;
}
