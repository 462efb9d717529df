// SPDX-License-Identifier: ISC
// Reads one block whose number comes from the console, between two marks.
#include "fw.h"

static uint32_t number(void)
{
	uint32_t v = 0;
	for (;;) {
		while (!(UCSR0A & _BV(RXC0)))
			;
		uint8_t c = UDR0;
		if (c < '0' || c > '9')
			return v;
		v = v * 10 + c - '0';
	}
}

int main(void)
{
	console_start();
	uint32_t lba = number();
	spi_start();
	spi_slow();
	power_up_clocks();
	report("failed", card_start());
	GPIOR0 = 1;
	report("token", read_block(lba));
	GPIOR0 = 2;
	halt();
}
