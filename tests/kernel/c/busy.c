// SPDX-License-Identifier: ISC
//
// Computes for ever, in one page of code and one of stack.
#include <stdint.h>

int main(void)
{
	volatile uint32_t x = 1;

	for (;;)
		x = x * 1664525 + 1013904223;
}
