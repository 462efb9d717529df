// SPDX-License-Identifier: ISC
//
// The pool of frames: look-up by key, victims, write-back.
//
// Victims are chosen by LRU as far as the kernel can see. The core sets no reference bits, so every few frames taken
// the colder half of the frames leaves the maps: the next access to one of them is a soft fault, which makes it the
// hottest. A frame just filled starts a little below the top, so that a page used once goes sooner. A dirty frame is
// passed over a few times: writing costs as much as reading. (Compared with CLOCK, exact LRU and OPT on traces of a
// shell session and of the bench programs.)

#include "vm/frames.h"

#include <string.h>

#include <octix/errno.h>

#include "drivers/sd.h"
#include "drivers/sd_bus.h"
#include "vm/pager.h"


#define UNMAPPED  (FRAMES / 2) // coldest frames that are not mapped
#define NEW_BELOW ((FRAMES + 1) / 4) // places of a new frame below the hottest
#define UNMAP_EVERY (FRAMES / 3) // frames taken from one unmapping to the next
#define CLEAN_NEEDED 4         // clean frames that make it worthwhile to go on when writing fails

struct pool_counts pool_counts;
uint8_t pager_why;

__attribute__((noinline)) uint8_t frame_none(uint8_t why)
{
	pager_why = why;
	return NO_FRAME;
}

// ---- the order

void frame_touch(uint8_t i)
{
	rows_at(i)->state.flags[0] &= FRAME_PASSED - 1;
	frame_move(i, frame_rows.colder[FRAMES]);
}

void pool_init(void)
{
	uint8_t coldest = 0;

	memset(&frame_rows, 0, sizeof frame_rows);
	frame_rows.colder[0] = frame_rows.hotter[FRAMES - 1] = FRAMES;
	frame_rows.hotter[FRAMES] = 0;
	frame_rows.colder[FRAMES] = FRAMES - 1;
	for (; coldest < FRAMES - 1; coldest++) {
		rows_at(coldest)->hotter[0] = coldest + 1;
		frame_rows.colder[coldest + 1] = coldest;
	}
}

// ---- finding

uint8_t frame_find(uint8_t kind, uint32_t key, uint8_t half)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if ((uint8_t)*frame_key(i) == (uint8_t)key && state_at(i)->kind[0] == kind && *frame_key(i) == key
		    && (rows_at(i)->state.flags[0] & FRAME_HALF) == half)
			return i;
	return NO_FRAME;
}

uint8_t frame_find_private(uint8_t space, uint8_t page)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (state_at(i)->page[0] == page && state_at(i)->kind[0] == FRAME_PRIVATE && state_at(i)->owner[0] == space)
			return i;
	return NO_FRAME;
}

// ---- letting go

static void empty(uint8_t i)
{
	state_at(i)->kind[0] = FRAME_FREE;
	state_at(i)->owner[0] = 0;
	state_at(i)->pins[0] = 0;
	rows_at(i)->state.flags[0] = 0;
}

void frame_release(uint8_t i)
{
	uint8_t k = state_at(i)->kind[0] == FRAME_BLOCK || state_at(i)->kind[0] == FRAME_PIPE ? FRAMES_PER_SECTOR : 1;

	while (k--) {
		empty(i + k);
		frame_move(i + k, FRAMES);
	}
}

static void unmap(uint8_t i)
{
	if (rows_at(i)->state.flags[0] & FRAME_MAPPED)
		pager_unmap(i);
}

void frame_drop(uint8_t i)
{
	unmap(i);
	frame_release(i);
}

void frames_drop_space(uint8_t space)
{
	coming_drop(FRAME_PRIVATE, space);
	for (uint8_t i = 0; i < FRAMES; i++)
		if (state_at(i)->kind[0] == FRAME_PRIVATE && state_at(i)->owner[0] == space)
			frame_drop(i);
}

void frames_drop_program(uint32_t key)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if ((state_at(i)->kind[0] == FRAME_CODE || state_at(i)->kind[0] == FRAME_IMAGE) && *frame_key(i) == key)
			frame_drop(i);
}

uint8_t frame_read(uint8_t i, uint8_t half)
{
	if (FRAMES_PER_SECTOR == 1)
		half = SD_WHOLE;
	if (sd_ready || card_free()) {
		sd_start(*frame_key(i));
		if (sd_token == SD_WAITING && !coming_wait(i, half))
			return frame_none(PAGER_IO);
		if (sd_finish(frame_memory(i), half) == 0)
			return i;
	}
	frame_drop(i);
	return frame_none(PAGER_IO);
}

int8_t frame_clean(uint8_t i)
{
	struct frame_state *rows = state_at(i);
	uint8_t half = SD_WHOLE;

	if ((frame_coming != NO_FRAME || !sd_ready) && !card_free())
		return -OX_EIO;
	if (FRAMES_PER_SECTOR > 1 && rows->kind[0] != FRAME_BLOCK)
		half = SD_FIRST;
	if (sd_write(*frame_key(i), frame_memory(i), half) != 0)
		return -OX_EIO;
	rows->flags[0] &= (uint8_t)~FRAME_DIRTY;
	if (rows->kind[0] != FRAME_BLOCK) {
		count_up(&pool_counts.writebacks);
		pager_swapped(rows->owner[0], rows->page[0]);
	}
	return 0;
}

