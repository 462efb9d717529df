// SPDX-License-Identifier: ISC
//
// CRC16-CCITT as avr-libc's _crc_xmodem_update, for tests on a host.
#ifndef HOST_CRC16_H
#define HOST_CRC16_H

#include <stdint.h>

static inline uint16_t _crc_xmodem_update(uint16_t crc, uint8_t byte)
{
	crc ^= (uint16_t)(byte << 8);
	for (int i = 0; i < 8; i++)
		crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
	return crc;
}

#endif
