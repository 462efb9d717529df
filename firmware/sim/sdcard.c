// SPDX-License-Identifier: ISC
// SD card in SPI mode: see sdcard.h. The card drives MISO from three sources, in this order:
// queued response bytes, busy (0x00), data of a running read. What comes in on MOSI goes to the
// data receiver while a write is open, else to the command frame.
// "4.x", "7.x": sections of the SD Physical Layer Simplified Specification 6.00.
#include "sdcard.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc.h"
#include "sdstate.h"

// ---------------------------------------------------------------- reports

void breach(struct card *c, const char *fmt, ...)
{
	c->report.violations++;
	if (c->report.notes >= CARD_NOTES)
		return;
	unsigned i = c->report.notes++;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(c->report.note[i].text, sizeof c->report.note[i].text, fmt, ap);
	va_end(ap);
	c->report.note[i].cycle = c->now;
}

static bool every(uint64_t count, uint32_t n)
{
	return n && count % n == 0;
}

// ---------------------------------------------------------------- data to the host

void seal(struct card *c, unsigned n)
{
	uint16_t crc = crc16(c->data, n);
	c->data[n] = (uint8_t)(crc >> 8);
	c->data[n + 1] = (uint8_t)crc;
	c->data_len = n + 2;
	c->data_pos = 0;
}

