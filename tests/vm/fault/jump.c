// SPDX-License-Identifier: ISC
//
// Jumps to a number: killed.
#include "insn.h"

static void test(void)
{
	put("before\n", 7);
	((void (*)(void))(uintptr_t)(count + 0x12345678))();
	put("after\n", 6);
}