// Empties a frame that is not pinned. -OX_EIO: its contents could not be written and stay.
static int8_t evict(uint8_t i)
{
	unmap(i);
	return rows_at(i)->state.flags[0] & FRAME_DIRTY ? frame_clean(i) : 0;
}

// ---- victims

// Takes the colder half of the frames out of the maps.
static __attribute__((noinline)) void unmap_cold(void)
{
	uint8_t i = frame_rows.hotter[FRAMES];

	for (uint8_t n = UNMAPPED + UNMAP_EVERY / 2; n && i != FRAMES;) {
		uint8_t flags = rows_at(i)->state.flags[0];

		if (flags & FRAME_MAPPED)
			pager_unmap(i);
		if (!(flags & FRAME_KEEP))
			n--;
		i = rows_at(i)->hotter[0];
	}
}

// The same now and then: looking for them takes as long as a soft fault.
static inline void unmap_in_turn(void)
{
	static uint8_t turn;

	if (turn--)
		return;
	turn = UNMAP_EVERY - 1;
	unmap_cold();
}

// The coldest frame above i that may go, or FRAMES.
static uint8_t next_victim(uint8_t i)
{
	do
		i = rows_at(i)->hotter[0];
	while (rows_at(i)->state.flags[0] & FRAME_KEEP);
	return i;
}

// The coldest frame whose turn it is: a dirty one is passed over a few times. FRAMES: none.
static inline uint8_t coldest(void)
{
	uint8_t i = FRAMES;

	while ((i = rows_at(i)->hotter[0]) != FRAMES) {
		uint8_t flags = rows_at(i)->state.flags[0];

		if (flags & FRAME_KEEP)
			continue;
		if (!(flags & FRAME_DIRTY) || flags >= CLEAN_FIRST * FRAME_PASSED)
			return i;
		rows_at(i)->state.flags[0] = flags + FRAME_PASSED;
	}
	return next_victim(FRAMES); // all are dirty
}

// Gives a frame that is being filled its place in the order.
static void settle(uint8_t i)
{
	uint8_t below = FRAMES;

	for (uint8_t n = NEW_BELOW + 1; n; n--)
		below = rows_at(below)->colder[0];
	frame_move(i, below);
}

// For when the coldest could not be written: the coldest clean frame, emptied; FRAMES when there are so few that an
// instruction might wait for its pages for ever.
static __attribute__((noinline)) uint8_t clean_victim(void)
{
	uint8_t n = 0, coldest = FRAMES;

	for (uint8_t i = next_victim(FRAMES); i != FRAMES; i = next_victim(i))
		if (!(rows_at(i)->state.flags[0] & FRAME_DIRTY) && !n++)
			coldest = i;
	return n >= CLEAN_NEEDED && evict(coldest) == 0 ? coldest : FRAMES;
}

uint8_t frame_take_clean(void)
{
	uint8_t i = FRAMES, n = UNMAPPED, flags;

	do {
		i = next_victim(i);
		if (i == FRAMES || !n--)
			return NO_FRAME;
		flags = rows_at(i)->state.flags[0];
		if (flags < CLEAN_FIRST * FRAME_PASSED)
			rows_at(i)->state.flags[0] = flags + FRAME_PASSED;
	} while (flags & FRAME_DIRTY);
	unmap(i);
	settle(i);
	unmap_in_turn();
	return i;
}

uint8_t frame_take(void)
{
	uint8_t i = coldest();

	if (i == FRAMES)
		return frame_none(PAGER_NO_FRAME);
	if (rows_at(i)->state.flags[0] & (FRAME_MAPPED | FRAME_DIRTY) && evict(i) != 0) {
		if (card_left)
			return frame_none(PAGER_NO_FRAME);
		frame_touch(i); // not to be tried again soon
		i = clean_victim();
		if (i == FRAMES)
			return frame_none(PAGER_NO_FRAME);
	}
	if (FRAMES_PER_SECTOR > 1 && state_at(i)->kind[0] == FRAME_BLOCK)
		frame_release(i);
	settle(i);
	unmap_in_turn();
	return i;
}

uint8_t frame_copy(uint8_t from)
{
	uint8_t i = next_victim(FRAMES);

	if (i == FRAMES || i == from || (rows_at(i)->state.flags[0] & FRAME_DIRTY))
		return from;
	i = frame_take();
	memcpy(frame_memory(i), frame_memory(from), FRAME_SIZE);
	return i;
}

static bool evict_group(uint8_t i)
{
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		if (evict(i + k) != 0)
			return false;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++) {
		empty(i + k);
		settle(i + k);
	}
	return true;
}

// The group that has been cold for longest.
uint8_t frame_take_sector(void)
{
	uint8_t group, i = FRAMES;
	uint8_t seen[FRAMES / FRAMES_PER_SECTOR];

	if (FRAMES_PER_SECTOR == 1)
		return frame_take();
	memset(seen, 0, sizeof seen);
	while ((i = next_victim(i)) != FRAMES) {
		group = i / FRAMES_PER_SECTOR;
		if (state_at(i)->kind[0] != FRAME_BLOCK && ++seen[group] < FRAMES_PER_SECTOR)
			continue;
		if (evict_group(group * FRAMES_PER_SECTOR) || card_left)
			break;
	}
	if (i == FRAMES || card_left)
		return NO_FRAME;
	unmap_cold();
	return group * FRAMES_PER_SECTOR;
}
