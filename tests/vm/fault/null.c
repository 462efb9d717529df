// SPDX-License-Identifier: ISC
//
// Reads through a NULL pointer: killed.
#include "insn.h"

static void test(void)
{
	volatile uint32_t *null = (uint32_t *)count;

	put("before\n", 7);
	mix(null[3]);
	put("after\n", 6);
}
