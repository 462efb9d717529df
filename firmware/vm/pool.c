// SPDX-License-Identifier: ISC
//
// The pool of frames: look-up by key, CLOCK, write-back.
//
// CLOCK has no reference bits from the core: when the hand passes a frame that has been used, the frame leaves the
// maps, and the next access brings it back by a soft fault, which marks it used.

#include "vm/frames.h"

#include <string.h>

#include <octix/errno.h>

#include "drivers/sd.h"
#include "vm/pager.h"
#include "vm/pool.h"

#define SECTOR_BOTH 2 // sd_read, sd_write: all 512 bytes
#define PAGE_HALF   (FRAMES_PER_SECTOR == 1 ? SECTOR_BOTH : 0)

struct frame frames[FRAMES];
struct pool_counts pool_counts;
static uint8_t hand;

uint8_t frame_find(uint8_t kind, uint32_t key, uint8_t half)
{
	const struct frame *f = frames;

	for (uint8_t i = 0; i < FRAMES; i++, f++)
		if (f->kind == kind && f->key == key && (f->flags & FRAME_HALF) == half)
			return i;
	return NO_FRAME;
}

// Frees a frame, and the tails of a sector.
static void release(uint8_t i)
{
	if (frames[i].kind == FRAME_BLOCK || frames[i].kind == FRAME_PIPE)
		for (uint8_t k = 1; k < FRAMES_PER_SECTOR; k++)
			frames[i + k].kind = FRAME_FREE;
	frames[i].kind = FRAME_FREE;
	frames[i].flags = 0;
	frames[i].pins = 0;
}

void frame_drop(uint8_t i)
{
	pager_unmap(i);
	release(i);
}

void frames_drop_space(uint8_t space)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (frames[i].kind == FRAME_PRIVATE && frames[i].owner == space)
			frame_drop(i);
}

void frames_drop_program(uint32_t key)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if ((frames[i].kind == FRAME_CODE || frames[i].kind == FRAME_IMAGE) && frames[i].key == key)
			frame_drop(i);
}

// Writes a dirty frame back. 0 or -OX_EIO.
static int8_t clean(uint8_t i)
{
	struct frame *f = &frames[i];
	bool block = f->kind == FRAME_BLOCK;

	if (sd_write(f->key, frame_memory(i), block ? SECTOR_BOTH : PAGE_HALF) != 0)
		return -OX_EIO;
	f->flags &= (uint8_t)~FRAME_DIRTY;
	if (!block) {
		pool_counts.writebacks++;
		pager_swapped(f->owner, f->page);
	}
	return 0;
}

// Empties a frame that is not pinned; false: its contents could not be written and stay.
static bool evict(uint8_t i)
{
	pager_unmap(i);
	if ((frames[i].flags & FRAME_DIRTY) && clean(i) != 0)
		return false;
	release(i);
	return true;
}

// The hand is at frame i: can it go now? Used frames get their second chance.
static bool passed_over(uint8_t i)
{
	struct frame *f = &frames[i];

	if (f->pins)
		return true;
	if (!(f->flags & FRAME_REF))
		return false;
	f->flags &= (uint8_t)~FRAME_REF;
	pager_unmap(i);
	return true;
}

static uint8_t next_frame(void)
{
	uint8_t i = hand;

	hand = hand + 1 == FRAMES ? 0 : hand + 1;
	return i;
}

uint8_t frame_take(void)
{
	for (uint8_t tries = 0; tries < 3 * FRAMES; tries++) {
		uint8_t i = next_frame();

		if (frames[i].kind == FRAME_TAIL)
			continue;
		if (frames[i].kind == FRAME_FREE || (!passed_over(i) && evict(i)))
			return i;
	}
	return NO_FRAME;
}

// Are all frames of the sector-sized group at i free, or can they be made so?
static bool take_group(uint8_t i)
{
	bool over = false;

	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		if (frames[i + k].kind != FRAME_FREE && frames[i + k].kind != FRAME_TAIL)
			over |= passed_over(i + k);
	if (over)
		return false;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		if (frames[i + k].kind != FRAME_FREE && !evict(i + k))
			return false;
	return true;
}

// FRAMES_PER_SECTOR adjacent frames for a whole sector; the first one's number.
static uint8_t frame_take_sector(void)
{
	if (FRAMES_PER_SECTOR == 1)
		return frame_take();
	for (uint8_t tries = 0; tries < 3 * FRAMES; tries++) {
		uint8_t i = next_frame();

		if (i % FRAMES_PER_SECTOR == 0 && take_group(i))
			return i;
	}
	return NO_FRAME;
}

static uint8_t frame_of(const uint8_t *block)
{
	return (uint8_t)((uint16_t)(block - pool_memory) / FRAME_SIZE);
}

static void occupy(uint8_t i, uint8_t kind, uint32_t key)
{
	frames[i].kind = kind;
	frames[i].key = key;
	frames[i].flags = FRAME_REF;
	frames[i].pins = 1;
	for (uint8_t k = 1; k < FRAMES_PER_SECTOR; k++)
		frames[i + k].kind = FRAME_TAIL;
}

uint8_t frame_take_pipe(void)
{
	uint8_t i = frame_take_sector();

	if (i != NO_FRAME)
		occupy(i, FRAME_PIPE, 0);
	return i;
}

static uint8_t *block_in(uint8_t i, uint32_t lba)
{
	occupy(i, FRAME_BLOCK, lba);
	return frame_memory(i);
}

uint8_t *block_get(uint32_t lba)
{
	uint8_t i = frame_find(FRAME_BLOCK, lba, 0);

	if (i != NO_FRAME) {
		frames[i].flags |= FRAME_REF;
		frames[i].pins++;
		return frame_memory(i);
	}
	i = frame_take_sector();
	if (i == NO_FRAME || sd_read(lba, frame_memory(i), SECTOR_BOTH) != 0)
		return 0;
	return block_in(i, lba);
}

uint8_t *block_new(uint32_t lba)
{
	uint8_t i = frame_find(FRAME_BLOCK, lba, 0);
	uint8_t *block;

	if (i != NO_FRAME) {
		frames[i].pins++;
		block = frame_memory(i);
	} else {
		i = frame_take_sector();
		if (i == NO_FRAME)
			return 0;
		block = block_in(i, lba);
	}
	memset(block, 0, 512);
	block_dirty(block);
	return block;
}

void block_dirty(uint8_t *block)
{
	uint8_t i = frame_of(block);

	if (!(frames[i].flags & FRAME_DIRTY))
		frames_drop_program(frames[i].key);
	frames[i].flags |= FRAME_DIRTY | FRAME_REF;
}

int8_t block_write(uint8_t *block, uint32_t lba)
{
	uint8_t i = frame_of(block);

	if (frames[i].key == lba)
		return clean(i);
	return sd_write(lba, block, SECTOR_BOTH) ? -OX_EIO : 0;
}

void block_put(uint8_t *block)
{
	frames[frame_of(block)].pins--;
}

int8_t block_flush(void)
{
	int8_t result = 0;

	for (uint8_t i = 0; i < FRAMES; i++)
		if (frames[i].kind == FRAME_BLOCK && (frames[i].flags & FRAME_DIRTY) && clean(i) != 0)
			result = -OX_EIO;
	return result;
}

void block_forget(uint32_t first, uint32_t count)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (frames[i].kind == FRAME_BLOCK && frames[i].key - first < count && !frames[i].pins)
			release(i);
}
