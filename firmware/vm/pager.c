// SPDX-License-Identifier: ISC
//
// Page faults. Where a page comes from:
//   private frame of the space in the pool           soft fault
//   its sector in swap, when its bit in in_swap is set
//   the program file, below image_end                shared, clean, until the first write makes it private
//   zeros, in bss, heap and stack
// The first write makes a copy of an image frame, so that the next run of the program finds it, or takes the frame itself:
// then others that map it read it again.

#include "vm/pager.h"

#include <string.h>

#include <octix/opcodes.h>
#include <octix/oxe.h>

#include "drivers/sd.h"
#include "vm/frames.h"
#include "vm/vm.h"

#define PAGE_MASK  ((uint8_t)~(PAGES_PER_FRAME - 1)) // of a page number: its frame's first page
#define CODE_INDEX_MASK ((uint8_t)~(2 * PAGES_PER_FRAME - 1))

struct space spaces[SPACES];
static uint32_t swap_first;
static uint8_t spaces_usable;

static uint8_t page_bit(uint8_t page)
{
	return (uint8_t)(1 << (page / PAGES_PER_FRAME & 7));
}

static uint8_t *page_bits(struct space *s, uint8_t page)
{
	return &s->in_swap[page / PAGES_PER_FRAME / 8];
}

uint8_t pager_set_swap(uint32_t first, uint32_t sectors)
{
	uint32_t room = sectors / DATA_PAGES;

	swap_first = first;
	spaces_usable = room > SPACES ? SPACES : (uint8_t)room;
	return spaces_usable;
}

static uint32_t swap_sector(uint8_t space, uint8_t page)
{
	return swap_first + (uint16_t)(space * (uint16_t)DATA_PAGES) + page / PAGES_PER_FRAME;
}

uint8_t space_new(void)
{
	for (uint8_t i = 0; i < spaces_usable; i++)
		if (!spaces[i].file) {
			memset(&spaces[i], 0, sizeof spaces[i]);
			spaces[i].slot = NO_SLOT;
			return i;
		}
	return NO_SPACE;
}

void space_free(uint8_t space)
{
	frames_drop_space(space);
	if (spaces[space].slot != NO_SLOT)
		slot_unbind(spaces[space].slot);
	spaces[space].file = 0;
}

void slot_bind(uint8_t slot, uint8_t space)
{
	memset(slots[slot].data, MAP_ABSENT, sizeof slots[slot].data);
	memset(slots[slot].code, CODE_TAG_NONE, sizeof slots[slot].code);
	spaces[space].slot = slot;
}

void slot_unbind(uint8_t slot)
{
	for (uint8_t i = 0; i < SPACES; i++)
		if (spaces[i].slot == slot)
			spaces[i].slot = NO_SLOT;
}

// ---- maps

// The pages of a frame are mapped and unmapped together.
static void unmap_data(uint8_t slot, uint8_t page, uint8_t high)
{
	uint8_t *entry = &slots[slot].data[page];

	if ((*entry & 0x7f) == high)
		for (uint8_t k = 0; k < PAGES_PER_FRAME; k++)
			entry[k] = MAP_ABSENT;
}

static void unmap_code(uint8_t slot, uint8_t index, uint8_t high)
{
	struct code_entry *entry = &slots[slot].code[(index & 0x7f) / 2];

	if (entry->frame == high)
		for (uint8_t k = 0; k < PAGES_PER_FRAME; k++)
			entry[k].tag = CODE_TAG_NONE;
}

void pager_unmap(uint8_t i)
{
	uint8_t kind = frame_rows.kind[i], in = frame_rows.owner[i];
	uint8_t page = frame_rows.page[i], high = frame_high(i);

	if (!(frame_rows.flags[i] & FRAME_MAPPED))
		return;
	frame_rows.flags[i] &= (uint8_t)~FRAME_MAPPED;
	if (kind == FRAME_PRIVATE) {
		if (spaces[in].slot != NO_SLOT)
			unmap_data(spaces[in].slot, page, high);
		return;
	}
	for (uint8_t slot = 0; in; in >>= 1, slot++) {
		if (!(in & 1))
			continue;
		if (kind == FRAME_CODE)
			unmap_code(slot, page, high);
		else
			unmap_data(slot, page, high);
	}
}

