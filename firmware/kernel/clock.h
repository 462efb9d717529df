// SPDX-License-Identifier: ISC
//
// Time: timer 1 counts CPU cycles and interrupts once a millisecond (tick.S).
#ifndef OCTIX_CLOCK_H
#define OCTIX_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct oct_time;

// Starts the tick. Interrupts may be off; they must be on for time to pass.
void clock_init(void);

// Milliseconds, free-running mod 65536: for deadlines up to 32 s.
uint16_t clock_ms(void);

// Milliseconds since boot, mod 2^32: 49 days.
uint32_t clock_uptime(void);

// CPU cycles since boot, mod 2^32.
uint32_t clock_cycles(void);

// The wall clock, or the time since boot, which does not wrap: enum oct_clock.
void clock_get(struct oct_time *t, uint8_t clock);

// Sets the wall clock, and keeps it (clock_save).
void clock_set(const struct oct_time *t);

// Wall clock: seconds since 1970-01-01 UTC. It goes on from where it was kept; from 2026-01-01 where none is.
uint32_t clock_wall(void);

// Keeps the wall clock in EEPROM, for the next boot. Takes up to 30 ms; interrupts are on.
void clock_save(void);

#endif
