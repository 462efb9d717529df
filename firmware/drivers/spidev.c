// SPDX-License-Identifier: ISC
//
// /dev/spi: other devices at the card's bus. The position says which and how: bits 0 to 7 the pin that selects it (numbered as in /dev/gpio),
// 8 and 9 the SPI mode, 10 and 11 the clock: F_CPU / 4, 16, 64, 128. A read sends what is in its buffer and puts what comes back there.

#include <avr/io.h>

#include <octix/errno.h>

#include "drivers/sd.h"
#include "drivers/sd_bus.h"
#include "kernel/bus.h"
#include "kernel/bytes.h"
#include "kernel/node.h"
#include "vm/frames.h"

int16_t spi_transfer(struct open *o, uint8_t *buf, uint8_t n, bool read)
{
	uint16_t how = (uint16_t)o->file->pos;
	uint8_t control = SPCR, doubled = SPSR, pin = (uint8_t)how;
	int16_t result;

	if (o->file->pos > 0x0fff || pin >= GPIO_SIZE)
		return -OX_EINVAL;
	result = gpio_at(pin, '3');
	if (result < 0)
		return result;
	card_free(); // takes the block that is on its way
	if (sd_flush())
		return -OX_EIO;
	SPCR = _BV(SPE) | _BV(MSTR) | (uint8_t)(how >> 8 & 3) << CPHA | (uint8_t)(how >> 10 & 3);
	SPSR = 0;
	gpio_at(pin, '2');
	for (uint8_t i = 0; i < n; i++) {
		uint8_t in = sd_byte(buf[i]);

		if (read)
			buf[i] = in;
	}
	gpio_at(pin, '3');
	SPCR = control;
	SPSR = doubled;
	return n;
}
