// SPDX-License-Identifier: ISC
//
// SD card in SPI mode (SD Physical Layer Simplified Specification, chapter 7): SDSC, SDHC and SDXC, one block of
// 512 bytes at a time, CRC7 on every command and CRC16 on every block in both directions.
//
// Rules for callers: interrupts are on (the deadlines run on clock_ms()); one call at a time. Every wait ends: a call
// returns within about a second whatever the card does, with chip select high and the bus released.
#ifndef OCTIX_SD_H
#define OCTIX_SD_H

#include <stdbool.h>
#include <stdint.h>

enum sd_error {
	SD_OK = 0,
	SD_NO_CARD = -1,   // nothing answers
	SD_UNUSABLE = -2,  // something answers, but not as an SD card of 3.3 V
	SD_NOT_READY = -3, // did not come out of its start-up, or stays busy
	SD_CRC = -4,       // transfers arrive damaged, also after retries
	SD_FAILED = -5,    // the card reports an error of its own, or never sends the block
};

// What to transfer of a block.
enum sd_half { SD_FIRST = 0, SD_SECOND = 1, SD_WHOLE = 2 };

extern uint32_t sd_sectors; // capacity in blocks of 512 bytes; 0 before sd_init
extern uint32_t sd_reads;   // read commands, retries among them
extern uint32_t sd_writes;  // write commands, the same
extern uint16_t sd_crc;     // CRC16 over the 512 bytes of the last read: 0 when they end with their own CRC

extern uint8_t sd_ready;    // 1: the card is not busy and brings no block. (0 in any case while the bus is slow.)
extern uint8_t sd_token;    // how far it is: see sd_bus.h

// Starts the card up, from any state it may have been left in, and sets the bus to F_CPU / 2 (or slower, when blocks
// arrive damaged at that speed). Takes 10 ms to 3 s. 0 or an enum sd_error (section 7.2.1, figure 7-2).
int8_t sd_init(void);

// Reads block `lba`. half: SD_FIRST or SD_SECOND put only those 256 bytes at buf, SD_WHOLE all 512. The CRC16 of the
// whole block is checked in any case; up to six tries, slower ones after the second. 0 or an enum sd_error; after an error buf holds nothing of use.
int8_t sd_read(uint32_t lba, uint8_t *buf, uint8_t half);

// The same in two halves: sends the command; waits for the block and takes it, or starts again. Nothing else of this file
// may be called in between.
void sd_start(uint32_t lba);
int8_t sd_finish(uint8_t *buf, uint8_t half);

// Between these, and while the card is busy after a write: looks at the card. False: it is to be waited for.
bool sd_answers(void);

// Writes block `lba`: SD_WHOLE 512 bytes from buf; else 256 bytes from buf into the first half, the second becomes
// zeros (so a page of 256 bytes is read back as SD_FIRST). Returns when the card has accepted the data; the card may
// stay busy for up to 500 ms, which the next call waits for. 0 or an enum sd_error.
int8_t sd_write(uint32_t lba, const uint8_t *buf, uint8_t half);

// Waits until all writes are on the card and asks whether they succeeded (CMD13). 0 or an enum sd_error.
int8_t sd_flush(void);

// A short text in flash (PROGMEM) for a code of sd_init.
const char *sd_error_text(int8_t code);

// Capacity in blocks of 512 bytes from the 16 bytes of the CSD register, versions 1.0 and 2.0 (sections 5.3.2 and
// 5.3.3). 0: another version, or nonsense.
uint32_t sd_csd_sectors(const uint8_t csd[16]);

// Division of F_CPU that the bus runs at now: 2, or more after CRC errors.
uint8_t sd_divider(void);

#endif
