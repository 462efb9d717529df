// SPDX-License-Identifier: ISC
// CSD and CID: see sdregs.h.
#include "sdregs.h"

#include <string.h>

#include "crc.h"

static void size_v2(uint64_t sectors, uint8_t csd[16])
{
	uint32_t size = (uint32_t)(sectors / 1024);
	size = size ? size - 1 : 0;
	csd[0] = 0x40;
	csd[7] = (uint8_t)(size >> 16 & 0x3f);
	csd[8] = (uint8_t)(size >> 8);
	csd[9] = (uint8_t)size;
}

// Capacity = (C_SIZE + 1) << (C_SIZE_MULT + 2) blocks of 512 or, for 2 GiB, 1024 bytes.
static void size_v1(uint64_t sectors, uint8_t csd[16])
{
	unsigned mult = 0;
	while (mult < 7 && sectors >> (mult + 2) > 4096)
		mult++;
	unsigned len = sectors >> (mult + 2) > 4096 ? 10 : 9;
	uint32_t size = (uint32_t)(sectors >> (mult + 2 + len - 9));
	size = size ? size - 1 : 0;
	csd[5] = (uint8_t)(0x50 | len);
	csd[6] = (uint8_t)(0x80 | size >> 10);
	csd[7] = (uint8_t)(size >> 2);
	csd[8] = (uint8_t)(size << 6 | 0x2d);
	csd[9] = (uint8_t)(0xd8 | mult >> 1);
	csd[10] = (uint8_t)(0x7f | mult << 7);
	csd[12] = (uint8_t)(0x08 | len >> 2);
	csd[13] = (uint8_t)(len << 6);
}

void sd_csd(bool high, uint64_t sectors, uint8_t csd[16])
{
	static const uint8_t base[16] = { 0x00, 0x0e, 0x00, 0x32, 0x5b, 0x59, 0x00, 0x00,
					  0x00, 0x00, 0x7f, 0x80, 0x0a, 0x40, 0x00, 0x00 };
	memcpy(csd, base, 16);
	if (high)
		size_v2(sectors, csd);
	else
		size_v1(sectors, csd);
	csd[15] = crc7(csd, 15) | 1;
}

void sd_cid(uint8_t cid[16])
{
	static const uint8_t base[16] = { 0x4f, 'O', 'X', 'O', 'C', 'T', 'I', 'X', 0x10, 0, 0, 0, 1,
					  0x01, 0x8a, 0x00 };
	memcpy(cid, base, 16);
	cid[15] = crc7(cid, 15) | 1;
}
