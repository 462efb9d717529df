// SPDX-License-Identifier: ISC
//
// /dev/adc: two bytes a channel, the lower first: 0 to 1023, of the supply voltage. Reading the lower byte measures (0.1 ms).

#include <avr/io.h>

#include "kernel/bytes.h"

#define LOOKS 4096 // at the end of a measurement, which takes 3,200 cycles: only where the converter has no clock are they not enough

int16_t adc_at(uint16_t at, int16_t byte)
{
	static uint8_t upper;
	uint8_t channel = (uint8_t)at >> 1;

	(void)byte; // nobody writes
	if (at & 1)
		return upper;
	ADMUX = _BV(REFS0) | (channel & 7);
	ADCSRB = channel & 8; // MUX5, where there are more than 8
	ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
	for (uint16_t n = 0; ADCSRA & _BV(ADSC) && n < LOOKS; n++)
		;
	channel = ADCL;
	upper = ADCH;
	return channel;
}
