// SPDX-License-Identifier: ISC
//
// Conditional branches, near and far, forwards and backwards, with x0 on either side.
#include "insn.h"

// About 330 bytes of bytecode, so that what lies around it cannot be in one page.
#define FILLER ".rept 66\n addi %0, %0, 1000\n .endr\n"

#define NEAR(op, x, y) __asm__ volatile("li %0, 1\n " #op " " x ", " y ", 1f\n li %0, 0\n1:" : "=&r"(r) : "r"(a), "r"(b)); mix(r);
#define FAR(op, x, y) \
	__asm__ volatile("li %0, 1\n " #op " " x ", " y ", 1f\n" FILLER "1:" : "=&r"(r) : "r"(a), "r"(b)); mix(r);
#define BACK(op, x, y)                                                                                        \
	__asm__ volatile("li %0, 1\n j 2f\n1: addi %0, %0, 7\n j 3f\n2: " #op " " x ", " y ", 1b\n3:"        \
			 : "=&r"(r) : "r"(a), "r"(b));                                                        \
	mix(r);
#define FAR_BACK(op, x, y)                                                                                    \
	__asm__ volatile("li %0, 1\n j 2f\n1: addi %0, %0, 7\n j 3f\n" FILLER "2: " #op " " x ", " y ", 1b\n3:" \
			 : "=&r"(r) : "r"(a), "r"(b));                                                        \
	mix(r);

#define BRANCH(op)                                                       \
	static __attribute__((noinline)) void near_##op(uint32_t a, uint32_t b) \
	{                                                                \
		uint32_t r;                                              \
		NEAR(op, "%1", "%2")                                     \
		NEAR(op, "%1", "x0")                                     \
		NEAR(op, "x0", "%2")                                     \
		NEAR(op, "%1", "%1")                                     \
		NEAR(op, "x0", "x0")                                     \
		BACK(op, "%1", "%2")                                     \
		BACK(op, "%1", "x0")                                     \
	}                                                                \
	static __attribute__((noinline)) void far_##op(uint32_t a, uint32_t b) \
	{                                                                \
		uint32_t r;                                              \
		FAR(op, "%1", "%2")                                      \
		FAR(op, "%1", "x0")                                      \
		FAR(op, "x0", "%2")                                      \
		FAR_BACK(op, "%1", "%2")                                 \
		FAR_BACK(op, "%1", "x0")                                 \
	}                                                                \
	static void test_##op(void)                                      \
	{                                                                \
		for (int i = 0; i < EDGES; i++)                          \
			for (int j = 0; j < EDGES; j++)                  \
				near_##op(edges[i], edges[j]);           \
		result(#op);                                             \
		for (int i = 0; i < EDGES; i += 2)                       \
			for (int j = 0; j < EDGES; j += 3)               \
				far_##op(edges[i], edges[j]);            \
		result(#op " far");                                      \
	}

BRANCH(beq)
BRANCH(bne)
BRANCH(blt)
BRANCH(bge)
BRANCH(bltu)
BRANCH(bgeu)

// Branches every few bytes across several pages: each place of a page is a source and a target once.
static void test_dense(void)
{
	for (uint32_t a = 0; a < 8; a++) {
		uint32_t r = a;

		__asm__ volatile(".rept 120\n andi %1, %0, 1\n beqz %1, 1f\n addi %0, %0, 3\n1: srli %1, %0, 1\n add %0, %0, %1\n .endr"
				 : "+r"(r), "=&r"(a) : : );
		mix(r);
		a = r & 7;
		if (count > 40)
			break;
	}
	result("dense");
}

static void test(void)
{
	test_beq();
	test_bne();
	test_blt();
	test_bge();
	test_bltu();
	test_bgeu();
	test_dense();
}
