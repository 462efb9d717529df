// SPDX-License-Identifier: ISC
//
// /dev/mem: the chip's data space. Reading some registers changes them.

#include "kernel/bytes.h"

int16_t mem_at(uint16_t at, int16_t byte)
{
	volatile uint8_t *p = (volatile uint8_t *)(uintptr_t)at;

	if (byte < 0)
		return *p;
	*p = (uint8_t)byte;
	return 0;
}
