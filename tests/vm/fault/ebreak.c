// SPDX-License-Identifier: ISC
//
// ebreak: killed.
#include "insn.h"

static void test(void)
{
	put("before\n", 7);
	__asm__ volatile("ebreak");
	put("after\n", 6);
}
