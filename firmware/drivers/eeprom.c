// SPDX-License-Identifier: ISC
//
// The chip's EEPROM. See eeprom.h.

#include "drivers/eeprom.h"

#include <avr/io.h>
#include <util/atomic.h>

#include "kernel/clock.h"

bool eeprom_busy(void)
{
	return EECR & _BV(EEPE);
}

uint8_t eeprom_read(uint16_t at)
{
	EEAR = at;
	EECR |= _BV(EERE);
	return EEDR;
}

void eeprom_start(uint16_t at, uint8_t byte)
{
	if (eeprom_read(at) == byte)
		return;
	EEDR = byte;
	ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { // within four cycles
		EECR |= _BV(EEMPE);
		EECR |= _BV(EEPE);
	}
}

static void wait_until_done(void)
{
	uint16_t start = clock_ms();

	while (eeprom_busy() && (uint16_t)(clock_ms() - start) < EEPROM_MS)
		;
}

void eeprom_write(uint16_t at, uint8_t byte)
{
	wait_until_done();
	eeprom_start(at, byte);
	wait_until_done();
}
