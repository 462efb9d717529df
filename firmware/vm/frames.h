// SPDX-License-Identifier: ISC
//
// Frames as the pager sees them: what each holds and how victims are found. pool.h is the file system's view.
#ifndef OCTIX_FRAMES_H
#define OCTIX_FRAMES_H

#include "kernel/param.h"

// Kinds of frames.
#define FRAME_FREE    0
#define FRAME_BLOCK   1 // a sector of the file system (FRAMES_PER_SECTOR frames from here)
#define FRAME_TAIL    2 // the rest of a FRAME_BLOCK or FRAME_PIPE
#define FRAME_CODE    3 // code pages, ends patched
#define FRAME_IMAGE   4 // read-only or initial data of a program, as in its file
#define FRAME_PRIVATE 5 // a data page of one space
#define FRAME_PIPE    6 // the buffer of a pipe: stays until the pipe goes
#define FRAME_COMING  7 // its block is on its way: see frame_coming

// Flags.
#define FRAME_MAPPED 1 // some map may hold it
#define FRAME_DIRTY  2
#define FRAME_HALF   4 // 256-byte frames: second half of the sector
#define FRAME_KEEP   8 // pinned, a tail, or on its way
#define FRAME_PASSED 16 // and up: how often the choice of victims has passed it over

#define CLEAN_FIRST  3  // times that a dirty frame is passed over

#define NO_FRAME 0xff

// For soft.S: offsets in struct pool_counts and struct space.
#define COUNT_SOFT  4
#define SPACE_CODE_SECTORS 4
#define SPACE_IN_SWAP 13

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/pool.h"
#include "vm/vm.h"

extern uint8_t pool_memory[]; // FRAMES * FRAME_SIZE bytes, 256-byte aligned

typedef uint32_t frame_key_t __attribute__((aligned(1)));

// Rows by number of the frame (soft.S knows the order), in one page of SRAM from its first byte on: the number is the lower byte of
// an address. The frames stand in the order in which they were last seen in use: a ring, where FRAMES stands between the hottest and
// the coldest.
extern struct frame_rows {
	uint8_t hotter[FRAMES + 1], colder[FRAMES + 1];
	struct frame_state {
		uint8_t flags[FRAMES + 1];
		uint8_t page[FRAMES + 1]; // data: high byte of its first address; code: index byte of its first page; block: see block_sealed
		uint8_t kind[FRAMES];
		uint8_t owner[FRAMES]; // FRAME_PRIVATE: space; code and image: bit n: mapped in slot n, if at all
		uint8_t pins[FRAMES];
	} state;
	frame_key_t key[FRAMES]; // the sector it holds, of the card, or where it goes in swap
} frame_rows;
_Static_assert(FRAMES * 11 + 4 <= 256, "one page");

// By way of these, rows_at(i)->hotter[0] is frame_rows.hotter[i] and state_at(i)->kind[0] frame_rows.state.kind[i], in less code.
__attribute__((always_inline)) static inline void *in_rows(uint8_t offset)
{
#ifdef __AVR__
	void *rows;

	__asm__("mov %A0,%1\n\tldi %B0,hi8(frame_rows)" : "=b"(rows) : "r"(offset));
	return rows;
#else
	return (uint8_t *)&frame_rows + offset;
#endif
}

static inline struct frame_rows *rows_at(uint8_t i)
{
	return in_rows(i);
}

static inline struct frame_state *state_at(uint8_t i)
{
	return in_rows((uint8_t)(i + offsetof(struct frame_rows, state)));
}

static inline frame_key_t *frame_key(uint8_t i)
{
	return in_rows((uint8_t)(4 * i + offsetof(struct frame_rows, key)));
}

struct pool_counts {
	uint32_t hard, soft, zero, writebacks;
};
extern struct pool_counts pool_counts;
_Static_assert(offsetof(struct pool_counts, soft) == COUNT_SOFT, "soft.S");

// Adds one; the upper bytes are rarely touched.
__attribute__((always_inline)) static inline void count_up(uint32_t *count)
{
	uint8_t *bytes = (uint8_t *)count; // little-endian

	if (!++bytes[0] && !++bytes[1] && !++bytes[2])
		++bytes[3];
}

