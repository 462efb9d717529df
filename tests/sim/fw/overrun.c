// SPDX-License-Identifier: ISC
// Lets input run over: reads nothing until six bytes have come, then all that is left.
#include "fw.h"

int main(void)
{
	console_start();
	print("go\r\n");
	for (uint32_t i = 0; i < 30000; i++)
		__asm__ volatile("nop");
	while (UCSR0A & _BV(RXC0)) {
		uint8_t dor = UCSR0A & _BV(DOR0);
		uint8_t c = UDR0;
		put((char)c);
		put(dor ? '!' : '.');
	}
	print("\r\n");
	halt();
}
