// SPDX-License-Identifier: ISC
//
// What sd.c uses of sd_xfer.S.
#ifndef OCTIX_SD_BUS_H
#define OCTIX_SD_BUS_H

// sd_token: the start token; a bad R1, whose upper bit is 0 (0x7f: no answer); or:
// When a byte has come in place of SD_WAITING, the next one is on its way. At a slow bus there is no waiting but in sd_start.
#define SD_WAITING  0xff // nothing yet
#define SD_BUSY     0x00 // the card was busy still when sd_write returned
#define SD_DAMAGED  0x08 // CRC error, as in R1
#define SD_NO_TOKEN 0x20 // an error token, or nothing in time

#ifndef __ASSEMBLER__

#include <stdint.h>

// Exchanges one byte at any SPI speed.
uint8_t sd_byte(uint8_t out);

// Sends a command frame of six bytes with its CRC7 and waits for R1 (section 7.3.1.1). 0xff: no answer.
uint8_t sd_frame(uint8_t command, uint32_t argument);

// The rest is for F_CPU / 2 only.

extern uint8_t sd_by_block; // addresses count blocks (SDHC, SDXC), else bytes
extern uint32_t sd_argument; // of the last read or write: number of a block, or of a byte

// What sd_start, sd_finish and sd_write go on to when it is not as simple as it mostly is. response: what
// sd_write_fast has given, 0: nothing yet.
void sd_start_slowly(uint32_t argument);
int8_t sd_finish_slowly(uint8_t *buf, uint8_t half);
int8_t sd_write_slowly(const uint8_t *buf, uint8_t half, uint8_t response);

// sd_start for a card that is not busy, by the argument of the command.
void sd_start_at(uint32_t argument);

// The 512 bytes and the CRC16 after a start token, the first byte being on its way since 5 cycles at least; releases the card. Not 0: CRC error. Sets sd_crc.
uint8_t sd_data_in(uint8_t *buf, uint8_t half);

// CMD24 as a whole, to a card that is not busy. Selects the card and leaves it selected; sd_ready and sd_token: is it busy still? Data response, its
// upper three bits set, or a bad R1.
uint8_t sd_write_fast(uint32_t argument, const uint8_t *buf, uint8_t half);

#endif
#endif
