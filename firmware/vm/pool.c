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
#define CLEAN_NEEDED 4         // clean frames that make it worthwhile to go on when writing fails

uint32_t frame_key[FRAMES];
struct frame_rows frame_rows;
struct pool_counts pool_counts;

// ---- the order

// Puts frame i between `colder` and what stands above that.
static void link_above(uint8_t i, uint8_t colder)
{
	uint8_t hotter = frame_rows.hotter[colder];

	frame_rows.hotter[i] = hotter;
	frame_rows.colder[i] = colder;
	frame_rows.hotter[colder] = i;
	frame_rows.colder[hotter] = i;
}

static void unlink(uint8_t i)
{
	frame_rows.hotter[frame_rows.colder[i]] = frame_rows.hotter[i];
	frame_rows.colder[frame_rows.hotter[i]] = frame_rows.colder[i];
}

void frame_touch(uint8_t i)
{
	frame_rows.flags[i] &= FRAME_PASSED - 1;
	unlink(i);
	link_above(i, frame_rows.colder[FRAMES]);
}

void pool_init(void)
{
	frame_rows.hotter[FRAMES] = frame_rows.colder[FRAMES] = FRAMES;
	for (uint8_t i = 0; i < FRAMES; i++)
		link_above(i, FRAMES);
}

// ---- finding

uint8_t frame_find(uint8_t kind, uint32_t key, uint8_t half)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if ((uint8_t)frame_key[i] == (uint8_t)key && frame_rows.kind[i] == kind && frame_key[i] == key
		    && (frame_rows.flags[i] & FRAME_HALF) == half)
			return i;
	return NO_FRAME;
}

uint8_t frame_find_private(uint8_t space, uint8_t page)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (frame_rows.page[i] == page && frame_rows.kind[i] == FRAME_PRIVATE && frame_rows.owner[i] == space)
			return i;
	return NO_FRAME;
}

// ---- letting go

static void empty(uint8_t i)
{
	frame_rows.kind[i] = FRAME_FREE;
	frame_rows.owner[i] = 0;
	frame_rows.pins[i] = 0;
	frame_rows.flags[i] = 0;
}

// Frees a frame, and the tails of a sector: they are the next to be taken.
static void release(uint8_t i)
{
	uint8_t k = frame_rows.kind[i] == FRAME_BLOCK || frame_rows.kind[i] == FRAME_PIPE ? FRAMES_PER_SECTOR : 1;

	while (k--) {
		empty(i + k);
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
		if (frame_rows.kind[i] == FRAME_PRIVATE && frame_rows.owner[i] == space)
			frame_drop(i);
}

void frames_drop_program(uint32_t key)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if ((frame_rows.kind[i] == FRAME_CODE || frame_rows.kind[i] == FRAME_IMAGE) && frame_key[i] == key)
			frame_drop(i);
}

// Writes a dirty frame back. 0 or -OX_EIO.
static int8_t clean(uint8_t i)
{
	bool block = frame_rows.kind[i] == FRAME_BLOCK;

	if (sd_write(frame_key[i], frame_memory(i), block ? SECTOR_BOTH : PAGE_HALF) != 0)
		return -OX_EIO;
	frame_rows.flags[i] &= (uint8_t)~FRAME_DIRTY;
	if (!block) {
		pool_counts.writebacks++;
		pager_swapped(frame_rows.owner[i], frame_rows.page[i]);
	}
	return 0;
}

// Empties a frame that is not pinned; false: its contents could not be written and stay.
static bool evict(uint8_t i)
{
	pager_unmap(i);
	return !(frame_rows.flags[i] & FRAME_DIRTY) || clean(i) == 0;
}

// ---- victims

// Takes the colder half of the frames out of the maps.
static void unmap_cold(void)
{
	uint8_t i = frame_rows.hotter[FRAMES];

	for (uint8_t n = UNMAPPED; n && i != FRAMES; i = frame_rows.hotter[i]) {
		uint8_t flags = frame_rows.flags[i];

		if (flags & FRAME_MAPPED)
			pager_unmap(i);
		if (!(flags & FRAME_KEEP))
			n--;
	}
}

// The coldest frame above i that may go, or FRAMES.
static uint8_t next_victim(uint8_t i)
{
	do
		i = frame_rows.hotter[i];
	while (frame_rows.flags[i] & FRAME_KEEP);
	return i;
}

