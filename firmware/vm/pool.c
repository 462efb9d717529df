// SPDX-License-Identifier: ISC
//
// The pool of frames: look-up by key, victims, write-back.
//
// Victims are chosen by LRU as far as the kernel can see. The core sets no reference bits, so whenever a frame is taken
// the colder half of the frames leaves the maps: the next access to one of them is a soft fault, which makes it the
// hottest. A frame just filled starts a little below the top, so that a page used once goes sooner. A dirty frame is
// passed over a few times: writing costs as much as reading. (Compared with CLOCK, exact LRU and OPT on traces of a
// shell session and of the bench programs.)

#include "vm/frames.h"

#include <string.h>

#include <octix/errno.h>

#include "drivers/sd.h"
#include "vm/pager.h"
#include "vm/pool.h"

#define SECTOR_BOTH 2 // sd_read, sd_write: all 512 bytes
#define PAGE_HALF   (FRAMES_PER_SECTOR == 1 ? SECTOR_BOTH : 0)

#define UNMAPPED  (FRAMES / 2) // coldest frames that are not mapped
#define NEW_BELOW (FRAMES / 4) // places of a new frame below the hottest
#define CLEAN_FIRST 4          // times that a dirty frame is passed over

struct frame frames[FRAMES];
uint8_t frame_page[FRAMES];
struct frame_order frame_order;
struct pool_counts pool_counts;

// ---- the order

// Puts frame i between `colder` and what stands above that.
static void link_above(uint8_t i, uint8_t colder)
{
	uint8_t hotter = frame_order.hotter[colder];

	frame_order.hotter[i] = hotter;
	frame_order.colder[i] = colder;
	frame_order.hotter[colder] = i;
	frame_order.colder[hotter] = i;
}

static void unlink(uint8_t i)
{
	frame_order.hotter[frame_order.colder[i]] = frame_order.hotter[i];
	frame_order.colder[frame_order.hotter[i]] = frame_order.colder[i];
}

void frame_touch(uint8_t i)
{
	frames[i].flags &= FRAME_PASSED - 1;
	unlink(i);
	link_above(i, frame_order.colder[FRAMES]);
}

void pool_init(void)
{
	frame_order.hotter[FRAMES] = frame_order.colder[FRAMES] = FRAMES;
	for (uint8_t i = 0; i < FRAMES; i++)
		link_above(i, FRAMES);
}

// ---- finding

uint8_t frame_find(uint8_t kind, uint32_t key, uint8_t half)
{
	const struct frame *f = frames;
	uint8_t low = (uint8_t)key;

	for (uint8_t i = 0; i < FRAMES; i++, f++)
		if ((uint8_t)f->key == low && f->kind == kind && f->key == key && (f->flags & FRAME_HALF) == half)
			return i;
	return NO_FRAME;
}

uint8_t frame_find_private(uint8_t space, uint8_t page)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (frame_page[i] == page && frames[i].kind == FRAME_PRIVATE && frames[i].owner == space)
			return i;
	return NO_FRAME;
}

// ---- letting go

// Frees a frame, and the tails of a sector: they are the next to be taken.
static void release(uint8_t i)
{
	uint8_t k = frames[i].kind == FRAME_BLOCK || frames[i].kind == FRAME_PIPE ? FRAMES_PER_SECTOR : 1;

	while (k--) {
		struct frame *f = &frames[i + k];

		f->kind = FRAME_FREE;
		f->flags = 0;
		f->pins = 0;
		unlink(i + k);
		link_above(i + k, FRAMES);
	}
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
		pager_swapped(f->owner, frame_page[i]);
	}
	return 0;
}

// Empties a frame that is not pinned; false: its contents could not be written and stay.
static bool evict(uint8_t i)
{
	pager_unmap(i);
	return !(frames[i].flags & FRAME_DIRTY) || clean(i) == 0;
}

// ---- victims

// Takes the colder half of the frames out of the maps.
static void unmap_cold(void)
{
	uint8_t i = frame_order.hotter[FRAMES];

	for (uint8_t n = UNMAPPED; n && i != FRAMES; i = frame_order.hotter[i]) {
		if (frames[i].flags & FRAME_MAPPED)
			pager_unmap(i);
		n -= !frames[i].pins;
	}
}

// The coldest frame above i that may go, or FRAMES.
static uint8_t next_victim(uint8_t i)
{
	do
		i = frame_order.hotter[i];
	while (i != FRAMES && (frames[i].pins || frames[i].kind == FRAME_TAIL));
	return i;
}

// The coldest frame whose turn it is: a dirty one is passed over a few times.
static uint8_t coldest(void)
{
	uint8_t i = FRAMES;

	while ((i = next_victim(i)) != FRAMES) {
		uint8_t *flags = &frames[i].flags;

		if (!(*flags & FRAME_DIRTY) || *flags >= CLEAN_FIRST * FRAME_PASSED)
			break;
		*flags += FRAME_PASSED;
	}
	return i;
}

// Gives a frame that is being filled its place in the order.
static void settle(uint8_t i)
{
	uint8_t below = frame_order.colder[FRAMES];

	for (uint8_t n = NEW_BELOW; n; n--)
		below = frame_order.colder[below];
	if (below == i)
		return;
	unlink(i);
	link_above(i, below);
}

uint8_t frame_take(void)
{
	uint8_t i = coldest();

	if (i == FRAMES)
		i = next_victim(FRAMES);
	while (i != FRAMES && !evict(i))
		i = next_victim(i);
	if (i == FRAMES)
		return NO_FRAME;
	release(i);
	settle(i);
	unmap_cold();
	return i;
}

static bool evict_group(uint8_t i)
{
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		if (!evict(i + k))
			return false;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++) {
		release(i + k);
		settle(i + k);
	}
	return true;
}

// FRAMES_PER_SECTOR adjacent frames for a whole sector: the group that has been cold for longest. The first one's number.
static uint8_t frame_take_sector(void)
{
	uint8_t group, i = FRAMES;
	uint8_t seen[FRAMES / FRAMES_PER_SECTOR];

	if (FRAMES_PER_SECTOR == 1)
		return frame_take();
	memset(seen, 0, sizeof seen);
	while ((i = next_victim(i)) != FRAMES) {
		group = i / FRAMES_PER_SECTOR;
		if (frames[i].kind != FRAME_BLOCK && ++seen[group] < FRAMES_PER_SECTOR)
			continue;
		if (evict_group(group * FRAMES_PER_SECTOR))
			break;
	}
	if (i == FRAMES)
		return NO_FRAME;
	unmap_cold();
	return group * FRAMES_PER_SECTOR;
}

static uint8_t frame_of(const uint8_t *block)
{
	return (uint8_t)((uint16_t)(block - pool_memory) / FRAME_SIZE);
}

static void occupy(uint8_t i, uint8_t kind, uint32_t key)
{
	frames[i].kind = kind;
	frames[i].key = key;
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

static void block_used(uint8_t i)
{
	frames[i].pins++;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		frame_touch(i + k);
}

uint8_t *block_get(uint32_t lba)
{
	uint8_t i = frame_find(FRAME_BLOCK, lba, 0);

	if (i != NO_FRAME) {
		block_used(i);
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
		block_used(i);
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
	frames[i].flags |= FRAME_DIRTY;
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
