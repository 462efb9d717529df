// SPDX-License-Identifier: ISC
//
// EEPROM: bytes that are written at once.

#include "drivers/eeprom.h"

static uint8_t bytes[BOARD_EEPROM]; // inverted, so that it is erased at the start

bool eeprom_busy(void)
{
	return false;
}

uint8_t eeprom_read(uint16_t at)
{
	return (uint8_t)~bytes[at];
}

void eeprom_start(uint16_t at, uint8_t byte)
{
	bytes[at] = (uint8_t)~byte;
}

void eeprom_write(uint16_t at, uint8_t byte)
{
	eeprom_start(at, byte);
}
