// SPDX-License-Identifier: ISC
//
// See soft.h.

#include "soft.h"

#include <string.h>

#include <octix/oxe.h>

#include "vm/frames.h"
#include "vm/pager.h"
#include "vm/vm.h"

struct frame_rows frame_rows;

void copy_regs(uint32_t *to, const uint32_t *from)
{
	memcpy(to + 1, from + 1, 15 * sizeof *to);
}

void slot_clear(struct slot *slot)
{
	memset(slot->code, CODE_TAG_NONE, sizeof slot->code);
	memset(slot->data, MAP_ABSENT, sizeof slot->data);
}

void frame_move(uint8_t f, uint8_t below)
{
	struct frame_rows *r = &frame_rows;

	if (f == below)
		return;
	r->hotter[r->colder[f]] = r->hotter[f];
	r->colder[r->hotter[f]] = r->colder[f];
	r->hotter[f] = r->hotter[below];
	r->colder[f] = below;
	r->colder[r->hotter[below]] = f;
	r->hotter[below] = f;
}

static uint8_t half_of(unsigned page)
{
	return FRAMES_PER_SECTOR > 1 && page & 1 ? FRAME_HALF : 0;
}

static bool in_swap(const struct space *s, uint8_t page)
{
	unsigned bit = page / PAGES_PER_FRAME;

	return s->in_swap[bit / 8] >> bit % 8 & 1;
}

// Is what a reader must see the page of the program, and is it in the pool?
static bool image_there(const struct space *s, uint8_t page)
{
	uint32_t key = s->file + 1 + s->code_sectors + (uint32_t)(page - (OXE_DATA_BASE >> 8)) / 2;

	return page >= OXE_DATA_BASE >> 8 && page < s->image_end && !in_swap(s, page)
	       && frame_find(FRAME_IMAGE, key, half_of(page)) != NO_FRAME;
}

bool soft_data(uint8_t space, uint8_t page, bool write)
{
	uint8_t why;
	bool private = frame_find_private(space, page & (uint8_t)~(PAGES_PER_FRAME - 1)) != NO_FRAME;

	if (!private && (write || !image_there(&spaces[space], page)))
		return false;
	pool_counts.soft += private; // the pager counts the others
	card_restart = false; // nothing is asked of the card
	space_page(space, page, write, &why);
	return true;
}

bool soft_code(uint8_t space, unsigned page)
{
	const struct space *s = &spaces[space];
	uint8_t i = page / 2 >= s->code_sectors ? NO_FRAME : frame_find(FRAME_CODE, s->file + 1 + page / 2, half_of(page));

	if (i == NO_FRAME)
		return false;
	pool_counts.soft++;
	frame_touch(i);
	frame_rows.state.flags[i] |= FRAME_MAPPED;
	frame_rows.state.owner[i] |= (uint8_t)(1 << s->slot);
	for (unsigned k = 0; k < PAGES_PER_FRAME; k++) {
		unsigned entry = (page & 63 & ~(PAGES_PER_FRAME - 1u)) + k;

		slots[s->slot].code[entry].frame = (uint8_t)(frame_high(i) + k);
		slots[s->slot].code[entry].tag = (uint8_t)(page >> 6);
	}
	return true;
}
