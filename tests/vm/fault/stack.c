// SPDX-License-Identifier: ISC
//
// Runs out of stack: killed.
#include "insn.h"

static __attribute__((noinline)) uint32_t deep(uint32_t n)
{
	volatile uint32_t local[8];

	for (uint32_t i = 0; i < 8; i++)
		local[i] = n + i;
	return n == 0xffffffff ? 0 : deep(n + 1) + local[3];
}

// Data up to just below the stack, so that no heap lies between.
static uint8_t large[55000];

static void test(void)
{
	put("before\n", 7);
	large[54999] = 1;
	mix(deep(0));
	put("after\n", 6);
}
