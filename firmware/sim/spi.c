// SPDX-License-Identifier: ISC
// SPI master: see spi.h. Register addresses are the same on both chips. The byte goes to the card
// when it is written and its answer becomes readable when the last clock is over: at F/2, 17 cycles
// after the write; 18 cycles after it the next may be written (facts: measured on hardware).
#include "spi.h"

#include <stdio.h>

#include "board.h"

enum { SPIF = 0x80, WCOL = 0x40, SPI2X = 0x01 };
enum { SPIE = 0x80, SPE = 0x40, DORD = 0x20, MSTR = 0x10, CPOL_CPHA = 0x0c };

static unsigned divider(const avr_t *avr)
{
	static const uint8_t by_spr[] = { 4, 16, 64, 128 };
	unsigned d = by_spr[avr->data[REG_SPCR] & 3];
	return avr->data[REG_SPSR] & SPI2X ? d / 2 : d;
}

static void mistake(struct board *b, const char *what)
{
	if (!b->spi.mistakes++)
		snprintf(b->spi.mistake, sizeof b->spi.mistake, "%s (cycle %llu)", what,
			 (unsigned long long)b->avr->cycle);
}

static void sync(struct board *b)
{
	struct spi *s = &b->spi;
	if (!s->busy || b->avr->cycle < s->done)
		return;
	s->busy = false;
	s->received = s->shifting;
	s->seen = false;
	b->avr->data[REG_SPSR] |= SPIF;
}

static avr_cycle_count_t on_done(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	(void)avr;
	(void)when;
	sync(arg);
	irq_check(arg);
	return 0;
}

static void arm_interrupt(struct board *b)
{
	if (b->spi.busy && b->avr->data[REG_SPCR] & SPIE)
		board_at(b, b->spi.done > b->avr->cycle ? b->spi.done - b->avr->cycle : 0,
			 on_done, b);
}

// Reading SPSR with a flag set, then touching SPDR, clears the flags (data sheet, SPSR).
static void clear_flags(struct board *b)
{
	if (b->spi.seen)
		b->avr->data[REG_SPSR] &= (uint8_t)~(SPIF | WCOL);
	b->spi.seen = false;
}

static bool wired(struct board *b)
{
	uint8_t ddr = b->avr->data[REG_DDRB];
	if ((b->avr->data[REG_SPCR] & CPOL_CPHA) || b->avr->data[REG_SPCR] & DORD)
		mistake(b, "SPI mode is not 0, or bit order is LSB first");
	if (!(ddr >> b->chip->sck_bit & 1) || !(ddr >> b->chip->mosi_bit & 1)) {
		mistake(b, "SCK or MOSI is not an output: the card gets nothing");
		return false;
	}
	return true;
}

static uint8_t exchange(struct board *b, uint8_t v)
{
	if (!wired(b) || !b->card)
		return 0xff;
	uint8_t in = card_exchange(b->card, v, b->avr->cycle, b->chip->hz / divider(b->avr)); // selected or not: it counts clocks
	return !b->card_selected && b->cfg.outside.spi_wire ? v : in;
}

static void write_spdr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct board *b = arg;
	struct spi *s = &b->spi;
	(void)addr;
	sync(b);
	if ((avr->data[REG_SPCR] & (SPE | MSTR)) != (SPE | MSTR)) {
		mistake(b, "SPDR written while the SPI was not an enabled master");
		return;
	}
	if (s->busy || avr->cycle < s->free) {
		s->collisions++;
		avr->data[REG_SPSR] |= WCOL;
		return;
	}
	clear_flags(b);
	if (++s->bytes == b->cfg.sd.faults.reset)
		board_reset(b);
	s->busy = true;
	s->done = avr->cycle + 8 * divider(avr) + 1;
	s->free = s->done + 1;
	s->shifting = exchange(b, v);
	arm_interrupt(b);
	if (b->card && card_power_failed(b->card))
		board_stop(b, STOP_CUT, "power cut, as asked for");
}

static uint8_t read_spdr(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	struct board *b = arg;
	(void)avr;
	(void)addr;
	sync(b);
	clear_flags(b);
	return b->spi.received;
}

static uint8_t read_spsr(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	struct board *b = arg;
	(void)addr;
	sync(b);
	if (avr->data[REG_SPSR] & (SPIF | WCOL))
		b->spi.seen = true;
	return avr->data[REG_SPSR];
}

static void write_spsr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	(void)arg;
	avr->data[addr] = (uint8_t)((avr->data[addr] & ~SPI2X) | (v & SPI2X));
}

static void write_spcr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	avr->data[addr] = v;
	arm_interrupt(arg);
	irq_check(arg);
}

// ---------------------------------------------------------------- chip select

// Low only when the pin is an output at 0: the slot has a pull-up.
static void follow_select(struct board *b, bool reset)
{
	uint8_t mask = (uint8_t)(1u << b->chip->cs_bit);
	const uint8_t *data = b->avr->data;
	bool low = (data[REG_DDRB] & mask) && !(data[REG_PORTB] & mask);
	if (low == b->card_selected)
		return;
	sync(b);
	if (b->spi.busy && !reset)
		mistake(b, "chip select changed in the middle of a byte");
	b->card_selected = low;
	if (b->card)
		card_select(b->card, low, b->avr->cycle, reset);
}

struct port_hook {
	struct board *board;
	avr_io_write_t fn;
	void *arg;
};

static void write_port(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct port_hook *h = arg;
	if (h->fn)
		h->fn(avr, addr, v, h->arg);
	else
		avr->data[addr] = v;
	follow_select(h->board, false);
}

static void hook_port(struct board *b, uint16_t reg, struct port_hook *h)
{
	unsigned io = AVR_DATA_TO_IO(reg);
	*h = (struct port_hook){ b, b->avr->io[io].w.c, b->avr->io[io].w.param };
	board_on_write(b, reg, write_port, h);
}

void spi_init(struct board *b)
{
	static const uint16_t regs[3] = { REG_PINB, REG_DDRB, REG_PORTB };
	struct port_hook *hooks = board_alloc(b, 3 * sizeof *hooks);
	board_on_write(b, REG_SPDR, write_spdr, b);
	board_on_read(b, REG_SPDR, read_spdr, b);
	board_on_read(b, REG_SPSR, read_spsr, b);
	board_on_write(b, REG_SPSR, write_spsr, b);
	board_on_write(b, REG_SPCR, write_spcr, b);
	for (int i = 0; hooks && i < 3; i++)
		hook_port(b, regs[i], &hooks[i]);
}

void spi_reset(struct board *b)
{
	b->spi.busy = b->spi.seen = false;
	b->spi.free = 0;
	follow_select(b, true);
}
