// SPDX-License-Identifier: ISC
//
// Frames as the pager sees them: what each holds and how victims are found. pool.h is the file system's view.
#ifndef OCTIX_FRAMES_H
#define OCTIX_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/param.h"

enum frame_kind {
	FRAME_FREE,
	FRAME_BLOCK,   // a sector of the file system (FRAMES_PER_SECTOR frames from here)
	FRAME_TAIL,    // the rest of a FRAME_BLOCK or FRAME_PIPE
	FRAME_CODE,    // code pages, ends patched
	FRAME_IMAGE,   // read-only or initial data of a program, as in its file
	FRAME_PRIVATE, // a data page of one space
	FRAME_PIPE,    // the buffer of a pipe: stays until the pipe goes
};

#define FRAME_REF   1 // used since the clock hand passed
#define FRAME_DIRTY 2
#define FRAME_HALF  4 // 256-byte frames: second half of the sector

struct frame {
	uint32_t key;   // sector: of the card, or where it goes in swap
	uint8_t kind;
	uint8_t flags;
	uint8_t pins;
	uint8_t owner;  // FRAME_PRIVATE: space
	uint8_t page;   // data: high byte of its first address; code: index byte of its first page
};

#define NO_FRAME 0xff

extern struct frame frames[FRAMES];
extern uint8_t pool_memory[]; // FRAMES * FRAME_SIZE bytes, 256-byte aligned

struct pool_counts {
	uint32_t hard, soft, zero, writebacks;
};
extern struct pool_counts pool_counts;

static inline uint8_t *frame_memory(uint8_t f)
{
	return pool_memory + (uint16_t)f * FRAME_SIZE;
}

// High byte of the frame's address: what the maps hold.
static inline uint8_t frame_high(uint8_t f)
{
	return (uint8_t)((uint16_t)pool_memory >> 8) + f * PAGES_PER_FRAME;
}

// The frame of this kind with this key and half (FRAME_HALF or 0), or NO_FRAME.
uint8_t frame_find(uint8_t kind, uint32_t key, uint8_t half);

// A frame for one page, emptied: NO_FRAME when every frame is pinned or its contents could not be written.
uint8_t frame_take(void);

// 512 bytes of adjacent frames that stay until frame_drop; the first one's number, or NO_FRAME.
uint8_t frame_take_pipe(void);

// Forgets the frame's contents without writing them, maps included.
void frame_drop(uint8_t f);

// Forgets all private frames of a space.
void frames_drop_space(uint8_t space);

// All forget frames that nobody can see any more: code and image frames of sector `key`.
void frames_drop_program(uint32_t key);

#endif