static void damage(struct card *c)
{
	const struct card_faults *f = &c->cfg.faults;
	if (!every(c->report.reads, f->flip) && !(f->max_hz && c->hz > f->max_hz))
		return;
	uint32_t bit = (uint32_t)(c->report.reads * 2654435761u) % (SECTOR * 8);
	c->data[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

// Loads the block at read_at. Returns false when an error token takes its place.
static bool load_block(struct card *c, unsigned len)
{
	const struct card_faults *f = &c->cfg.faults;
	uint64_t lba = c->read_at / SECTOR;
	const uint8_t *p = image_sector(c->image, lba);
	c->report.reads++;
	if (p)
		c->image->reads[lba]++;
	if (p && c->watch)
		c->watch(c->watch_arg, lba, false);
	if (!p || every(c->report.reads, f->read_error) || (f->bad_lba && lba == f->bad_lba - 1))
		return false;
	memcpy(c->data, p + c->read_at % SECTOR, len);
	seal(c, len);
	damage(c);
	return true;
}

// The first byte of a block: its token, or the error token.
static uint8_t begin_block(struct card *c)
{
	unsigned len = c->cfg.kind == CARD_SDHC ? SECTOR : c->block_len;
	if (c->read_at != UINT64_MAX && !load_block(c, len)) {
		c->reading = READ_NONE;
		return (uint8_t)c->cfg.faults.error_token;
	}
	c->reading = READ_SEND;
	return TOKEN_BLOCK;
}

static uint8_t next_data(struct card *c)
{
	uint8_t byte = c->data[c->data_pos++];
	if (c->data_pos < c->data_len)
		return byte;
	c->reading = c->read_multi ? READ_WAIT : READ_NONE;
	c->read_gap = true;
	c->token_at = c->now + c->cfg.read_latency;
	c->read_at += c->data_len - 2;
	return byte;
}

static bool token_withheld(const struct card *c)
{
	return c->cfg.faults.no_token && c->read_at != UINT64_MAX &&
	       c->report.reads + 1 == c->cfg.faults.no_token;
}

static uint8_t drive_read(struct card *c)
{
	if (c->reading == READ_SEND)
		return next_data(c);
	if (c->read_gap) {              // 7.5.2: NAC is at least one byte
		c->read_gap = false;
		return 0xff;
	}
	if (c->now < c->token_at || token_withheld(c))
		return 0xff;
	return begin_block(c);
}

static uint8_t drive(struct card *c)
{
	if (c->out_pos < c->out_len)
		return c->out[c->out_pos++];
	if (is_busy(c)) {
		if (c->busy_bytes)
			c->busy_bytes--;
		return 0x00;
	}
	return c->reading == READ_NONE ? 0xff : drive_read(c);
}

// ---------------------------------------------------------------- bytes from the host

// First byte of a command: is this a moment at which one may come?
static void begin_frame(struct card *c, uint8_t byte)
{
	unsigned cmd = byte & 0x3f;
	bool may_break_in = cmd == 0 || cmd == 12;
	c->frame_ignored = false;
	c->frame_fast = false;
	if (is_busy(c) && !may_break_in) {
		breach(c, "CMD%u while the card was busy", cmd);
		c->frame_ignored = true;
	} else if (c->reading != READ_NONE && !may_break_in) {
		breach(c, "CMD%u in the middle of a read", cmd);
		c->frame_ignored = true;
	} else if (c->out_pos < c->out_len && !may_break_in) {
		breach(c, "CMD%u before the response to the last command was read", cmd);
	}
}

static void take_command(struct card *c, uint8_t byte)
{
	if (c->frame_len == 0) {
		if (byte == 0xff)
			return;
		if ((byte & 0xc0) != 0x40) {
			breach(c, "byte 0x%02x where a command or 0xff must be", byte);
			return;
		}
		begin_frame(c, byte);
	}
	c->frame_fast |= c->hz > SLOW_HZ;
	c->frame[c->frame_len++] = byte;
	if (c->frame_len == sizeof c->frame) {
		c->frame_len = 0;
		execute(c);
	}
}

static void data_response(struct card *c, uint8_t code)
{
	c->out_len = c->out_pos = 0;
	put(c, 0xe0 | code);
}

static void store_block(struct card *c)
{
	const struct card_faults *f = &c->cfg.faults;
	uint64_t lba = c->write_at / SECTOR;
	if (f->cut && c->report.writes >= f->cut) {
		c->power_failed = true;
		return;
	}
	memcpy(image_sector(c->image, lba), c->in, SECTOR);
	c->image->writes[lba]++;
	if (c->watch)
		c->watch(c->watch_arg, lba, true);
	c->well_written++;
	c->write_at += SECTOR;
	start_busy(c, c->cfg.write_latency);
	if (f->busy && c->report.writes >= f->busy)
		c->stuck = true;
}

// 7.3.3.1: data response token.
static void end_block(struct card *c)
{
	const struct card_faults *f = &c->cfg.faults;
	uint64_t n = ++c->report.writes;
	c->writing = c->write_multi ? WRITE_TOKEN : WRITE_NONE;
	c->write_gap = 0;
	if (every(n, f->flip_write))
		c->in[n % SECTOR] ^= 0x10;
	uint16_t got = (uint16_t)(c->in[SECTOR] << 8 | c->in[SECTOR + 1]);
	if (every(n, f->write_crc) || (crc_checked(c) && crc16(c->in, SECTOR) != got)) {
		c->report.crc_errors++;
		data_response(c, 0x0b);
	} else if (every(n, f->write_error) || !image_sector(c->image, c->write_at / SECTOR)) {
		data_response(c, 0x0d);
	} else {
		data_response(c, 0x05);
		store_block(c);
	}
}

static void begin_data(struct card *c, uint8_t byte)
{
	if (byte != (c->write_multi ? TOKEN_MULTI : TOKEN_BLOCK))
		breach(c, "data token 0x%02x does not fit CMD%u", byte, c->write_multi ? 25 : 24);
	if (c->write_gap == 0 && c->out_pos < c->out_len)
		breach(c, "data token before the response was read");
	else if (c->write_gap == 0)
		breach(c, "data token without a byte of 0xff before it (NWR, 7.5.2)");
	if (is_busy(c))
		breach(c, "data token while the card was busy");
	c->writing = WRITE_DATA;
	c->in_len = 0;
}

static void take_token(struct card *c, uint8_t byte, bool responding)
{
	if (byte == 0xff) {
		c->write_gap += !responding;
	} else if (byte == TOKEN_BLOCK || byte == TOKEN_MULTI) {
		begin_data(c, byte);
	} else if (byte == TOKEN_STOP && c->write_multi) {
		c->writing = WRITE_NONE;
		put(c, 0xff);
		start_busy(c, c->cfg.write_latency);
	} else {
		take_command(c, byte);
	}
}

static void take_write(struct card *c, uint8_t byte, bool responding)
{
	if (c->writing == WRITE_TOKEN) {
		take_token(c, byte, responding);
		return;
	}
	c->in[c->in_len++] = byte;
	if (c->in_len == sizeof c->in)
		end_block(c);
}

uint8_t card_exchange(struct card *c, uint8_t mosi, uint64_t cycle, uint32_t hz)
{
	c->now = cycle;
	c->hz = hz;
	if (!c->selected) {
		if (mosi == 0xff && (hz <= SLOW_HZ || c->spi_mode))
			c->high_clocks += 8;
		return 0xff;
	}
	if (c->power_failed)
		return 0xff;
	bool responding = c->out_pos < c->out_len;
	uint8_t miso = drive(c);
	if (c->writing != WRITE_NONE && c->frame_len == 0)
		take_write(c, mosi, responding);
	else
		take_command(c, mosi);
	return miso;
}

// ---------------------------------------------------------------- chip select and life

// What chip select going high now would cut short, or NULL.
static const char *unfinished(const struct card *c)
{
	if (c->frame_len)
		return "a command frame";
	if (c->out_pos < c->out_len)
		return "a response";
	if (c->reading == READ_SEND || (c->reading == READ_WAIT && !c->read_multi))
		return "a data block to the host";
	if (c->reading == READ_WAIT)
		return "a multiple block read (CMD12 ends it)";
	if (c->writing == WRITE_DATA)
		return "a data block to the card";
	return c->writing == WRITE_TOKEN ? "a write before its data" : NULL;
}

void card_select(struct card *c, bool low, uint64_t cycle, bool reset)
{
	c->now = cycle;
	if (low == c->selected)
		return;
	c->selected = low;
	if (low || reset)
		return;
	const char *what = unfinished(c);
	if (what)
		breach(c, "chip select high in the middle of %s", what);
	c->frame_len = 0;
	c->out_len = c->out_pos = 0;
	c->reading = READ_NONE;
	c->writing = WRITE_NONE;
}

struct card *card_new(const struct card_config *config, struct image *image)
{
	struct card *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->cfg = *config;
	c->image = image;
	c->block_len = SECTOR;
	struct card_faults *f = &c->cfg.faults;
	if (!f->error_token)
		f->error_token = 0x08;
	if (!f->stuff)
		f->stuff = 0x7f;
	if (!f->ncr)
		f->ncr = 1;
	return c;
}

void card_free(struct card *c)
{
	free(c);
}

void card_watch(struct card *c, card_watch_fn fn, void *arg)
{
	c->watch = fn;
	c->watch_arg = arg;
}

bool card_power_failed(const struct card *c)
{
	return c->power_failed;
}

const struct card_report *card_report(const struct card *c)
{
	return &c->report;
}
