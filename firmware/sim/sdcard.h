// SPDX-License-Identifier: ISC
// An SD card in SPI mode, strict to the SD Physical Layer Simplified Specification, chapter 7.
// It knows bytes and levels only: card_select() tells the level of its chip select,
// card_exchange() moves one byte in and one out. Times are cycles of the board's clock.
//
// A driver that breaks a rule gets what a strict card would give it (often no answer), and the
// breach is counted and the first few are kept as text: struct card_report.
#ifndef SIM_SDCARD_H
#define SIM_SDCARD_H

#include <stdbool.h>
#include <stdint.h>

#include "image.h"

enum card_kind { CARD_SDHC, CARD_SDSC, CARD_SDV1 };

// Faults a card can be told to have. 0 = off for every field but those with a default.
struct card_faults {
	uint32_t flip;          // flip one bit in every Nth block read
	uint32_t flip_write;    // flip one bit in every Nth block received
	uint32_t mute;          // no answer after N commands
	uint32_t busy;          // busy for ever after the Nth block written
	uint32_t ignore_cmd0;   // do not answer the first N CMD0
	uint32_t read_error;    // error token instead of every Nth block read
	uint32_t error_token;   // that token (default 0x08)
	uint32_t no_token;      // the Nth block read never comes
	uint32_t bad_lba;       // this sector always answers an error token (lba + 1; 0 = none)
	uint32_t write_error;   // data response "write error" on every Nth block written
	uint32_t write_crc;     // data response "CRC error" on every Nth block written
	uint32_t crc_always;    // CRC checked on all commands and data from the start
	uint32_t stuff;         // byte after CMD12 (default 0x7f)
	uint32_t ncr;           // bytes from command to response, 1..8 (default 1)
	uint32_t never_ready;   // ACMD41 never ends
	uint32_t max_hz;        // above this SCK every block read has a flipped bit
	uint32_t reset;         // the chip (not the card) is reset at the Nth SPI byte
	uint32_t cut;           // power fails when sector N + 1 is to be stored (N + 1; 0 = off)
};

struct card_config {
	enum card_kind kind;
	uint64_t read_latency;  // cycles from command to data token, 0: one byte
	uint64_t write_latency; // cycles busy after a block, 0: one byte
	unsigned acmd41;        // ready at this ACMD41 (1..)
	struct card_faults faults;
};

enum { CARD_NOTES = 8 };

struct card_report {
	uint64_t commands, reads, writes, crc_errors, violations;
	unsigned notes;                         // filled entries below
	struct { uint64_t cycle; char text[96]; } note[CARD_NOTES];
};

struct card;

// A card over an open image; NULL when memory is short. The image must outlive it.
struct card *card_new(const struct card_config *config, struct image *image);
void card_free(struct card *c);

// Chip select: low = selected. reset: the level changed because the chip was reset: that is no
// breach, and the card stays in the middle of what it did, as many cards do.
void card_select(struct card *c, bool low, uint64_t cycle, bool reset);

// One byte, 8 clocks at hz. Returns what the card drives on MISO (0xFF when not selected).
uint8_t card_exchange(struct card *c, uint8_t mosi, uint64_t cycle, uint32_t hz);

// The run is over by "power cut" (fault cut).
bool card_power_failed(const struct card *c);

const struct card_report *card_report(const struct card *c);

// Called for each block moved, after it was counted: for logs. May be NULL.
typedef void (*card_watch_fn)(void *arg, uint64_t lba, bool write);
void card_watch(struct card *c, card_watch_fn fn, void *arg);

#endif
