// SPDX-License-Identifier: ISC
//
// The chip's EEPROM: BOARD_EEPROM bytes, each good for some 100,000 writes. A write takes 3.4 ms, in which the CPU goes on.
#ifndef OCTIX_EEPROM_H
#define OCTIX_EEPROM_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

// The last bytes are the clock's (kernel/clock.c), those before are for programs.
#define EEPROM_CLOCK_BYTES 8
#define EEPROM_CLOCK       (BOARD_EEPROM - EEPROM_CLOCK_BYTES)

// Is a write going on? For so many milliseconds at the most.
#define EEPROM_MS 10
bool eeprom_busy(void);

// One byte, when no write is going on.
uint8_t eeprom_read(uint16_t at);

// Begins to write a byte, when no write is going on; nothing where it is already what it shall be.
void eeprom_start(uint16_t at, uint8_t byte);

// Waits for the write before, if any, and begins this one. Interrupts are on.
void eeprom_write(uint16_t at, uint8_t byte);

#endif
