// SPDX-License-Identifier: ISC
//
// /dev/eeprom. While a byte is being written others run.

#include "kernel/bytes.h"
#include "kernel/user.h"

int16_t eeprom_at(uint16_t at, int16_t byte)
{
	if (eeprom_busy())
		return AGAIN;
	if (byte < 0)
		return eeprom_read(at);
	eeprom_start(at, (uint8_t)byte);
	return 0;
}
