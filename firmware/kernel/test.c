// SPDX-License-Identifier: ISC
//
// In kernels for tests only: what breaks the kernel, by `mark`.

#include <avr/interrupt.h>

#include "kernel/watchdog.h"

enum { HANG = 250, HANG_DEAF };

void test_mark(uint8_t n)
{
	if (n == HANG_DEAF)
		cli();
	while (n == HANG || n == HANG_DEAF)
		;
}
