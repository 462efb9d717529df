// SPDX-License-Identifier: ISC
// EEPROM: see eeprom.h. Data sheet, "EEPROM Data Memory". Of the modes there is erase and write in one.
#include "eeprom.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "board.h"

enum { REG_EECR = 0x3f, REG_EEDR = 0x40, REG_EEAR = 0x41 };
enum { EERE = 0x01, EEPE = 0x02, EEMPE = 0x04, EECR_KEPT = 0x38 };

static bool busy(const struct board *b)
{
	return b->avr->cycle < b->eeprom->busy_until;
}

static uint8_t *cell(struct board *b)
{
	const uint8_t *at = b->avr->data + REG_EEAR;

	return &b->eeprom->bytes[(at[0] | at[1] << 8) % EEPROM_BYTES];
}

static void start_write(struct board *b)
{
	struct eeprom *e = b->eeprom;

	if (busy(b) || b->avr->cycle > e->armed_until) {
		e->refused++;
		return;
	}
	*cell(b) = b->avr->data[REG_EEDR];
	e->busy_until = b->avr->cycle + b->chip->hz / 10000 * 34;
	e->written++;
	b->avr->cycle += 2; // the CPU stands still
}

static void read_cell(struct board *b)
{
	if (busy(b)) {
		b->eeprom->refused++;
		return;
	}
	b->avr->data[REG_EEDR] = *cell(b);
	b->avr->cycle += 4;
}

static void write_eecr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct board *b = arg;
	bool armed = avr->cycle <= b->eeprom->armed_until;

	avr->data[addr] = v & EECR_KEPT;
	if (v & EEPE && !(busy(b) && !armed)) // written back as it was read: nothing new
		start_write(b);
	if (v & EERE)
		read_cell(b);
	if (v & EEMPE && !(v & EEPE) && !armed)
		b->eeprom->armed_until = avr->cycle + 5;
}

// simavr keeps what is given here as the register.
static uint8_t read_eecr(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	const struct board *b = arg;

	return (uint8_t)((avr->data[addr] & EECR_KEPT) | (busy(b) ? EEPE : 0) | (avr->cycle <= b->eeprom->armed_until ? EEMPE : 0));
}

int eeprom_init(struct board *b, char *err, size_t errlen)
{
	FILE *f;
	size_t n;

	b->eeprom = board_alloc(b, sizeof *b->eeprom);
	if (!b->eeprom) {
		snprintf(err, errlen, "out of memory");
		return -1;
	}
	memset(b->eeprom->bytes, 0xff, sizeof b->eeprom->bytes);
	board_on_write(b, REG_EECR, write_eecr, b);
	board_on_read(b, REG_EECR, read_eecr, b);
	if (!b->cfg.eeprom || (!(f = fopen(b->cfg.eeprom, "rb")) && errno == ENOENT))
		return 0;
	n = f ? fread(b->eeprom->bytes, 1, EEPROM_BYTES, f) : 0;
	if (n != EEPROM_BYTES || fgetc(f) != EOF) {
		snprintf(err, errlen, "%s: is no EEPROM's contents: it cannot be read, or has not %d bytes", b->cfg.eeprom, EEPROM_BYTES);
		n = 0;
	}
	if (f)
		fclose(f);
	return n ? 0 : -1;
}

int eeprom_keep(const struct board *b)
{
	FILE *f;

	if (!b->eeprom || !b->cfg.eeprom)
		return 0;
	f = fopen(b->cfg.eeprom, "wb");
	if (!f)
		return -1;
	if (fwrite(b->eeprom->bytes, 1, EEPROM_BYTES, f) != EEPROM_BYTES) {
		fclose(f);
		return -1;
	}
	return fclose(f) ? -1 : 0;
}
