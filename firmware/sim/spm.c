// SPDX-License-Identifier: ISC
// Self-programming: see spm.h. Data sheet, "Boot Loader Support"; the boot section is taken at its
// largest (8 KB, BOOTSZ = 00), which is also the no-read-while-write section.
// An operation lasts 4.5 ms, the longest the data sheet allows. On a page of the boot section itself the CPU
// halts for that time; else it goes on and the other section is unreadable until RWWSRE.
#include "spm.h"

#include <stdlib.h>
#include <string.h>

#include "board.h"

enum { SPMIE = 0x80, RWWSB = 0x40, RWWSRE = 0x10, BLBSET = 0x08, PGWRT = 0x04, PGERS = 0x02,
       SPMEN = 0x01 };
enum { R30 = 30, R31 = 31 };

static bool busy(struct board *b)
{
	return b->avr->cycle < b->spm.busy_until;
}

static void write_spmcsr(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct board *b = arg;
	uint8_t rwwsb = b->spm.rww_busy ? RWWSB : 0;
	if (busy(b))
		return;
	avr->data[addr] = (uint8_t)((v & ~RWWSB) | rwwsb);
	b->spm.armed_until = v & SPMEN ? avr->cycle + 5 : 0;
}

static uint8_t read_spmcsr(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	struct board *b = arg;
	if (busy(b))
		return avr->data[addr] | SPMEN;
	if (avr->cycle > b->spm.armed_until)
		avr->data[addr] &= SPMIE | RWWSB;
	return avr->data[addr];
}

static uint32_t z_address(const struct board *b)
{
	const uint8_t *data = b->avr->data;
	uint32_t z = data[R30] | (uint32_t)data[R31] << 8 | (uint32_t)data[REG_RAMPZ] << 16;
	return z & b->avr->flashend;
}

static void occupy(struct board *b, uint32_t page)
{
	uint64_t cycles = (uint64_t)b->chip->hz / 10000 * 45;
	if (page >= b->chip->boot_start) {
		b->avr->cycle += cycles;        // CPU halted
		return;
	}
	b->spm.busy_until = b->avr->cycle + cycles;
	b->spm.rww_busy = true;
	b->avr->data[REG_SPMCSR] |= RWWSB;
}

static void erase_page(struct board *b, uint32_t page)
{
	memset(b->avr->flash + page, 0xff, b->chip->page_bytes);
	b->spm.erased++;
	occupy(b, page);
}

static void clear_buffer(struct board *b)
{
	memset(b->spm.buffer, 0xff, b->chip->page_bytes);
	memset(b->spm.loaded, 0, b->chip->page_bytes / 2);
}

// Programming can only clear bits; erasing sets them.
static void write_page(struct board *b, uint32_t page)
{
	for (unsigned i = 0; i < b->chip->page_bytes; i++)
		b->avr->flash[page + i] &= b->spm.buffer[i];
	clear_buffer(b);
	b->spm.written++;
	occupy(b, page);
}

static void load_word(struct board *b, uint32_t z)
{
	unsigned at = z % b->chip->page_bytes & ~1u;
	if (b->spm.loaded[at / 2])
		return;                 // a word can be written once (data sheet)
	b->spm.loaded[at / 2] = 1;
	b->spm.buffer[at] = b->avr->data[0];
	b->spm.buffer[at + 1] = b->avr->data[1];
}

static void read_again(struct board *b)
{
	b->spm.rww_busy = false;
	b->avr->data[REG_SPMCSR] &= (uint8_t)~RWWSB;
	clear_buffer(b);
}

static void operate(struct board *b, uint8_t what)
{
	uint32_t z = z_address(b);
	uint32_t page = z - z % b->chip->page_bytes;
	switch (what) {
	case SPMEN: load_word(b, z); break;
	case SPMEN | PGERS: erase_page(b, page); break;
	case SPMEN | PGWRT: write_page(b, page); break;
	case SPMEN | RWWSRE: read_again(b); break;
	case SPMEN | BLBSET: break;     // lock bits are not modelled
	default: b->spm.refused++;
	}
}

static void advance_z(struct board *b)
{
	uint8_t *data = b->avr->data;
	uint16_t z = (uint16_t)((data[R30] | data[R31] << 8) + 2);
	data[R30] = (uint8_t)z;
	data[R31] = (uint8_t)(z >> 8);
}

void spm_execute(struct board *b, bool plus)
{
	avr_t *avr = b->avr;
	uint8_t what = avr->data[REG_SPMCSR] & (RWWSRE | BLBSET | PGWRT | PGERS | SPMEN);
	bool armed = avr->cycle <= b->spm.armed_until && what & SPMEN;
	if (avr->pc < b->chip->boot_start) {
		board_crash(b, "SPM outside the boot section (it starts at 0x%05x): no effect on "
			    "the chip", b->chip->boot_start);
		return;
	}
	if (armed && !busy(b)) {
		avr->data[REG_SPMCSR] &= (uint8_t)~(RWWSRE | BLBSET | PGWRT | PGERS | SPMEN);
		b->spm.armed_until = 0;
		operate(b, what);
	} else {
		b->spm.refused++;
	}
	if (plus)
		advance_z(b);
	avr->cycle += 1;
	avr->pc += 2;
}

void spm_init(struct board *b)
{
	b->spm.buffer = malloc(b->chip->page_bytes);
	b->spm.loaded = malloc(b->chip->page_bytes / 2);
	board_on_write(b, REG_SPMCSR, write_spmcsr, b);
	board_on_read(b, REG_SPMCSR, read_spmcsr, b);
	clear_buffer(b);
}

void spm_reset(struct board *b)
{
	b->spm.rww_busy = false;
	b->spm.busy_until = b->spm.armed_until = 0;
	clear_buffer(b);
}

void spm_free(struct board *b)
{
	free(b->spm.buffer);
	free(b->spm.loaded);
}