// The coldest frame whose turn it is: a dirty one is passed over a few times. FRAMES: none.
static inline uint8_t coldest(void)
{
	uint8_t i = FRAMES;

	while ((i = next_victim(i)) != FRAMES) {
		uint8_t flags = frame_rows.flags[i];

		if (!(flags & FRAME_DIRTY) || flags >= CLEAN_FIRST * FRAME_PASSED)
			break;
		frame_rows.flags[i] = flags + FRAME_PASSED;
	}
	return i == FRAMES ? next_victim(FRAMES) : i; // all are dirty
}

// Gives a frame that is being filled its place in the order.
static void settle(uint8_t i)
{
	uint8_t below = FRAMES;

	for (uint8_t n = NEW_BELOW + 1; n; n--)
		below = frame_rows.colder[below];
	if (below == i)
		return;
	unlink(i);
	link_above(i, below);
}

// For when the coldest could not be written: the coldest clean frame, emptied; FRAMES when there are so few that an
// instruction might wait for its pages for ever.
static __attribute__((noinline)) uint8_t clean_victim(void)
{
	uint8_t n = 0, coldest = FRAMES;

	for (uint8_t i = next_victim(FRAMES); i != FRAMES; i = next_victim(i))
		if (!(frame_rows.flags[i] & FRAME_DIRTY) && !n++)
			coldest = i;
	return n >= CLEAN_NEEDED && evict(coldest) ? coldest : FRAMES;
}

uint8_t frame_take(void)
{
	uint8_t i = coldest();

	if (i == FRAMES)
		return NO_FRAME;
	if (frame_rows.flags[i] & (FRAME_MAPPED | FRAME_DIRTY) && !evict(i)) {
		frame_touch(i); // not to be tried again soon
		i = clean_victim();
		if (i == FRAMES)
			return NO_FRAME;
	}
	if (FRAMES_PER_SECTOR > 1 && frame_rows.kind[i] == FRAME_BLOCK)
		release(i);
	empty(i);
	settle(i);
	unmap_cold();
	return i;
}

uint8_t frame_copy(uint8_t from)
{
	uint8_t i = next_victim(FRAMES);

	if (i == FRAMES || i == from || (frame_rows.flags[i] & FRAME_DIRTY))
		return from;
	i = frame_take();
	memcpy(frame_memory(i), frame_memory(from), FRAME_SIZE);
	return i;
}

static bool evict_group(uint8_t i)
{
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		if (!evict(i + k))
			return false;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++) {
		empty(i + k);
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
		if (frame_rows.kind[i] != FRAME_BLOCK && ++seen[group] < FRAMES_PER_SECTOR)
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
	frame_rows.kind[i] = kind;
	frame_key[i] = key;
	frame_rows.pins[i] = 1;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		frame_rows.flags[i + k] = FRAME_KEEP;
	for (uint8_t k = 1; k < FRAMES_PER_SECTOR; k++)
		frame_rows.kind[i + k] = FRAME_TAIL;
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
	frame_rows.pins[i]++;
	frame_rows.flags[i] |= FRAME_KEEP;
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
	frame_rows.page[i] = sd_crc == 0;
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

	if (!(frame_rows.flags[i] & FRAME_DIRTY))
		frames_drop_program(frame_key[i]);
	frame_rows.page[i] = false;
	frame_rows.flags[i] |= FRAME_DIRTY;
}

bool block_sealed(const uint8_t *block)
{
	return frame_rows.page[frame_of(block)];
}

int8_t block_write(uint8_t *block, uint32_t lba)
{
	uint8_t i = frame_of(block);

	if (frame_key[i] == lba)
		return clean(i);
	return sd_write(lba, block, SECTOR_BOTH) ? -OX_EIO : 0;
}

void block_put(uint8_t *block)
{
	uint8_t i = frame_of(block);

	if (!--frame_rows.pins[i])
		frame_rows.flags[i] &= (uint8_t)~FRAME_KEEP;
}

int8_t block_flush(void)
{
	int8_t result = 0;

	for (uint8_t i = 0; i < FRAMES; i++)
		if (frame_rows.kind[i] == FRAME_BLOCK && (frame_rows.flags[i] & FRAME_DIRTY) && clean(i) != 0)
			result = -OX_EIO;
	return result;
}

void block_forget(uint32_t first, uint32_t count)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (frame_rows.kind[i] == FRAME_BLOCK && frame_key[i] - first < count && !frame_rows.pins[i])
			release(i);
}
