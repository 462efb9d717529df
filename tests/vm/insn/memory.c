// SPDX-License-Identifier: ISC
//
// Loads and stores of all widths, with every class of offset, at page ends, absolute and relative to sp.
#include "insn.h"

enum { HALF = 2560, SIZE = 2 * HALF };

static uint8_t buffer[SIZE] __attribute__((aligned(512)));
__attribute__((aligned(4))) uint8_t initialised[16] = { 1, 2, 3, 0x84, 5, 6, 0x87, 8, 0xff, 0xfe, 0x80, 0x7f, 9, 10, 11, 12 };
const uint16_t constant[8] = { 0x8001, 0x7fff, 1, 2, 3, 0xffff, 0x8000, 0x1234 };

static void fill(void)
{
	uint32_t x = 12345;

	for (int i = 0; i < SIZE; i++) {
		x = x * 1664525 + 1013904223;
		buffer[i] = (uint8_t)(x >> 24);
	}
}

static void mix_buffer(void)
{
	const uint32_t *word = (const uint32_t *)buffer;

	for (int i = 0; i < SIZE / 4; i++)
		if (word[i])
			mix(word[i] + (uint32_t)i);
}

#define LOAD(op, offset)                                                                        \
	{                                                                                       \
		uint32_t r;                                                                     \
		uint8_t *s = base;                                                              \
		__asm__ volatile(#op " %0, " #offset "(%1)" : "=&r"(r) : "r"(base) : "memory"); \
		mix(r);                                                                         \
		__asm__ volatile(#op " %0, " #offset "(%0)" : "+r"(s) : : "memory");            \
		mix((uint32_t)(uintptr_t)s);                                                    \
		__asm__ volatile(#op " x0, " #offset "(%1)\n mv %0, x0" : "=&r"(r) : "r"(base) : "memory"); \
		mix(r);                                                                         \
	}
#define STORE(op, offset)                                                                       \
	{                                                                                       \
		value = (value << 7 | value >> 25) + 0x01234567;                                \
		__asm__ volatile(#op " %0, " #offset "(%1)" : : "r"(value), "r"(base) : "memory"); \
	}
#define STORE_ZERO(op, offset) __asm__ volatile(#op " x0, " #offset "(%0)" : : "r"(base) : "memory");

#define OFFSETS4(X, op) X(op, 0) X(op, 4) X(op, 124) X(op, 128) X(op, 252) X(op, 256) X(op, 260) X(op, 2044) X(op, -4) \
	X(op, -128) X(op, -256) X(op, -260) X(op, -2048)
#define OFFSETS2(X, op) OFFSETS4(X, op) X(op, 2) X(op, 254) X(op, 2046) X(op, -2) X(op, -254)
#define OFFSETS1(X, op) OFFSETS2(X, op) X(op, 1) X(op, 255) X(op, 253) X(op, 2047) X(op, -1) X(op, -255) X(op, -257)

// Bases on both sides of page ends.
static uint8_t *base_of(int i, int width)
{
	static const int16_t delta[] = { 0, -4, 4, 252, 256, -256, 248 };

	return buffer + HALF + delta[i % 7] + (width < 4 ? i / 7 % (4 / width) * width : 0);
}

#define LOADS(op, OFFSETS, width)                               \
	static void test_##op(void)                             \
	{                                                       \
		fill();                                         \
		for (int i = 0; i < 28; i++) {                  \
			uint8_t *base = base_of(i, width);      \
			OFFSETS(LOAD, op)                       \
		}                                               \
		result(#op);                                    \
	}
#define STORES(op, OFFSETS, width)                              \
	static void test_##op(void)                             \
	{                                                       \
		uint32_t value = 0x89abcdef;                    \
		for (int i = 0; i < SIZE; i++)                  \
			buffer[i] = 0;                          \
		for (int i = 0; i < 28; i++) {                  \
			uint8_t *base = base_of(i, width);      \
			OFFSETS(STORE, op)                      \
			if (i % 5 == 0)                         \
				STORE_ZERO(op, 0)               \
			mix(*(uint32_t *)((uintptr_t)base & ~3u)); \
		}                                               \
		mix_buffer();                                   \
		result(#op);                                    \
	}

LOADS(lw, OFFSETS4, 4)
LOADS(lh, OFFSETS2, 2)
LOADS(lhu, OFFSETS2, 2)
LOADS(lb, OFFSETS1, 1)
LOADS(lbu, OFFSETS1, 1)
STORES(sw, OFFSETS4, 4)
STORES(sh, OFFSETS2, 2)
STORES(sb, OFFSETS1, 1)

#define ABSOLUTE_LOAD(op, symbol)                                                                                 \
	{                                                                                                         \
		uint32_t r;                                                                                       \
		__asm__ volatile("lui %0, %%hi(" #symbol ")\n " #op " %0, %%lo(" #symbol ")(%0)" : "=&r"(r) : : "memory"); \
		mix(r);                                                                                           \
	}
#define ABSOLUTE_STORE(op, symbol)                                                                                \
	{                                                                                                         \
		uint32_t r, v = 0xa5c3f00f ^ count;                                                               \
		__asm__ volatile("lui %0, %%hi(" #symbol ")\n " #op " %1, %%lo(" #symbol ")(%0)" : "=&r"(r) : "r"(v) : "memory"); \
	}

static void test_absolute(void)
{
	ABSOLUTE_LOAD(lw, initialised) ABSOLUTE_LOAD(lw, initialised + 8) ABSOLUTE_LOAD(lh, initialised + 2)
	ABSOLUTE_LOAD(lhu, initialised + 6) ABSOLUTE_LOAD(lb, initialised + 3) ABSOLUTE_LOAD(lbu, initialised + 9)
	ABSOLUTE_LOAD(lh, constant) ABSOLUTE_LOAD(lhu, constant + 10) ABSOLUTE_LOAD(lb, constant + 1)
	result("absolute load");
	for (int i = 0; i < SIZE; i++)
		buffer[i] = 0;
	ABSOLUTE_STORE(sw, buffer) ABSOLUTE_STORE(sw, buffer + 508) ABSOLUTE_STORE(sh, buffer + 6) ABSOLUTE_STORE(sb, buffer + 255)
	ABSOLUTE_STORE(sb, buffer + 256) ABSOLUTE_STORE(sh, buffer + 2558)
	mix_buffer();
	result("absolute store");
}

// An address whose upper part is read again after a low part was added to it, and one with an index in between.
static void test_shared_base(void)
{
	uint32_t r, s, t;

	for (uint32_t i = 0; i < 4; i++) {
		__asm__ volatile("lui %0, %%hi(initialised)\n lw %1, %%lo(initialised)(%0)\n add %0, %0, %3\n"
				 "lbu %2, %%lo(initialised)(%0)\n lbu %0, %%lo(initialised + 1)(%0)"
				 : "=&r"(r), "=&r"(s), "=&r"(t) : "r"(i) : "memory");
		mix(r);
		mix(s);
		mix(t);
	}
	__asm__ volatile("1: auipc %0, %%pcrel_hi(initialised)\n lw %1, %%pcrel_lo(1b)(%0)\n addi %0, %0, %%pcrel_lo(1b)\n lhu %2, 6(%0)\n lbu %0, 3(%0)"
			 : "=&r"(r), "=&r"(s), "=&r"(t) : : "memory");
	mix(r);
	mix(s);
	mix(t);
	result("shared base");
}

static void test_stack(void)
{
	for (int i = 0; i < EDGES; i++) {
		uint32_t a = edges[i], r, s, t;
		__asm__ volatile("addi sp, sp, -512\n sw %3, 0(sp)\n sw %3, 4(sp)\n sh x0, 4(sp)\n sb x0, 1(sp)\n sw %3, 252(sp)\n sw x0, 256(sp)\n"
				 "sw %3, 508(sp)\n lw %0, 0(sp)\n lw %1, 252(sp)\n add %0, %0, %1\n lw %1, 256(sp)\n lw %2, 508(sp)\n"
				 "add %1, %1, %2\n lhu %2, 6(sp)\n addi sp, sp, 512"
				 : "=&r"(r), "=&r"(s), "=&r"(t) : "r"(a) : "memory");
		mix(r);
		mix(s);
		mix(t);
	}
	result("sp-relative");
}

static void test(void)
{
	test_lw();
	test_lh();
	test_lhu();
	test_lb();
	test_lbu();
	test_sw();
	test_sh();
	test_sb();
	test_absolute();
	test_shared_base();
	test_stack();
}
