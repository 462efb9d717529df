// SPDX-License-Identifier: ISC
//
// Writes to read-only data: killed.
#include "insn.h"

static void test(void)
{
	put("before\n", 7);
	*(volatile uint32_t *)&edges[2] = 1;
	put("after\n", 6);
}
