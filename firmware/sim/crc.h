// SPDX-License-Identifier: ISC
// The two checksums of SD cards (SD Physical Layer Simplified Specification, section 4.5).
#ifndef SIM_CRC_H
#define SIM_CRC_H

#include <stddef.h>
#include <stdint.h>

// CRC7 of bytes, x^7 + x^3 + 1, in bits 7..1; bit 0 is 0.
uint8_t crc7(const uint8_t *p, size_t n);

// CRC16 CCITT of bytes, x^16 + x^12 + x^5 + 1, start value 0.
uint16_t crc16(const uint8_t *p, size_t n);

#endif
