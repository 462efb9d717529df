// SPDX-License-Identifier: ISC
//
// Time, from timer 1 and the tick's counter.

#include "kernel/clock.h"

#include <avr/io.h>
#include <util/atomic.h>

#include "kernel/param.h"
#include "vm/vm.h"

#define CYCLES_PER_MS (BOARD_F_CPU / 1000)
#define WALL_START    1767225600ul // 2026-01-01

extern uint8_t slice_left; // milliseconds, in tick.S

void clock_init(void)
{
	slice_left = SLICE_MS;
	OCR1A = CYCLES_PER_MS - 1;
	TCCR1B = _BV(WGM12) | _BV(CS10);
	TIMSK1 = _BV(OCIE1A);
}

uint32_t clock_uptime(void)
{
	uint32_t ms;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) ms = tick_ms;
	return ms;
}

uint16_t clock_ms(void)
{
	uint16_t ms;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) ms = (uint16_t)tick_ms;
	return ms;
}

uint32_t clock_cycles(void)
{
	uint32_t ms;
	uint16_t count;

	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
		count = TCNT1;
		ms = tick_ms;
		if (TIFR1 & _BV(OCF1A)) { // the tick is due and could not come yet
			count = TCNT1;
			ms++;
		}
	}
	return ms * CYCLES_PER_MS + count;
}

uint32_t clock_wall(void)
{
	return WALL_START + clock_uptime() / 1000;
}
