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

#include <assert.h>
#include <string.h>

#include <avr/pgmspace.h>

#include <octix/opcodes.h>
#include <octix/oxe.h>

#include "drivers/sd.h"
#include "vm/frames.h"
#include "vm/vm.h"

#define PAGE_MASK  ((uint8_t)~(PAGES_PER_FRAME - 1)) // of a page number: its frame's first page
#define NOINLINE __attribute__((noinline))
#define CODE_INDEX_MASK ((uint8_t)~(2 * PAGES_PER_FRAME - 1))

struct space spaces[SPACES];
static uint32_t swap_first;
static uint8_t spaces_usable;

// By way of a pointer that the compiler cannot see through, or it computes the address each time anew.
__attribute__((always_inline)) static inline struct space *space_at(uint8_t n)
{
	struct space *s = &spaces[n];

	__asm__("" : "+r"(s));
	return s;
}

static uint8_t bit(uint8_t n)
{
	static const uint8_t bits[] PROGMEM = { 1, 2, 4, 8, 16, 32, 64, 128 };

	return pgm_read_byte(&bits[n]);
}

static uint8_t page_bit(uint8_t page)
{
	return bit(page / PAGES_PER_FRAME & 7);
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
	return swap_first + ((uint16_t)space << 8 | page) / PAGES_PER_FRAME; // DATA_PAGES sectors a space
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

uint8_t space_like(uint8_t space)
{
	uint8_t i = space_new();

	if (i != NO_SPACE) {
		memcpy(&spaces[i], &spaces[space], offsetof(struct space, slot));
		spaces[i].slot = NO_SLOT;
	}
	return i;
}

void space_free(uint8_t space)
{
	assert(space < SPACES);
	frames_drop_space(space);
	spaces[space].slot = NO_SLOT;
	spaces[space].file = 0;
}

void slot_bind(uint8_t slot, uint8_t space)
{
	slot_clear(&slots[slot]);
	spaces[space].slot = slot;
}

// ---- maps

_Static_assert(sizeof(struct slot) == 3 * 256 && offsetof(struct slot, data) == 2 * 256, "map_data");

// The pages of a frame are mapped and unmapped together. Entries of the code map lie two bytes apart, as the index byte counts.
void pager_unmap(uint8_t i)
{
	struct frame_state *rows = state_at(i);
	uint8_t kind = rows->kind[0], in = rows->owner[0], page = rows->page[0], high = frame_high(i);
	uint8_t *entry = kind == FRAME_CODE ? &slots[0].code[0].frame + (page & 0x7f) : slots[0].data + page;

	rows->flags[0] &= (uint8_t)~FRAME_MAPPED;
	if (kind == FRAME_PRIVATE) {
		if (spaces[in].slot == NO_SLOT)
			return;
		in = bit(spaces[in].slot);
	}
	for (; in; in >>= 1, entry += sizeof slots[0]) {
		if (!(in & 1))
			continue;
		if (kind == FRAME_CODE) {
			if (*entry == high)
				for (uint8_t k = 1; k <= PAGES_PER_FRAME; k++)
					entry[2 * k - 1] = CODE_TAG_NONE;
		} else if ((uint8_t)(*entry & 0x7f) == high) {
			for (uint8_t k = 0; k < PAGES_PER_FRAME; k++)
				entry[k] = MAP_ABSENT;
		}
	}
}

void pager_swapped(uint8_t space, uint8_t page)
{
	*page_bits(&spaces[space], page) |= page_bit(page);
	spaces[space].writebacks++;
}

static void map_data(uint8_t slot, uint8_t i)
{
	struct frame_state *rows = state_at(i);
	uint8_t page = rows->page[0], flags = rows->flags[0], value = frame_high(i);
	uint8_t *entry;

	if (slot == NO_SLOT)
		return;
	rows->flags[0] = flags | FRAME_MAPPED;
	if (rows->kind[0] != FRAME_PRIVATE) {
		rows->owner[0] |= bit(slot);
		flags = 0;
	}
	if (!(flags & FRAME_DIRTY))
		value |= MAP_CLEAN;
	entry = (uint8_t *)slots + ((uint16_t)(uint8_t)(3 * slot + 2) << 8 | page); // slots[slot].data + page, without a multiplication
	for (uint8_t k = 0; k < PAGES_PER_FRAME; k++)
		*entry++ = value++;
}

static void map_code(uint8_t slot, uint8_t i, uint8_t tag)
{
	struct frame_state *rows = state_at(i);
	struct code_entry *entry = &slots[slot].code[(rows->page[0] & 0x7f) / 2];
	uint8_t high = frame_high(i);

	for (uint8_t k = 0; k < PAGES_PER_FRAME; k++, entry++) {
		entry->frame = high++;
		entry->tag = tag;
	}
	rows->owner[0] |= bit(slot);
	rows->flags[0] |= FRAME_MAPPED;
}

// ---- bringing pages in

// What a frame from frame_take is to hold.
static NOINLINE void fill_frame(uint8_t i, uint8_t kind, uint32_t key, uint8_t page)
{
	struct frame_state *rows = state_at(i);

	rows->flags[0] = 0;
	rows->page[0] = page;
	rows->kind[0] = kind;
	rows->owner[0] = 0;
	*frame_key(i) = key;
}

// Reads the frame's sector (its half, with 256-byte frames). The frame, or NO_FRAME.
static inline uint8_t read_frame(uint8_t i)
{
	uint8_t half = FRAMES_PER_SECTOR == 1 ? SD_WHOLE : state_at(i)->flags[0] & FRAME_HALF ? SD_SECOND : SD_FIRST;

	return frame_read(i, half);
}

static uint8_t make_private(uint8_t i, uint8_t space, uint8_t page)
{
	fill_frame(i, FRAME_PRIVATE, swap_sector(space, page), page);
	state_at(i)->owner[0] = space;
	return i;
}

static uint8_t from_swap(uint8_t space, uint8_t page)
{
	uint8_t i = frame_take();

	return i == NO_FRAME ? i : read_frame(make_private(i, space, page));
}

static uint8_t zero_filled(uint8_t space, uint8_t page)
{
	uint8_t i = frame_take();

	if (i == NO_FRAME)
		return i;
	count_up(&pool_counts.zero);
	memset(frame_memory(i), 0, FRAME_SIZE);
	return make_private(i, space, page);
}

static uint32_t image_key(const struct space *s, uint8_t page)
{
	return s->file + (s->code_sectors + 1u + (uint8_t)(page - (OXE_DATA_BASE >> 8)) / 2);
}

static uint8_t half_of(uint8_t page)
{
	return FRAMES_PER_SECTOR > 1 && (page & 1) ? FRAME_HALF : 0;
}

static void set_half(uint8_t i, uint8_t page)
{
	if (FRAMES_PER_SECTOR > 1)
		state_at(i)->flags[0] = half_of(page);
}

static uint8_t from_image(const struct space *s, uint8_t page)
{
	uint8_t i = frame_take();

	if (i == NO_FRAME)
		return i;
	fill_frame(i, FRAME_IMAGE, image_key(s, page), page);
	set_half(i, page);
	return read_frame(i);
}

// Its frame, if it is in the pool.
static uint8_t find_image(const struct space *s, uint8_t page)
{
	uint8_t i = frame_find(FRAME_IMAGE, image_key(s, page), half_of(page));

	if (i != NO_FRAME) {
		frame_touch(i);
		count_up(&pool_counts.soft);
		pager_why = PAGER_OK;
	}
	return i;
}

// Brings in and maps a page that is not a private frame, and not (unless `look`) an image frame; a write makes it private and
// dirty. Its frame, or NO_FRAME.
static uint8_t bring(uint8_t space, uint8_t page, bool write, bool look)
{
	struct space *s = space_at(space);
	uint8_t i = NO_FRAME;

	if (page < OXE_DATA_BASE >> 8 || (write && page < s->readonly_end))
		return frame_none(PAGER_SEGV);
	if (page >= s->heap_end && page < s->stack_start)
		return frame_none(PAGER_SEGV);
	page &= PAGE_MASK;
	pager_why = PAGER_HARD;
	if (*page_bits(s, page) & page_bit(page)) {
		i = from_swap(space, page);
	} else if (page < s->image_end) {
		if (look)
			i = find_image(s, page);
		if (i == NO_FRAME)
			i = from_image(s, page);
	} else {
		i = zero_filled(space, page);
	}
	if (i == NO_FRAME)
		return i;
	if (pager_why)
		count_up(&pool_counts.hard);
	if (write) {
		if (state_at(i)->kind[0] == FRAME_IMAGE) {
			pager_unmap(i);
			i = make_private(frame_copy(i), space, page);
		}
		state_at(i)->flags[0] |= FRAME_DIRTY;
	}
	map_data(s->slot, i);
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

uint8_t *space_page(uint8_t space, uint8_t page, bool write, uint8_t *result)
{
	const struct space *s = &spaces[space];
	uint8_t *address = mapped_page(s, page, write);
	uint8_t i;

	if (address)
		return address;
	i = frame_find_private(space, page & PAGE_MASK);
	if (i == NO_FRAME && frame_coming != NO_FRAME) { // it may be this one
		*result = PAGER_IO;
		if (!card_free())
			return 0;
		i = frame_find_private(space, page & PAGE_MASK);
	}
	if (i == NO_FRAME) {
		i = bring(space, page, write, true);
		*result = pager_why;
		if (i == NO_FRAME)
			return 0;
	} else {
		frame_touch(i);
		if (write)
			state_at(i)->flags[0] |= FRAME_DIRTY;
		map_data(s->slot, i);
	}
	return frame_memory(i) + ((page & (PAGES_PER_FRAME - 1)) << 8);
}

// The card brings a block for somebody else. It may be this page: the instruction is to run again.
static uint8_t after_coming(void)
{
	return card_free() ? PAGER_OK : PAGER_IO;
}

uint8_t pager_data_fault(uint8_t space, uint8_t page, bool write)
{
	if (frame_coming != NO_FRAME)
		return after_coming();
	bring(space, page, write, write);
	return pager_why;
}

// The last bytes of each page become page ends: no operand is ever fetched from a neighbour.
static void patch_ends(uint8_t i)
{
	uint8_t *page = frame_memory(i);

	for (uint8_t k = 0; k < PAGES_PER_FRAME; k++, page += OXE_PAGE)
		memset(page + OXE_PAGE_USED, OP_pgend, OXE_PAGE - OXE_PAGE_USED);
}

bool pager_code_come(uint8_t i)
{
	patch_ends(i);
	return sd_crc == 0;
}

uint8_t pager_code_fault(uint8_t space, uint8_t index, uint8_t tag)
{
	const struct space *s = &spaces[space];
	uint16_t page = (uint16_t)tag * 64 + (index & 0x7f) / 2;
	uint8_t i;

	if (page / 2 >= s->code_sectors)
		return PAGER_SEGV;
	if (frame_coming != NO_FRAME)
		return after_coming();
	i = frame_take();
	if (i == NO_FRAME)
		return pager_why;
	fill_frame(i, FRAME_CODE, s->file + (1 + page / 2), index & CODE_INDEX_MASK);
	set_half(i, (uint8_t)page);
	if (read_frame(i) == NO_FRAME)
		return pager_why;
	count_up(&pool_counts.hard);
	if (!pager_code_come(i)) {
		frame_drop(i);
		return PAGER_BAD_CODE;
	}
	map_code(s->slot, i, tag);
	return PAGER_HARD;
}

// ---- fork

// Writes a frame to where the same page of another space has its place in swap.
static int8_t write_for(uint8_t i, uint8_t space, uint8_t page)
{
	if ((frame_coming != NO_FRAME || !sd_ready) && !card_free())
		return -1;
	if (sd_write(swap_sector(space, page), frame_memory(i), FRAMES_PER_SECTOR > 1 ? SD_FIRST : SD_WHOLE) != 0)
		return -1;
	count_up(&pool_counts.writebacks);
	pager_swapped(space, page);
	return 0;
}

// The private frame of a page that its space has changed, brought in when it is in swap only.
static uint8_t changed_frame(uint8_t space, uint8_t page)
{
	uint8_t i = frame_find_private(space, page);
	bool swapped = *page_bits(&spaces[space], page) & page_bit(page);

	if (i != NO_FRAME)
		return swapped || state_at(i)->flags[0] & FRAME_DIRTY ? i : frame_none(PAGER_OK);
	if (!swapped)
		return frame_none(PAGER_OK);
	i = from_swap(space, page);
	if (i != NO_FRAME)
		count_up(&pool_counts.hard);
	return i;
}

uint16_t space_copy(uint8_t from, uint8_t to, uint16_t page)
{
	if (frame_coming != NO_FRAME)
		card_free();
	for (; page < COPY_DONE; page += PAGES_PER_FRAME) {
		uint8_t i = changed_frame(from, (uint8_t)page);

		if (i != NO_FRAME)
			return write_for(i, to, (uint8_t)page) == 0 ? page + PAGES_PER_FRAME : COPY_FAILED;
		if (pager_why != PAGER_OK)
			return COPY_FAILED;
	}
	return COPY_DONE;
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
		n += state_at(i)->kind[0] == FRAME_PRIVATE && state_at(i)->owner[0] == space;
	return n;
}
