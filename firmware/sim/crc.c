// SPDX-License-Identifier: ISC
// CRC7 bit by bit (six bytes a command), CRC16 by table (512 bytes a block).
#include "crc.h"

uint8_t crc7(const uint8_t *p, size_t n)
{
	uint8_t crc = 0;
	while (n--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = (uint8_t)(crc & 0x80 ? (crc << 1) ^ 0x12 : crc << 1);
	}
	return crc;
}

static uint16_t crc16_bits(uint16_t crc)
{
	for (int i = 0; i < 8; i++)
		crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
	return crc;
}

uint16_t crc16(const uint8_t *p, size_t n)
{
	static uint16_t table[256];
	uint16_t crc = 0;
	if (!table[1])
		for (unsigned i = 0; i < 256; i++)
			table[i] = crc16_bits((uint16_t)(i << 8));
	while (n--)
		crc = (uint16_t)((crc << 8) ^ table[(crc >> 8) ^ *p++]);
	return crc;
}
