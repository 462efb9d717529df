// SPDX-License-Identifier: ISC
//
// In kernels for tests only: what breaks the kernel, by `mark`.

#include <avr/interrupt.h>
#include <avr/io.h>

#include "kernel/panic.h"
#include "kernel/watchdog.h"
#include "vm/frames.h"
#include "vm/pool.h"

enum { HANG = 250, HANG_DEAF, PUT_TWICE, LARGE_STACK, INTERRUPT };

void test_mark(uint8_t n)
{
	if (n == HANG_DEAF)
		cli();
	if (n == PUT_TWICE)
		block_put(pool_memory);
	if (n == LARGE_STACK)
		*(volatile uint8_t *)&stack_guard = 0;
	if (n == INTERRUPT)
		TIMSK0 = _BV(TOIE0), TCCR0B = _BV(CS00);
	while (n == HANG || n == HANG_DEAF)
		;
}
