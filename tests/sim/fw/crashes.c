// SPDX-License-Identifier: ISC
// One of several ways to go wrong, chosen with -DHOW=name at compile time.
#include "fw.h"

void bad_opcode(void) { __asm__ volatile(".word 0x0001"); }
void erased_flash(void) { ((void (*)(void))0x8000)(); }
void beyond_sram(void) { *(volatile uint8_t *)0x8000 = 1; }
void lost_stack(void) { __asm__ volatile("out __SP_H__, r1\n\tout __SP_L__, r1\n\tpush r1"); }
void spm_outside(void) { __asm__ volatile("spm"); }
void forever(void) { for (;;) ; }
void collide(void)
{
	spi_start();
	SPDR = 1;
	SPDR = 2;
}

int main(void)
{
	console_start();
	print("start\r\n");
	HOW();
	halt();
}
