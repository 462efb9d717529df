// SPDX-License-Identifier: ISC
//
// Calls a NULL function pointer: killed.
#include "insn.h"

static void test(void)
{
	put("before\n", 7);
	((void (*)(void))(uintptr_t)count)();
	put("after\n", 6);
}
