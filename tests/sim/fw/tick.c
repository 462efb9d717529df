// SPDX-License-Identifier: ISC
// Timer 1 in CTC mode, 25 counts of 64 cycles: the handler marks each tick; first asleep, then awake.
#include "fw.h"

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect) { GPIOR0 = ++ticks; }

int main(void)
{
	console_start();
	put('.');
	OCR1A = 24;
	TIMSK1 = _BV(OCIE1A);
	TCCR1B = _BV(WGM12) | _BV(CS11) | _BV(CS10);
	SMCR = _BV(SE);
	sei();
	while (ticks < 10)
		__asm__ volatile("sleep");
	while (ticks < 20)
		;
	halt();
}
