// SPDX-License-Identifier: ISC
//
// Time: timer 1 counts CPU cycles and interrupts once a millisecond (tick.S).
#ifndef OCTIX_CLOCK_H
#define OCTIX_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

// Starts the tick. Interrupts may be off; they must be on for time to pass.
void clock_init(void);

// Milliseconds, free-running mod 65536: for deadlines up to 32 s.
uint16_t clock_ms(void);

// Milliseconds since boot, mod 2^32.
uint32_t clock_uptime(void);

// CPU cycles since boot, mod 2^32.
uint32_t clock_cycles(void);

// Wall clock: seconds since 1970-01-01 UTC; counts from 2026-01-01 until it is set.
uint32_t clock_wall(void);

#endif
