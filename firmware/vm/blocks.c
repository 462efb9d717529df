// SPDX-License-Identifier: ISC
//
// The file system's view of the pool: blocks of 512 bytes; and the buffers of pipes.

#include <assert.h>
#include <string.h>

#include <octix/errno.h>

#include "drivers/sd.h"
#include "vm/frames.h"
#include "vm/pool.h"

static uint8_t frame_of(const uint8_t *block)
{
	return (uint8_t)((uint16_t)(block - pool_memory) / FRAME_SIZE);
}

static void occupy(uint8_t i, uint8_t kind, uint32_t key)
{
	state_at(i)->kind[0] = kind;
	*frame_key(i) = key;
	state_at(i)->pins[0] = 1;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		state_at(i + k)->flags[0] = FRAME_KEEP;
	for (uint8_t k = 1; k < FRAMES_PER_SECTOR; k++)
		state_at(i + k)->kind[0] = FRAME_TAIL;
}

uint8_t frame_take_pipe(void)
{
	uint8_t i, n = 0;

	for (i = 0; i < FRAMES; i++)
		n += state_at(i)->kind[0] == FRAME_PIPE;
	i = n < SECTORS_OF_PIPES ? frame_take_sector() : NO_FRAME;
	if (i != NO_FRAME)
		occupy(i, FRAME_PIPE, 0);
	return i;
}

static void block_used(uint8_t i)
{
	state_at(i)->pins[0]++;
	state_at(i)->flags[0] |= FRAME_KEEP;
	for (uint8_t k = 0; k < FRAMES_PER_SECTOR; k++)
		frame_touch(i + k);
}

// The block, pinned; `fresh`: it need not be read. NULL: left, or failed.
static inline uint8_t *find_block(uint32_t lba, bool fresh)
{
	uint8_t i = frame_find(FRAME_BLOCK, lba, 0);

	if (i == NO_FRAME && frame_coming != NO_FRAME) { // it may be this one
		if (!card_free())
			return 0;
		i = frame_find(FRAME_BLOCK, lba, 0);
	}
	if (i != NO_FRAME) {
		block_used(i);
		return frame_memory(i);
	}
	i = frame_take_sector();
	if (i == NO_FRAME)
		return 0;
	occupy(i, FRAME_BLOCK, lba);
	if (!fresh && frame_read(i, SD_WHOLE) == NO_FRAME)
		return 0;
	state_at(i)->page[0] = sd_crc == 0;
	return frame_memory(i);
}

static uint8_t *block_at(uint32_t lba, bool fresh)
{
	uint8_t *block = find_block(lba, fresh);

	if (!block && card_left)
		leave_call();
	return block;
}

void blocks_let_go(void)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (state_at(i)->kind[0] == FRAME_BLOCK) {
			state_at(i)->pins[0] = 0;
			state_at(i)->flags[0] &= (uint8_t)~FRAME_KEEP;
		}
}

bool block_here(uint32_t lba)
{
	return frame_find(FRAME_BLOCK, lba, 0) != NO_FRAME;
}

void block_ahead(uint32_t lba)
{
	uint8_t i;

	if (frame_coming != NO_FRAME || !sd_ready || block_here(lba))
		return;
	i = frame_take_clean();
	if (i == NO_FRAME)
		return;
	occupy(i, FRAME_BLOCK, lba);
	coming_ahead(i);
}

uint8_t *block_get(uint32_t lba)
{
	return block_at(lba, false);
}

uint8_t *block_new(uint32_t lba)
{
	uint8_t *block = block_at(lba, true);

	if (block) {
		memset(block, 0, 512);
		block_dirty(block);
	}
	return block;
}

void block_dirty(uint8_t *block)
{
	uint8_t i = frame_of(block);

	card_restart = false;
	if (!(state_at(i)->flags[0] & FRAME_DIRTY))
		frames_drop_program(*frame_key(i));
	state_at(i)->page[0] = false;
	state_at(i)->flags[0] |= FRAME_DIRTY;
}

void block_done(uint8_t *block)
{
	uint8_t i = frame_of(block);

	state_at(i)->flags[0] |= CLEAN_FIRST * FRAME_PASSED;
	frame_move(i, FRAMES);
}

bool block_sealed(const uint8_t *block)
{
	return state_at(frame_of(block))->page[0];
}

int8_t block_write(uint8_t *block, uint32_t lba)
{
	uint8_t i = frame_of(block);

	block_dirty(block);
	if (*frame_key(i) == lba)
		return frame_clean(i);
	if (frame_coming != NO_FRAME)
		card_free();
	return sd_write(lba, block, SD_WHOLE) ? -OX_EIO : 0;
}

void block_put(uint8_t *block)
{
	uint8_t i = frame_of(block);

	assert(state_at(i)->pins[0] && state_at(i)->kind[0] == FRAME_BLOCK);
	if (!--state_at(i)->pins[0])
		state_at(i)->flags[0] &= (uint8_t)~FRAME_KEEP;
}

int8_t block_flush(void)
{
	int8_t result = 0;

	if (frame_coming != NO_FRAME)
		card_free();
	for (uint8_t i = 0; i < FRAMES && !card_left; i++)
		if (state_at(i)->kind[0] == FRAME_BLOCK && (state_at(i)->flags[0] & FRAME_DIRTY) && frame_clean(i) != 0)
			result = -OX_EIO;
	if (card_left)
		leave_call();
	return result;
}

void block_forget(uint32_t first, uint32_t count)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (state_at(i)->kind[0] == FRAME_BLOCK && *frame_key(i) - first < count && !state_at(i)->pins[0])
			frame_release(i);
}
