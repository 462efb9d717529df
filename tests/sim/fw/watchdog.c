// SPDX-License-Identifier: ISC
// Resets itself by the watchdog once; SRAM and the cause of the reset survive.
#include "fw.h"

#include <avr/wdt.h>

static volatile uint8_t kept __attribute__((section(".noinit")));

int main(void)
{
	uint8_t cause = MCUSR;
	MCUSR = 0;
	wdt_disable();
	console_start();
	report("cause", cause);
	if (cause & _BV(WDRF)) {
		report("kept", kept);
		halt();
	}
	kept = 77;
	wdt_enable(WDTO_15MS);
	for (;;)
		;
}
