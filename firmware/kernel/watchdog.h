// SPDX-License-Identifier: ISC
//
// The watchdog: resets the machine when the kernel has made no progress for 4 seconds. Progress is each time slice that ends in the
// kernel, each millisecond of sleep, each command to the card, and each byte that leaves by a serial line.
// Boards whose boot loaders leave it running and loop on it do without (BOARD_WATCHDOG).
#ifndef OCTIX_WATCHDOG_H
#define OCTIX_WATCHDOG_H

#include <stdint.h>

// Starts the watchdog, before the clock. After a reset by it: how many milliseconds after boot; else 0.
uint32_t watchdog_start(void);

// Resets the machine, on purpose.
void restart(void) __attribute__((noreturn));

// In kernels for tests only (BOARD_HAS_TEST): `mark` breaks something.
void test_mark(uint8_t n);

#endif
