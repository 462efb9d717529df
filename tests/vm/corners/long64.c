// SPDX-License-Identifier: ISC
//
// 64-bit arithmetic on edge values: division, shifts, comparison and all the rest.
#include "corner.h"

static const uint64_t edges[] = { 0, 1, 2, 10, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x100000001, 0x123456789abcdef0,
				  0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffff6, 0xffffffff00000000, 0xfedcba98 };
enum { EDGES = sizeof edges / sizeof *edges };

#define BINARY(name, expression)                                              \
	static NOINLINE uint64_t name(uint64_t a, uint64_t b)                 \
	{                                                                     \
		int64_t sa = (int64_t)a, sb = (int64_t)b;                     \
		(void)sa, (void)sb;                                           \
		return (uint64_t)(expression);                                \
	}
#define OPERATIONS(X) X(add, a + b) X(subtract, a - b) X(multiply, a * b) X(low, (uint64_t)(uint32_t)a * (uint32_t)b) \
	X(slow, (int64_t)(int32_t)a * (int32_t)b) X(and, a & b) X(or, a | b) X(xor, a ^ ~b) X(left, a << (b & 63)) \
	X(right, a >> (b & 63)) X(arithmetic, sa >> (b & 63)) X(less, a < b) X(sless, sa < sb) X(lesseq, a <= b) X(slesseq, sa <= sb) \
	X(equal, a == b) X(notequal, a != b) X(greater, sa > sb) X(carry, a + b < a) X(minimum, sa < sb ? sa : sb) \
	X(unsigned_divide, b ? a / b : 0) X(unsigned_rest, b ? a % b : 0) X(divide, b && ~b ? sa / sb : 0) X(rest, b && ~b ? sa % sb : 0) \
	X(by_word, (uint32_t)b ? a / (uint32_t)b : 0) X(select, (a > b ? a - b : b - a) >> 1)
OPERATIONS(BINARY)

#define UNARY(X) X(negate, 0 - a) X(invert, ~a) X(ten, a / 10) X(rest10, a % 10) X(sten, sa / 10) X(srest7, sa % 7) X(thousand, a / 1000000007) \
	X(eight, sa / 8) X(times, a * 1000000007) X(shift1, a << 1) X(shift31, a << 31) X(shift32, a >> 32) X(shift33, sa >> 33) X(shift63, sa >> 63) \
	X(narrow, (int32_t)a) X(narrower, (int16_t)a) X(narrowest, (uint8_t)(a >> 24)) X(zeros, a ? __builtin_clzll(a) : 64) \
	X(trailing, a ? __builtin_ctzll(a) : 64) X(ones, __builtin_popcountll(a)) X(parity, __builtin_parityll(a)) X(swap, __builtin_bswap64(a))
#define ONE(name, expression)                                                 \
	static NOINLINE uint64_t name(uint64_t a)                             \
	{                                                                     \
		int64_t sa = (int64_t)a;                                      \
		(void)sa;                                                     \
		return (uint64_t)(expression);                                \
	}
UNARY(ONE)

#define RUN2(name, expression)                                                \
	for (int i = 0; i < EDGES; i++)                                       \
		for (int j = 0; j < EDGES; j++)                               \
			mix(name(edges[i], edges[j]));                        \
	result(#name);
#define RUN1(name, expression)                                                \
	for (int i = 0; i < EDGES; i++)                                       \
		mix(name(edges[i]));                                          \
	result(#name);

static void counts(void)
{
	for (uint64_t n = 0; n < 64; n++)
		mix(left(edges[9], n)), mix(right(edges[13], n)), mix(arithmetic(edges[14], n));
	result("shift counts");
}

int main(void)
{
	OPERATIONS(RUN2)
	UNARY(RUN1)
	counts();
	return 0;
}
