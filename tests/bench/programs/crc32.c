// SPDX-License-Identifier: ISC
//
// CRC-32 bit by bit over 256 bytes.
#include "bench.h"

uint32_t bench(void)
{
	uint32_t crc = 0xffffffff;

	for (unsigned i = 0; i < 256; i++) {
		crc ^= (uint8_t)(i * 7 + 3);
		for (uint8_t bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}
