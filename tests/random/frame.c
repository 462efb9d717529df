// SPDX-License-Identifier: ISC
//
// The frame of a random program: runs it, writes its memory and the hash of its results. Built for Octix and, with -DLINUX, for
// qemu-riscv32, as are the string functions of plain.c, where the native bytecodes do not serve.
#include "frame.h"

#include "../vm/insn/insn.h"

void record(uint32_t v)
{
	mix(v);
}

static void test(void)
{
	program();
	put(frame.data, frame.bytes);
	result("random");
}
