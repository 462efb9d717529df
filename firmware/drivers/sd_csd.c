// SPDX-License-Identifier: ISC
//
// The card-specific data register: how large the card is (SD Physical Layer Simplified Specification, section 5.3).

#include "drivers/sd.h"

// Version 1.0: (C_SIZE + 1) x 2^(C_SIZE_MULT + 2) blocks of 2^READ_BL_LEN bytes (9 to 11).
static uint32_t sectors_v1(const uint8_t *csd)
{
	uint8_t length = csd[5] & 15;
	uint8_t multiplier = (uint8_t)((csd[9] & 3) << 1 | csd[10] >> 7);
	uint16_t size = (uint16_t)((csd[6] & 3) << 10 | csd[7] << 2 | csd[8] >> 6);

	if (length < 9 || length > 11)
		return 0;
	return (uint32_t)(size + 1) << (uint8_t)(multiplier + 2 + length - 9);
}

// Version 2.0: (C_SIZE + 1) x 512 KiB.
static uint32_t sectors_v2(const uint8_t *csd)
{
	uint32_t size = (uint32_t)(csd[7] & 0x3f) << 16 | (uint16_t)(csd[8] << 8 | csd[9]);

	return (size + 1) << 10;
}

uint32_t sd_csd_sectors(const uint8_t csd[16])
{
	switch (csd[0] >> 6) {
	case 0:
		return sectors_v1(csd);
	case 1:
		return sectors_v2(csd);
	default:
		return 0;
	}
}
