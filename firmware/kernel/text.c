// SPDX-License-Identifier: ISC
//
// The texts of /proc: a line of the same length for each field of proc.def, its name and its value, so that a read goes on where the last one ended
// although the values change. A text is made anew from the start for each read, of which only the bytes asked for are kept.

#include <string.h>

#include <avr/pgmspace.h>

#include <octix/errno.h>

#include "drivers/sd.h"
#include "fs/fs.h"
#include "kernel/clock.h"
#include "kernel/node.h"
#include "kernel/print.h"
#include "kernel/slots.h"
#include "kernel/stat.h"
#include "kernel/user.h"
#include "kernel/version.h"
#include "vm/frames.h"
#include "vm/pager.h"

// ---- fields that are computed

// In thousands: cycles in the core over the mean cycles of an instruction.
static uint32_t instructions(const struct proc *p)
{
	(void)p;
	return ticks[TICKS_VM] * (BOARD_F_CPU / 100000) / CYCLES_PER_INSN;
}

static uint32_t dirty_frames(const struct proc *p)
{
	uint8_t n = 0;

	(void)p;
	for (uint8_t i = 0; i < FRAMES; i++)
		n += (frame_rows.state.flags[i] & FRAME_DIRTY) != 0;
	return n;
}

static uint32_t swap_used(const struct proc *p)
{
	uint16_t n = 0;

	(void)p;
	for (uint8_t i = 0; i < SPACES; i++)
		if (spaces[i].file)
			n += space_swapped(i);
	return n;
}

static uint32_t clusters(const struct proc *p)
{
	(void)p;
	return fs_clusters();
}

static uint32_t free_clusters(const struct proc *p)
{
	(void)p;
	return fs_clusters() < 0x20000 ? fs_free_clusters() : fs_free_known(); // counting takes half a second
}

static uint32_t cluster_size(const struct proc *p)
{
	(void)p;
	return fs_cluster_size();
}

static uint32_t parent(const struct proc *p)
{
	return parent_pid(p);
}

static uint32_t resident(const struct proc *p)
{
	return p->space == NO_SPACE ? 0 : space_resident(p->space);
}

static uint32_t swapped(const struct proc *p)
{
	return p->space == NO_SPACE ? 0 : space_swapped(p->space);
}

static uint32_t write_backs(const struct proc *p)
{
	return p->space == NO_SPACE ? 0 : spaces[p->space].writebacks;
}

// ---- the tables

#define STATES "-RSPPMTWTPDSHVFZ" // a letter for each of enum proc_state
_Static_assert(sizeof STATES == PROC_ZOMBIE + 2, "a letter for each state");

enum field_kind { CONSTANT, BITS16, BITS32, CALL, KIND, STATE, WORD, FLASH };

static const char board[] PROGMEM = BOARD_NAME, version[] PROGMEM = OCTIX_VERSION, fat_rw[] PROGMEM = "fat rw", dev_rw[] PROGMEM = "dev rw",
	proc_ro[] PROGMEM = "proc ro";

static const struct field {
	uint8_t kind;
	const void *at; // an address, an offset in struct proc, a function, or the value
} fields[] PROGMEM = {
#define FIELD(name, kind, at) { kind, (const void *)(uintptr_t)(at) },
#define END
#include "kernel/proc.def"
#undef FIELD
#undef END
};

// The names, each list followed by an empty one.
static const char names[] PROGMEM =
#define FIELD(name, kind, at) #name "\0"
#define END "\0"
#include "kernel/proc.def"
#undef FIELD
#undef END
	;

// ---- making a text

#define LINE 24 // bytes of a line without its end: a name of up to 13, a blank, ten digits

static uint16_t skip; // bytes still to be left out
static uint8_t room;  // then so many to keep
static char *next;

static void emit(char c)
{
	if (skip) {
		skip--;
	} else if (room) {
		room--;
		*next++ = c;
	}
}

static uint32_t value_of(uint8_t kind, const uint8_t *at, const struct proc *p)
{
	if (kind == CONSTANT)
		return (uint16_t)(uintptr_t)at;
	if (kind == CALL)
		return ((uint32_t (*)(const struct proc *))(uintptr_t)at)(p);
	if (kind == KIND) {
		uint8_t n = 0;

		for (uint8_t i = 0; i < FRAMES; i++)
			n += frame_rows.state.kind[i] == (uint8_t)(uintptr_t)at;
		return n;
	}
	at = (const uint8_t *)((uintptr_t)at + (uintptr_t)p); // an offset, if there is a process
	return kind == BITS16 ? *(const uint16_t *)at : *(const uint32_t *)at;
}

// The value, at the right of what `width` bytes are left, and the end of the line.
static void emit_value(const struct field *f, const struct proc *p, uint8_t width)
{
	uint8_t kind = pgm_read_byte(&f->kind);
	char buffer[NAME_SIZE]; // or ten digits
	const char *text = buffer;

	if (kind == WORD) {
		proc_name(p, buffer);
	} else if (kind == FLASH) {
		strcpy_P(buffer, (const char *)pgm_read_ptr(&f->at));
	} else if (kind == STATE) {
		buffer[0] = (char)pgm_read_byte(P(STATES) + p->state);
		buffer[1] = 0;
	} else {
		number_text(buffer, value_of(kind, (const uint8_t *)pgm_read_ptr(&f->at), p));
	}
	for (width -= (uint8_t)strlen(text); width; width--)
		emit(' ');
	while (*text)
		emit(*text++);
	emit('\n');
}

// Makes the list that comes behind so many others.
static void make_text(uint8_t others, const struct proc *p)
{
	const struct field *f = fields;
	const char *name = names;

	for (;;) {
		char c = (char)pgm_read_byte(name++);

		uint8_t width = LINE;

		if (c) {
			for (; c; c = (char)pgm_read_byte(name++), width--)
				if (!others)
					emit(c);
			if (!others)
				emit_value(f, p, width);
			f++;
		} else if (!others--) {
			return;
		}
	}
}

int16_t text_read(struct open *o, uint16_t va, uint16_t n)
{
	uint16_t pid = (uint16_t)o->file->first;
	const struct proc *p = 0;

	if (pid && !(p = proc_find(pid)))
		fail(-OX_ESRCH);
	skip = o->file->pos > UINT16_MAX ? UINT16_MAX : (uint16_t)o->file->pos;
	room = n > PATH_SIZE ? PATH_SIZE : (uint8_t)n;
	if (room > LINE)
		room -= (uint8_t)((skip + room) % (LINE + 1)); // whole lines: a value that changes between two reads would be of both
	next = PATH_A;
	make_text(o->kind - OPEN_STAT, p);
	n = (uint16_t)(next - PATH_A);
	give(va, PATH_A, n);
	o->file->pos += n;
	return (int16_t)n;
}
