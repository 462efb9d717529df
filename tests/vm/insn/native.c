// SPDX-License-Identifier: ISC
//
// The native bytecodes, checked against what octix/opcodes.def says in C (which is what runs where they are not).
#include "insn.h"

// The compiler calls it to copy structures.
void *memcpy(void *to, const void *from, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
	return to;
}

struct regs {
	uint8_t *first, *second;
	uint32_t third;
};

#ifdef LINUX
#define NATIVE(number, name, C) static struct regs name(struct regs r) { C; return r; }
#else
#define NATIVE(number, name, C)                                                                   \
	static struct regs name(struct regs r)                                                    \
	{                                                                                         \
		__asm__ volatile(".insn r 0x0B, 0, " #number ", %0, %1, %2" : "+r"(r.first), "+r"(r.second), "+r"(r.third) \
				 : : "memory");                                                   \
		return r;                                                                         \
	}
#endif

NATIVE(0, memcpy_, while (r.third) { *r.first++ = *r.second++; r.third--; })
NATIVE(1, memset_, while (r.third) { *r.first++ = (uint8_t)(uintptr_t)r.second; r.third--; })
NATIVE(2, memrev_, while (r.third) { *--r.first = *--r.second; r.third--; })
NATIVE(3, memcmp_, while (r.third && *r.first == *r.second) { r.first++; r.second++; r.third--; })
NATIVE(4, strlen_, while (*r.first) r.first++)
NATIVE(5, strcpy_, while ((*r.first = *r.second)) { r.first++; r.second++; })
NATIVE(6, strcmp_, while (*r.first == *r.second && *r.first) { r.first++; r.second++; })
NATIVE(7, strchr_, while (*r.first && *r.first != (uint8_t)(uintptr_t)r.second) r.first++)

enum { SIZE = 2048 };
static uint8_t a[SIZE] __attribute__((aligned(512))), b[SIZE] __attribute__((aligned(512)));

static void fill(uint32_t x, uint32_t zeros)
{
	for (int i = 0; i < SIZE; i++) {
		x = x * 1664525 + 1013904223;
		a[i] = (uint8_t)(x >> 24 | 1);
		b[i] = (uint8_t)(x >> 23 | 1);
		if (zeros && i % (int)zeros == (int)zeros - 1)
			a[i] = b[i] = 0;
	}
}

static void mix_all(struct regs r, const uint8_t *first, const uint8_t *second)
{
	mix((uint32_t)(r.first - first));
	if (second)
		mix((uint32_t)(r.second - second));
	mix(r.third);
	for (int i = 0; i < SIZE; i += 32)
		hash = (hash << 3 | hash >> 29) + *(uint32_t *)(a + i + (int)(count & 28)) + 3 * *(uint32_t *)(b + i);
}

static const uint16_t sizes[] = { 0, 1, 2, 3, 4, 7, 15, 16, 17, 63, 64, 255, 256, 257, 511, 512, 513, 1000 };
static const uint16_t places[] = { 0, 1, 2, 3, 255, 256, 509, 511, 512, 1003 };
enum { SIZES = sizeof sizes / sizeof *sizes, PLACES = sizeof places / sizeof *places };

static void test_blocks(void)
{
	fill(77, 0);
	for (int i = 0; i < SIZES; i++) {
		uint8_t *p = a + places[i % PLACES], *q = b + places[(i * 3 + 1) % PLACES];
		uint32_t n = sizes[i];

		mix_all(memcpy_((struct regs){ p, q, n }), p, q);
		mix_all(memcmp_((struct regs){ p, q, n }), p, q);
		mix_all(memcmp_((struct regs){ p, q, n + 9 }), p, q);
		mix_all(memset_((struct regs){ q, (uint8_t *)(uintptr_t)(0x1200u + (uint32_t)i), n }), q, 0);
		mix_all(memrev_((struct regs){ p + n, q + n, n }), p, q);
		mix_all(memcpy_((struct regs){ p, p + 5, n }), p, p);       // overlapping, forwards
		mix_all(memrev_((struct regs){ p + 5 + n, p + n, n }), p, p); // and backwards
	}
	result("memory natives");
}

