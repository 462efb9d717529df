// SPDX-License-Identifier: ISC
//
// Panic. See panic.h.

#include "kernel/panic.h"

#include <avr/io.h>

#include "kernel/print.h"
#include "kernel/proc.h"

#define LONG_RETURN (FLASHEND > 0x1ffff) // return addresses have 3 bytes

static void print_registers(const uint8_t *regs)
{
	print(P("\nr1:r0, r3:r2 and so on"));
	for (uint8_t i = 0; i < 32; i += 2) {
		print(i & 15 ? P(" ") : P("\n"));
		print_hex((uint16_t)(regs[i + 1] << 8 | regs[i]));
	}
}

void panic(const uint8_t *saved)
{
	const uint8_t *regs = saved + 1, *back = regs + 32 + LONG_RETURN;
	const struct proc *p = self();

	GPIOR2 |= _BV(PRINT_NOW);
	print(P("\npanic: the kernel is broken at "));
	print_hex((uint16_t)(back[0] << 8 | back[1]));
	print(P(" (octix addr2line says where), sp "));
	print_hex((uint16_t)(uintptr_t)(back + 2));
	if (p) {
		print(P("\nprocess "));
		print_number(p->pid);
		print(P(", code page "));
		print_pc(&p->pc);
	}
	if (BOARD_HAS_WORDS)
		print_registers(regs);
	halt(P("\nSystem halted.\n"));
}