void pager_swapped(uint8_t space, uint8_t page)
{
	*page_bits(&spaces[space], page) |= page_bit(page);
	spaces[space].writebacks++;
}

static void note_mapped(uint8_t slot, uint8_t i)
{
	if (frame_rows.kind[i] != FRAME_PRIVATE)
		frame_rows.owner[i] |= (uint8_t)(1 << slot);
	frame_rows.flags[i] |= FRAME_MAPPED;
}

static void map_data(uint8_t slot, uint8_t i)
{
	uint8_t *entry = &slots[slot].data[frame_rows.page[i]];
	uint8_t value = frame_high(i);

	if (frame_rows.kind[i] != FRAME_PRIVATE || !(frame_rows.flags[i] & FRAME_DIRTY))
		value |= MAP_CLEAN;
	for (uint8_t k = 0; k < PAGES_PER_FRAME; k++)
		*entry++ = value++;
	note_mapped(slot, i);
}

static void map_code(uint8_t slot, uint8_t i, uint8_t tag)
{
	struct code_entry *entry = &slots[slot].code[(frame_rows.page[i] & 0x7f) / 2];
	uint8_t high = frame_high(i);

	for (uint8_t k = 0; k < PAGES_PER_FRAME; k++, entry++) {
		entry->frame = high++;
		entry->tag = tag;
	}
	note_mapped(slot, i);
}

// ---- bringing pages in

// Reads sector `key` (its half, with 256-byte frames) into an empty frame.
static uint8_t read_frame(uint8_t i, uint32_t key, uint8_t half)
{
	uint8_t which = FRAMES_PER_SECTOR == 1 ? 2 : half ? 1 : 0;

	pool_counts.hard++;
	return sd_read(key, frame_memory(i), which) ? PAGER_IO : PAGER_HARD;
}

static void fill_frame(uint8_t i, uint8_t kind, uint32_t key, uint8_t flags)
{
	frame_rows.kind[i] = kind;
	frame_key[i] = key;
	frame_rows.flags[i] = flags;
	frame_rows.pins[i] = 0;
}

static uint8_t make_private(uint8_t i, uint8_t space, uint8_t page, uint8_t flags)
{
	fill_frame(i, FRAME_PRIVATE, swap_sector(space, page), flags);
	frame_rows.owner[i] = space;
	frame_rows.page[i] = page;
	return i;
}

static uint8_t from_swap(uint8_t space, uint8_t page, uint8_t *why)
{
	uint8_t i = frame_take();

	if (i == NO_FRAME)
		return NO_FRAME;
	*why = read_frame(i, swap_sector(space, page), 0);
	return *why == PAGER_HARD ? make_private(i, space, page, 0) : NO_FRAME;
}

static uint8_t zero_filled(uint8_t space, uint8_t page, uint8_t *why)
{
	uint8_t i = frame_take();

	if (i == NO_FRAME)
		return NO_FRAME;
	*why = PAGER_HARD;
	pool_counts.hard++;
	pool_counts.zero++;
	memset(frame_memory(i), 0, FRAME_SIZE);
	return make_private(i, space, page, 0);
}

// `look`: its frame may be in the pool.
static uint8_t from_image(uint8_t space, uint8_t page, bool look, uint8_t *why)
{
	const struct space *s = &spaces[space];
	uint32_t key = s->file + (s->image_sector + (uint8_t)(page - (OXE_DATA_BASE >> 8)) / 2);
	uint8_t half = FRAMES_PER_SECTOR > 1 && (page & 1) ? FRAME_HALF : 0;
	uint8_t i = look ? frame_find(FRAME_IMAGE, key, half) : NO_FRAME;

	if (i != NO_FRAME) {
		frame_touch(i);
		pool_counts.soft++;
		*why = PAGER_OK;
		return i;
	}
	i = frame_take();
	if (i == NO_FRAME)
		return NO_FRAME;
	*why = read_frame(i, key, half);
	if (*why != PAGER_HARD)
		return NO_FRAME;
	fill_frame(i, FRAME_IMAGE, key, half);
	frame_rows.page[i] = page;
	return i;
}

// Does the page exist, and may it be written?
static bool allowed(const struct space *s, uint8_t page, bool write)
{
	if (page < OXE_DATA_BASE >> 8 || (write && page < s->readonly_end))
		return false;
	return page < s->heap_end || page >= s->stack_start;
}