// NO_FRAME, with the reason in pager_why.
uint8_t frame_none(uint8_t why);

static inline uint8_t *frame_memory(uint8_t f)
{
	return pool_memory + (uint16_t)f * FRAME_SIZE;
}

// High byte of the frame's address: what the maps hold.
static inline uint8_t frame_high(uint8_t f)
{
	return (uint8_t)((uintptr_t)pool_memory >> 8) + f * PAGES_PER_FRAME;
}

// Before anything else: all frames are free.
void pool_init(void);

// Puts a frame right above another in the order (soft.S).
void frame_move(uint8_t f, uint8_t below);

// The frame has been used: it becomes the hottest.
void frame_touch(uint8_t f);

// The frame of this kind with this key and half (FRAME_HALF or 0), or NO_FRAME.
uint8_t frame_find(uint8_t kind, uint32_t key, uint8_t half);

// The private frame of a space's page (the frame's first), or NO_FRAME.
uint8_t frame_find_private(uint8_t space, uint8_t page);

// A frame for one page, in no map; the caller says what it holds in all its rows but pins, which are 0. NO_FRAME: every frame is
// pinned, or what it holds could not be written.
uint8_t frame_take(void);

// As frame_take, among the colder half and without writing: dirty frames are passed over. NO_FRAME: all are.
uint8_t frame_take_clean(void);

// FRAMES_PER_SECTOR adjacent frames, as frame_take: the first one's number.
uint8_t frame_take_sector(void);

// Frees a frame that no map holds, and the tails of a sector: they are the next to be taken.
void frame_release(uint8_t f);

// Writes a dirty frame back. 0 or -OX_EIO.
int8_t frame_clean(uint8_t f);

// ---- a card that makes us wait: the read is left, other processes run, and what asked for it runs again

// It has been left: CARD_WAITS: it is to run again when it is woken (card_came); CARD_YIELDS: after the process whose block has come.
extern uint8_t card_left;
#define CARD_WAITS  1
#define CARD_YIELDS 2

// The frame whose block is on its way, or NO_FRAME: before its result is taken nothing else may be asked of the card.
extern uint8_t frame_coming;

// Waits for the card and takes what is on its way. False: left.
bool card_free(void);

// Reads the block of a frame whose rows are filled; half as sd_read. The frame; NO_FRAME: left, or failed, which drops it.
uint8_t frame_read(uint8_t f, uint8_t half);

// Its second half: the block of a read that has started. False: left; the frame is frame_coming.
bool coming_wait(uint8_t f, uint8_t half);

// Asks for the block of a frame whose rows are filled, and leaves it; what cannot be read is dropped.
void coming_ahead(uint8_t f);

// What is on its way is not wanted any more, if it will be of this kind and owner.
void coming_drop(uint8_t kind, uint8_t owner);

// Looks at the card, if something has been left or is read ahead; wakes what waits.
void frames_poll(void);

// Provided by the kernel: could another process run meanwhile? What is on its way is for the running process. All that has been left can run, and
// that one before others: is it not the running one?
bool others_can_run(void);
void card_asked(void);
bool card_came(void);

// The same: a system call has been left. The kernel stack is dropped; blocks_let_go.
void leave_call(void) __attribute__((noreturn));
void blocks_let_go(void);

// A copy of a frame, if that takes no more than a clean frame; the original becomes the coldest. Else the frame itself.
uint8_t frame_copy(uint8_t from);

// 512 bytes of adjacent frames that stay until frame_drop; the first one's number, or NO_FRAME, also when SECTORS_OF_PIPES are taken.
uint8_t frame_take_pipe(void);

// Forgets the frame's contents without writing them, maps included.
void frame_drop(uint8_t f);

// Forgets all private frames of a space.
void frames_drop_space(uint8_t space);

// All forget frames that nobody can see any more: code and image frames of sector `key`.
void frames_drop_program(uint32_t key);

#endif
#endif
