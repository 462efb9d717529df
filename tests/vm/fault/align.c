// SPDX-License-Identifier: ISC
//
// A misaligned load: the low address bits are ignored; oxrun tells of it, with --strict it kills.
#include "insn.h"

static void test(void)
{
	volatile uint32_t words[2] = { 0x11223344, 0x55667788 };
	uintptr_t at = (uintptr_t)words;

	__asm__ volatile("" : "+r"(at));
	line("word", *(volatile uint32_t *)(at + 1), *(volatile uint16_t *)(at + 7));
}
