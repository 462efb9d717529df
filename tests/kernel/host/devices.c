// SPDX-License-Identifier: ISC
//
// In place of the chip's devices in /dev: plain memory for bytes, one device at the I2C bus, and MISO wired to MOSI.

#include <octix/errno.h>

#include "fs/fs.h"
#include "kernel/bus.h"
#include "kernel/bytes.h"

enum { I2C_DEVICE = 0x50, TAKEN_PINS = 6 };

static int16_t byte_of(uint8_t *bytes, uint16_t at, int16_t byte)
{
	if (byte < 0)
		return bytes[at];
	bytes[at] = (uint8_t)byte;
	return 0;
}

int16_t mem_at(uint16_t at, int16_t byte)
{
	static uint8_t bytes[MEM_SIZE];

	return byte_of(bytes, at, byte);
}

int16_t gpio_at(uint16_t at, int16_t byte)
{
	static uint8_t digits[GPIO_SIZE];

	if (byte >= 0 && (byte < '0' || byte > '3'))
		return -OX_EINVAL;
	if (byte >= 0 && at < TAKEN_PINS)
		return -OX_EBUSY;
	return byte_of(digits, at, byte) | (byte < 0 ? '0' : 0);
}

int16_t adc_at(uint16_t at, int16_t byte)
{
	(void)byte;
	return at & 1 ? 0 : at >> 1;
}

int16_t i2c_transfer(struct open *o, uint8_t *buf, uint8_t n, bool read)
{
	uint32_t address = o->file->pos;

	for (uint8_t i = 0; read && i < n; i++)
		buf[i] = i;
	return address == I2C_DEVICE ? n : address < 0x80 ? -OX_ENXIO : -OX_EINVAL;
}

int16_t spi_transfer(struct open *o, uint8_t *buf, uint8_t n, bool read)
{
	(void)buf;
	(void)read;
	return o->file->pos < GPIO_SIZE ? n : -OX_EINVAL;
}
