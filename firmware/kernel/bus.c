// SPDX-License-Identifier: ISC
//
// /dev/i2c and /dev/spi: see bus.h.

#include "kernel/bus.h"

#include <avr/pgmspace.h>

#include <octix/errno.h>

#include "kernel/node.h"
#include "kernel/part.h"
#include "kernel/slots.h"
#include "kernel/user.h"

static bus_function *const buses[] PROGMEM = {
	PART(BOARD_HAS_I2C, [OPEN_I2C - OPEN_I2C] = i2c_transfer)
	PART(BOARD_HAS_SPI, [OPEN_SPI - OPEN_I2C] = spi_transfer)
};

static NOINLINE int16_t move(struct open *o, uint16_t va, uint16_t n, bool read)
{
	uint8_t *buf = (uint8_t *)PATH_A;
	int16_t result;

	if (n > BUS_MAX)
		fail(-OX_EINVAL);
	if (read && !n)
		return 0;
	check(copy_in(self()->space, buf, va, n)); // of a read, too: then the page is there
	result = ((bus_function *)pgm_read_ptr(&buses[o->kind - OPEN_I2C]))(o, buf, (uint8_t)n, read);
	if (read && result > 0)
		give(va, buf, (uint16_t)result);
	return result;
}

int16_t bus_read(struct open *o, uint16_t va, uint16_t n)
{
	return move(o, va, n, true);
}

int16_t bus_write(struct open *o, uint16_t va, uint16_t n)
{
	return move(o, va, n, false);
}
