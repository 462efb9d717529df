// SPDX-License-Identifier: ISC
//
// /dev/i2c: the chip's two-wire interface as the only master, 100 kHz. The position is the 7-bit address of a device; a read or write is one
// transfer with start and stop, of 124 bytes at most. Data sheet, "2-wire Serial Interface", master modes.

#include <avr/io.h>

#include <octix/errno.h>

#include "kernel/bus.h"
#include "kernel/clock.h"
#include "kernel/node.h"
#include "kernel/slots.h"
#include "kernel/user.h"

enum { // status codes
	STARTED = 0x08, ADDRESSED_WRITE = 0x18, WRITTEN = 0x28, ADDRESSED_READ = 0x40, NO_WRITER = 0x20, NO_READER = 0x48,
};

#define ON      (_BV(TWINT) | _BV(TWEN))
#define STEP_MS 20 // a device may hold the clock for so long

// One step of the transfer. Its status; 0: it does not end.
static uint8_t step(uint8_t how)
{
	uint16_t start = clock_ms();

	TWCR = ON | how;
	while (!(TWCR & _BV(TWINT)))
		if ((uint16_t)(clock_ms() - start) > STEP_MS)
			return 0;
	return TWSR & 0xf8;
}

static uint8_t send(uint8_t byte)
{
	TWDR = byte;
	return step(0);
}

// Bytes done, or -OX_E*.
static int16_t transfer(uint8_t address, uint8_t *buf, uint8_t n, bool read)
{
	uint8_t status, i;

	if (step(_BV(TWSTA)) != STARTED)
		return -OX_EIO;
	status = send((uint8_t)(address << 1 | read));
	if (status == NO_WRITER || status == NO_READER)
		return -OX_ENXIO;
	if (status != (read ? ADDRESSED_READ : ADDRESSED_WRITE))
		return -OX_EIO;
	for (i = 0; i < n; i++) {
		if (!read && send(buf[i]) != WRITTEN)
			break;
		if (read) {
			if (!step(i + 1 < n ? _BV(TWEA) : 0))
				return -OX_EIO;
			buf[i] = TWDR;
		}
	}
	return n && !i ? -OX_EIO : i;
}

int16_t i2c_transfer(struct open *o, uint8_t *buf, uint8_t n, bool read)
{
	uint32_t address = o->file->pos;
	int16_t result;

	if (address > 127)
		return -OX_EINVAL;
	TWBR = (F_CPU / 100000 - 16) / 2;
	TWSR = 0;
	result = transfer((uint8_t)address, buf, n, read);
	TWCR = ON | _BV(TWSTO);
	for (uint8_t i = 0; i < 255 && TWCR & _BV(TWSTO); i++)
		;
	TWCR = 0;
	return result;
}