// Brings in a page that is not a private frame, and not (unless `look`) an image frame; a write makes it private and dirty. Its
// frame, or NO_FRAME.
static uint8_t bring(uint8_t space, uint8_t page, bool write, bool look, uint8_t *why)
{
	struct space *s = &spaces[space];
	uint8_t i;

	*why = PAGER_SEGV;
	if (!allowed(s, page, write))
		return NO_FRAME;
	page &= PAGE_MASK;
	*why = PAGER_NO_FRAME;
	if (*page_bits(s, page) & page_bit(page))
		i = from_swap(space, page, why);
	else if (page < s->image_end)
		i = from_image(space, page, look, why);
	else
		i = zero_filled(space, page, why);
	if (i == NO_FRAME || !write)
		return i;
	if (frame_rows.kind[i] == FRAME_IMAGE) {
		pager_unmap(i);
		i = make_private(frame_copy(i), space, page, 0);
	}
	frame_rows.flags[i] |= FRAME_DIRTY;
	return i;
}

// The address of a page that the space's slot has mapped, for this kind of access; or NULL.
static uint8_t *mapped_page(const struct space *s, uint8_t page, bool write)
{
	uint8_t entry = s->slot == NO_SLOT ? MAP_ABSENT : slots[s->slot].data[page];

	if (write ? entry & MAP_CLEAN : entry == MAP_ABSENT)
		return 0;
	return page_address(entry & 0x7f);
}

uint8_t *space_page(uint8_t space, uint8_t page, bool write, uint8_t *why)
{
	const struct space *s = &spaces[space];
	uint8_t *address = mapped_page(s, page, write);
	uint8_t i;

	if (address)
		return address;
	i = frame_find_private(space, page & PAGE_MASK);
	if (i == NO_FRAME) {
		i = bring(space, page, write, true, why);
		if (i == NO_FRAME)
			return 0;
	} else {
		frame_touch(i);
		if (write)
			frame_rows.flags[i] |= FRAME_DIRTY;
	}
	if (s->slot != NO_SLOT)
		map_data(s->slot, i);
	return frame_memory(i) + ((page & (PAGES_PER_FRAME - 1)) << 8);
}

uint8_t pager_data_fault(uint8_t space, uint8_t page, bool write)
{
	uint8_t why;
	uint8_t i = bring(space, page, write, write, &why);

	if (i != NO_FRAME)
		map_data(spaces[space].slot, i);
	return why;
}

// The last bytes of each page become page ends: no operand is ever fetched from a neighbour.
static void patch_ends(uint8_t i)
{
	uint8_t *page = frame_memory(i);

	for (uint8_t k = 0; k < PAGES_PER_FRAME; k++, page += OXE_PAGE)
		memset(page + OXE_PAGE_USED, OP_pgend, OXE_PAGE - OXE_PAGE_USED);
}

uint8_t pager_code_fault(uint8_t space, uint8_t index, uint8_t tag)
{
	const struct space *s = &spaces[space];
	uint16_t page = (uint16_t)tag * 64 + (index & 0x7f) / 2;
	uint32_t key = s->file + (s->code_sector + page / 2);
	uint8_t half = FRAMES_PER_SECTOR > 1 && (page & 1) ? FRAME_HALF : 0;
	uint8_t i;

	if (page >= s->code_pages)
		return PAGER_SEGV;
	i = frame_take();
	if (i == NO_FRAME)
		return PAGER_NO_FRAME;
	if (read_frame(i, key, half) != PAGER_HARD)
		return PAGER_IO;
	if (sd_crc != 0)
		return PAGER_BAD_CODE;
	patch_ends(i);
	fill_frame(i, FRAME_CODE, key, half);
	frame_rows.page[i] = index & CODE_INDEX_MASK;
	map_code(s->slot, i, tag);
	return PAGER_HARD;
}

uint16_t space_swapped(uint8_t space)
{
	uint16_t n = 0;

	for (uint8_t i = 0; i < sizeof spaces[space].in_swap; i++)
		for (uint8_t b = spaces[space].in_swap[i]; b; b &= b - 1)
			n++;
	return n;
}

uint8_t space_resident(uint8_t space)
{
	uint8_t n = 0;

	for (uint8_t i = 0; i < FRAMES; i++)
		n += frame_rows.kind[i] == FRAME_PRIVATE && frame_rows.owner[i] == space;
	return n;
}
