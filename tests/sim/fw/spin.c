// SPDX-License-Identifier: ISC
// Works for a while on memory and registers, as a load for measuring the simulator's speed.
#include "fw.h"

static volatile uint8_t mem[4096];

int main(void)
{
	uint32_t sum = 0;
	console_start();
	for (uint16_t round = 0; round < 600; round++)
		for (uint16_t i = 0; i < sizeof mem; i++)
			sum += mem[i] = (uint8_t)(sum ^ i);
	report("sum", sum);
	halt();
}