static void test_strings(void)
{
	static const uint16_t lengths[] = { 1, 2, 5, 255, 256, 257, 600, 900 };

	for (int i = 0; i < 8; i++) {
		fill((uint32_t)i, lengths[i]);
		for (int j = 0; j < PLACES; j += 3) {
			uint8_t *p = a + places[j], *q = b + places[(j + i) % PLACES];

			mix_all(strlen_((struct regs){ p, 0, 0 }), p, 0);
			mix_all(strchr_((struct regs){ p, (uint8_t *)(uintptr_t)(p[3] | 0x100u), 0 }), p, 0);
			mix_all(strchr_((struct regs){ p, 0, 0 }), p, 0);
			mix_all(strcmp_((struct regs){ p, q, 0 }), p, q);
			mix_all(strcpy_((struct regs){ p, q, 0 }), p, q);
			mix_all(strcmp_((struct regs){ p, q, 0 }), p, q);
		}
	}
	result("string natives");
}

// Two numbers of 64 bits, 32 a word, the lowest first.
struct pairs {
	uint32_t a[2], b[2];
};

#ifdef LINUX
// Bit by bit: no division by zero traps, and no library is needed. a = a / b, b = a % b.
static struct pairs divide(struct pairs r)
{
	uint64_t a = r.a[0] | (uint64_t)r.a[1] << 32, b = r.b[0] | (uint64_t)r.b[1] << 32, rest = 0;

	for (int i = 0; i < 64; i++) {
		int over = rest >> 63;

		rest = rest << 1 | a >> 63;
		a <<= 1;
		if (over || rest >= b) {
			rest -= b;
			a |= 1;
		}
	}
	return (struct pairs){ { (uint32_t)a, (uint32_t)(a >> 32) }, { (uint32_t)rest, (uint32_t)(rest >> 32) } };
}

// a = a * b: gcc makes it of four products of 32 bits.
static struct pairs multiply(struct pairs r)
{
	uint64_t a = r.a[0] | (uint64_t)r.a[1] << 32, b = r.b[0] | (uint64_t)r.b[1] << 32;
	uint64_t product = a * b;

	r.a[0] = (uint32_t)product;
	r.a[1] = (uint32_t)(product >> 32);
	return r;
}
#else
#define ON_PAIRS(number, name)                                                                            \
	static struct pairs name(struct pairs r)                                                          \
	{                                                                                                 \
		register uint32_t a0 __asm__("a0") = r.a[0];                                              \
		register uint32_t a1 __asm__("a1") = r.a[1];                                              \
		register uint32_t a2 __asm__("a2") = r.b[0];                                              \
		register uint32_t a3 __asm__("a3") = r.b[1];                                              \
		__asm__ volatile(".insn r 0x0B, 0, " #number ", x0, x0, x0" : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3)); \
		return (struct pairs){ { a0, a1 }, { a2, a3 } };                                          \
	}

ON_PAIRS(8, divide)
ON_PAIRS(9, multiply)
#endif

static void test_pairs(struct pairs (*f)(struct pairs), const char *name)
{
	uint32_t x = 99;

	for (int i = 0; i < EDGES * EDGES * 3; i++) {
		int k = i % 3;
		uint32_t high = k ? edges[i / 3 % EDGES] : 0;
		struct pairs r = { { edges[i / 7 % EDGES], edges[i / 3 / EDGES] }, { high, k == 1 ? 0 : edges[i / 2 % EDGES] } };

		if (i % 5 == 0) {
			x = x * 1664525 + 1013904223;
			r.a[1] ^= x;
			r.b[i / 5 & 1] ^= x >> (i / 10 & 31);
		}
		r = f(r);
		mix(r.a[0]);
		mix(r.a[1]);
		mix(r.b[0]);
		mix(r.b[1]);
	}
	result(name);
}

static void test(void)
{
	test_blocks();
	test_strings();
	test_pairs(divide, "division of 64 bits");
	test_pairs(multiply, "multiplication of 64 bits");
}
