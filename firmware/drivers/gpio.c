// SPDX-License-Identifier: ISC
//
// /dev/gpio: a byte a pin, port A first. It is a digit: bit 0 the level, bit 1: the pin is an output. Written to an input, bit 0 is the
// pull-up. Pins of the card and the serial lines can be read only.

#include <avr/io.h>
#include <avr/pgmspace.h>

#include <octix/errno.h>

#include "kernel/bytes.h"

static const uint8_t taken[] PROGMEM = { BOARD_PINS_TAKEN };

enum { PIN, DDR, PORT, REGISTERS }; // of a port

// Ports A to G lie from 0x20 on, H to L (there is no I) from 0x100.
static volatile uint8_t *registers(uint8_t port)
{
	return (volatile uint8_t *)(port < 7 ? 0x20 + REGISTERS * port : 0x100 - REGISTERS * 7 + REGISTERS * port);
}

static void set(volatile uint8_t *reg, uint8_t bit, uint8_t on)
{
	if (on)
		*reg |= bit;
	else
		*reg &= (uint8_t)~bit;
}

int16_t gpio_at(uint16_t at, int16_t byte)
{
	uint8_t port = (uint8_t)at >> 3, bit = (uint8_t)(1 << (at & 7)), digit = '0';
	volatile uint8_t *r = registers(port);

	if (byte >= 0) {
		if (byte < '0' || byte > '3')
			return -OX_EINVAL;
		if (pgm_read_byte(&taken[port]) & bit)
			return -OX_EBUSY;
		if (!(byte & 2))
			set(r + DDR, bit, 0);
		set(r + PORT, bit, byte & 1);
		if (byte & 2)
			set(r + DDR, bit, 1);
		return 0;
	}
	if (r[PIN] & bit)
		digit |= 1;
	if (r[DDR] & bit)
		digit |= 2;
	return digit;
}
