// SPDX-License-Identifier: ISC
//
// What sd.c uses of sd_xfer.S.
#ifndef OCTIX_SD_BUS_H
#define OCTIX_SD_BUS_H

// Results of sd_read_fast beside 0 and a bad R1 (0xff: no answer).
#define SD_DAMAGED  0x7d // CRC error
#define SD_NO_TOKEN 0x7e // an error token instead of the block
#define SD_WAITING  0x7f // no token yet: it is to be waited for, and then the data be taken

#ifndef __ASSEMBLER__

#include <stdint.h>

// Exchanges one byte at any SPI speed.
uint8_t sd_byte(uint8_t out);

// Sends a command frame of six bytes with its CRC7 and waits for R1 (section 7.3.1.1). 0xff: no answer.
uint8_t sd_frame(uint8_t command, uint32_t argument);

// The 512 bytes and the CRC16 after a start token, at F_CPU / 2 only. Not 0: CRC error. Sets sd_crc.
uint8_t sd_data_in(uint8_t *buf, uint8_t half);

// CMD17 as a whole, at F_CPU / 2 only, to a card that is not busy. Selects the card and leaves it selected.
uint8_t sd_read_fast(uint32_t argument, uint8_t *buf, uint8_t half);

// 512 bytes and their CRC16 after a start token, at F_CPU / 2 only.
void sd_data_out(const uint8_t *buf, uint8_t half);

#endif
#endif
