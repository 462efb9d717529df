// SPDX-License-Identifier: ISC
// The state of a card, for sdcard.c (bytes, blocks of data, life) and sdcommand.c (commands and their responses).
#ifndef SIM_SDSTATE_H
#define SIM_SDSTATE_H

#include "sdcard.h"

enum { R1_IDLE = 0x01, R1_ILLEGAL = 0x04, R1_CRC = 0x08, R1_ADDRESS = 0x20, R1_PARAMETER = 0x40 };
enum { TOKEN_BLOCK = 0xfe, TOKEN_MULTI = 0xfc, TOKEN_STOP = 0xfd };
enum { SLOW_HZ = 400000, POWER_UP_CLOCKS = 74 };

enum reading { READ_NONE, READ_WAIT, READ_SEND };
enum writing { WRITE_NONE, WRITE_TOKEN, WRITE_DATA };

struct card {
	struct card_config cfg;
	struct image *image;
	struct card_report report;
	card_watch_fn watch;
	void *watch_arg;

	bool selected, spi_mode, ready, crc_on, app, seen_cmd8;
	unsigned high_clocks;           // clocks with chip select high since power-up
	unsigned acmd41_seen, cmd0_seen;
	uint32_t block_len;             // CMD16, standard capacity only

	uint8_t frame[6];
	unsigned frame_len;
	bool frame_fast, frame_ignored;

	uint8_t out[32];                // response bytes to drive
	unsigned out_len, out_pos;

	enum reading reading;
	bool read_multi, read_gap;
	uint64_t read_at, token_at;     // byte address, cycle
	uint8_t data[SECTOR + 2];
	unsigned data_len, data_pos;

	enum writing writing;
	bool write_multi;
	unsigned write_gap;
	uint64_t write_at;
	uint8_t in[SECTOR + 2];
	unsigned in_len;
	uint32_t well_written;

	uint64_t busy_until;
	unsigned busy_bytes;            // least number of busy bytes still to drive
	bool stuck, power_failed;
	uint64_t now;
	uint32_t hz;
};

// Counts a breach of the rules, and keeps the first few as text.
void breach(struct card *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool crc_checked(const struct card *c)
{
	return c->crc_on || c->cfg.faults.crc_always;
}

static inline bool is_busy(const struct card *c)
{
	return c->stuck || c->busy_bytes || c->now < c->busy_until;
}

static inline void start_busy(struct card *c, uint64_t cycles)
{
	c->busy_until = c->now + cycles;
	c->busy_bytes = 1;
}

// Queues a byte for the host.
void put(struct card *c, uint8_t byte);

// Makes the first n bytes of data a block to be sent, with its CRC16.
void seal(struct card *c, unsigned n);

// The command of a frame that has come whole.
void execute(struct card *c);

#endif
