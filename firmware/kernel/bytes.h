// SPDX-License-Identifier: ISC
//
// Devices that are arrays of bytes (bytes.c). Each is one function of its own part; what the bytes mean stands in userland/DEVICES.md.
#ifndef OCTIX_BYTES_H
#define OCTIX_BYTES_H

#include <stdint.h>

#include "drivers/eeprom.h"

// The byte at this index, or BYTE (0 to 255) put there: 0 to 255, or -OX_E*, or AGAIN: not yet.
typedef int16_t bytes_function(uint16_t at, int16_t byte);
#define BYTES_READ (-1)

bytes_function mem_at, eeprom_at, gpio_at, adc_at;

#define MEM_SIZE    BOARD_RAM_END  // the chip's data space: registers and SRAM
#define EEPROM_SIZE EEPROM_CLOCK   // but for the clock's bytes
#define GPIO_SIZE   (8 * sizeof (const uint8_t[]){ BOARD_PINS_TAKEN })
#define ADC_SIZE    (2 * BOARD_ADC_CHANNELS)

#endif
