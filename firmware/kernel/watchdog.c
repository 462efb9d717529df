// SPDX-License-Identifier: ISC
//
// The watchdog. tick_ms survives a reset and tells afterwards how long the kernel ran; restart() sets it to 0, and no watchdog comes
// within the first millisecond.

#include "kernel/watchdog.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "board.h"
#include "vm/vm.h"

uint32_t watchdog_start(void)
{
	uint8_t cause = GPIOR2 & (_BV(PORF) | _BV(EXTRF) | _BV(BORF) | _BV(WDRF)); // start.S

	if (BOARD_WATCHDOG)
		wdt_enable(WDTO_4S);
	return cause == _BV(WDRF) ? tick_ms : 0;
}

void restart(void)
{
	cli();
	tick_ms = 0;
	wdt_enable(WDTO_15MS);
	for (;;)
		;
}
