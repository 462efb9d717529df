// SPDX-License-Identifier: ISC
//
// What sd.c uses of sd_xfer.S.
#ifndef OCTIX_SD_BUS_H
#define OCTIX_SD_BUS_H

#include <stdint.h>

// Exchanges one byte at any SPI speed.
uint8_t sd_byte(uint8_t out);

// Sends a command frame of six bytes with its CRC7 and waits for R1 (section 7.3.1.1). 0xff: no answer.
uint8_t sd_frame(uint8_t command, uint32_t argument);

// The 512 bytes and the CRC16 after a start token, at F_CPU / 2 only. Not 0: CRC error. Sets sd_crc.
uint8_t sd_data_in(uint8_t *buf, uint8_t half);

// 512 bytes and their CRC16 after a start token, at F_CPU / 2 only.
void sd_data_out(const uint8_t *buf, uint8_t half);

#endif
