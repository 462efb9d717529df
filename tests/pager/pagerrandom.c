// SPDX-License-Identifier: ISC
//
// The kernel's pool and pager on the host, against a model: pagerrandom [RUNS [SEED]]. Each run is a few thousand random
// steps: faults as the core would raise them, loads and stores through the maps, accesses of system calls, blocks of
// the file system, pipes, new and dying spaces, context slots that change hands. The card makes its callers wait now and then, so that reads are
// left and what wanted them runs again; blocks are read ahead; reads that were left fail sometimes. After each step every map entry must show
// what the model says. Built once for frames of 512 and once for 256 bytes.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <octix/opcodes.h>
#include <octix/oxe.h>

#include "drivers/sd.h"
#include "drivers/sd_bus.h"
#include "kernel/clock.h"
#include "soft.h"
#include "vm/frames.h"
#include "vm/pager.h"
#include "vm/pool.h"
#include "vm/vm.h"

#define SECTORS    8192
#define SWAP_FIRST 4096
#define BLOCKS     64          // sectors 1 .. BLOCKS are the file system's
#define PROGRAMS   3
#define PROGRAM_AT(n) (1000 + 100 * (n))
#define CODE_SECTORS  12
#define RO_SECTORS    3
#define DATA_SECTORS  2
#define PROGRAM_SECTORS (1 + CODE_SECTORS + RO_SECTORS + DATA_SECTORS)
#define HEAP_PAGES    24       // of 256 bytes, behind the data
#define STACK_PAGE    0xf8

static uint8_t *model_pool;

uint32_t sd_sectors = SECTORS, sd_reads, sd_writes;
uint16_t sd_crc;
static uint8_t disk[SECTORS][512];

static uint8_t want[SPACES][65536]; // what each space must see
static uint8_t program_of[SPACES];
static bool alive[SPACES];
static int8_t owner_of_slot[SLOTS]; // space or -1
static uint8_t block_want[BLOCKS + 1][512];

static unsigned long seed;

static unsigned pick(unsigned n)
{
	seed = seed * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(seed >> 33) % n;
}

static void fail(const char *what, unsigned a, unsigned b)
{
	fprintf(stderr, "pagerrandom: %s (%u, %u)\n", what, a, b);
	abort();
}

// ---- the card

static uint16_t crc16(const uint8_t *p, unsigned n)
{
	uint16_t crc = 0;

	while (n--) {
		crc ^= (uint16_t)(*p++ << 8);
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
	}
	return crc;
}

uint8_t sd_ready = 1, sd_token = SD_NO_TOKEN;
static uint32_t started = SECTORS; // SECTORS: no read is under way
static unsigned polls;             // that the card is waited for
static bool was_left;              // by the caller of sd_start
static unsigned lefts, calls_left, errors, wakes, orphans, starts, aheads, hits;

static void copy_block(uint32_t lba, uint8_t *buf, uint8_t half)
{
	if (lba >= SECTORS)
		fail("read beyond the card", lba, half);
	sd_reads++;
	sd_crc = crc16(disk[lba], 512);
	memcpy(buf, disk[lba] + (half == SD_SECOND ? 256 : 0), half == SD_WHOLE ? 512 : 256);
}

void sd_start(uint32_t lba)
{
	if (started != SECTORS)
		fail("a read is started while another one is under way", lba, started);
	started = lba;
	starts++;
	was_left = false;
	sd_ready = 1;
	polls = pick(3) ? 0 : pick(20);
	sd_token = polls ? SD_WAITING : 0xfe;
}

bool sd_answers(void)
{
	if (started != SECTORS && sd_token != SD_WAITING && sd_token != 0xfe)
		fail("the card is asked for a block and nobody looks for it", started, sd_token);
	if ((sd_token != SD_WAITING && sd_token != SD_BUSY) || polls-- == 0) {
		if (sd_token == SD_BUSY)
			sd_ready = 1;
		sd_token = 0xfe;
		return true;
	}
	return false;
}

int8_t sd_finish(uint8_t *buf, uint8_t half)
{
	uint32_t lba = started;

	if (sd_token != SD_WAITING && sd_token != 0xfe)
		fail("a block is taken that nobody has looked for", lba, sd_token);
	started = SECTORS;
	if (was_left && pick(10) == 0) {
		errors++;
		return SD_FAILED;
	}
	copy_block(lba, buf, half);
	return SD_OK;
}

int8_t sd_write(uint32_t lba, const uint8_t *buf, uint8_t half)
{
	if (started != SECTORS)
		fail("a write while a read is under way", lba, started);
	if (lba >= SECTORS || half == SD_SECOND)
		fail("bad write", lba, half);
	sd_writes++;
	memset(disk[lba], 0, 512);
	memcpy(disk[lba], buf, half == SD_WHOLE ? 512 : 256);
	polls = pick(3) ? 0 : pick(20);
	sd_ready = polls == 0;
	sd_token = polls ? SD_BUSY : SD_NO_TOKEN;
	return SD_OK;
}

// ---- the kernel

uint16_t clock_ms(void)
{
	static uint16_t ms;

	return ms += pick(100) == 0;
}

volatile uint8_t vm_pending;

bool others_can_run(void)
{
	return pick(2);
}

void card_asked(void)
{
}

bool card_came(void)
{
	wakes++;
	return pick(2);
}

// Has the last thing been left? Then it may be run again at any time.
static bool left(void)
{
	bool was = card_left != 0;

	lefts += was;
	card_left = 0;
	if (was && started != SECTORS)
		was_left = true;
	return was;
}

// What a system call was doing ends, with whatever it had pinned.
static jmp_buf dropped;

void leave_call(void)
{
	if (!left())
		fail("a call is left that need not be", 0, 0);
	calls_left++;
	blocks_let_go();
	longjmp(dropped, 1);
}

static void fill_sector(uint8_t *sector, unsigned s)
{
	for (unsigned i = 0; i < 512; i++)
		sector[i] = (uint8_t)pick(256);
	if (s >= 1 && s <= CODE_SECTORS) {
		uint16_t crc = crc16(sector, 510);

		sector[510] = (uint8_t)(crc >> 8);
		sector[511] = (uint8_t)crc;
	}
}

static void make_programs(void)
{
	for (unsigned n = 0; n < PROGRAMS; n++)
		for (unsigned s = 0; s < PROGRAM_SECTORS; s++)
			fill_sector(disk[PROGRAM_AT(n) + s], s);
}

// Another version of a program that nobody runs is written over the old one, as a file; execve brings it to the card.
static void reinstall(unsigned n)
{
	for (unsigned i = 0; i < SPACES; i++)
		if (alive[i] && program_of[i] == n)
			return;
	card_restart = false;
	for (unsigned s = 0; s < PROGRAM_SECTORS; s++) {
		uint8_t *block = block_get(PROGRAM_AT(n) + s);

		fill_sector(block, s);
		block_dirty(block);
		block_put(block);
	}
	block_flush();
}

// ---- spaces

static void new_space(void)
{
	uint8_t i = space_new(), n = (uint8_t)pick(PROGRAMS);
	struct space *s = &spaces[i];

	if (i == NO_SPACE)
		return;
	s->file = PROGRAM_AT(n);
	s->code_sectors = CODE_SECTORS;
	s->readonly_end = 2 + 2 * RO_SECTORS;
	s->image_end = 2 + 2 * (RO_SECTORS + DATA_SECTORS);
	s->heap_end = (uint8_t)(s->image_end + HEAP_PAGES);
	s->stack_start = STACK_PAGE;
	program_of[i] = n;
	alive[i] = true;
	memset(want[i], 0, sizeof want[i]);
	memcpy(want[i] + OXE_DATA_BASE, disk[PROGRAM_AT(n) + 1 + CODE_SECTORS], 512 * (RO_SECTORS + DATA_SECTORS));
}

static void unbind(uint8_t slot)
{
	spaces[owner_of_slot[slot]].slot = NO_SLOT;
	owner_of_slot[slot] = -1;
}

// Is a page on its way from swap to this space?
static bool awaits_page(uint8_t i)
{
	return frame_coming != NO_FRAME && *frame_key(frame_coming) >= SWAP_FIRST && state_at(frame_coming)->owner[0] == i;
}

static void free_space(uint8_t i)
{
	orphans += awaits_page(i);
	for (uint8_t s = 0; s < SLOTS; s++)
		if (owner_of_slot[s] == i)
			unbind(s);
	space_free(i);
	alive[i] = false;
}

static void rebind(uint8_t space)
{
	uint8_t slot = (uint8_t)pick(SLOTS);

	if (spaces[space].slot != NO_SLOT)
		return;
	if (owner_of_slot[slot] >= 0)
		unbind(slot);
	slot_bind(slot, space);
	owner_of_slot[slot] = (int8_t)space;
}

static bool exists(const struct space *s, uint8_t page, bool write)
{
	if (page < 2 || (write && page < s->readonly_end))
		return false;
	return page < s->heap_end || page >= s->stack_start;
}

// ---- steps

static uint8_t some_page(const struct space *s)
{
	switch (pick(8)) {
	case 0:
		return (uint8_t)pick(256);
	case 1:
	case 2:
		return (uint8_t)(STACK_PAGE + pick(8));
	case 3:
		return (uint8_t)(2 + pick(2 * RO_SECTORS));
	default:
		return (uint8_t)(s->readonly_end + pick((unsigned)(s->heap_end - s->readonly_end)));
	}
}

// A load or store of the core: through the map, after a fault if need be.
static void core_access(uint8_t space)
{
	struct space *s = &spaces[space];
	uint8_t page = some_page(s), offset = (uint8_t)pick(256), value = (uint8_t)pick(256);
	bool write = pick(3) == 0;
	uint8_t *map;

	if (s->slot == NO_SLOT)
		rebind(space);
	map = slots[s->slot].data;
	while ((write ? map[page] & 0x80 : !(map[page] & 0x7f)) && !soft_data(space, page, write)) {
		uint8_t why = pager_data_fault(space, page, write);

		if (left())
			return;
		if (why == PAGER_OK) // the instruction runs again
			continue;
		if ((why == PAGER_SEGV) == exists(s, page, write) || why == PAGER_IO || why == PAGER_NO_FRAME)
			fail("wrong result of a data fault", page, why);
		if (why == PAGER_SEGV)
			return;
	}
	if (write ? map[page] & 0x80 : !(map[page] & 0x7f))
		fail("the page is not mapped after its fault", page, map[page]);
	if (write) {
		model_pool[((map[page] & 0x7f) << 8) - ((uint16_t)(uintptr_t)model_pool) + offset] = value;
		want[space][page << 8 | offset] = value;
	}
}

static void code_access(uint8_t space)
{
	struct space *s = &spaces[space];
	unsigned page = pick(2 * CODE_SECTORS + 2);
	uint8_t why;

	if (s->slot == NO_SLOT)
		rebind(space);
	do {
		if (soft_code(space, page))
			return;
		why = pager_code_fault(space, (uint8_t)(0x80 | 2 * (page & 63)), (uint8_t)(page >> 6));
		if (left())
			return;
	} while (why == PAGER_OK);
	if ((why == PAGER_SEGV) == (page < 2 * s->code_sectors) || why == PAGER_IO || why == PAGER_NO_FRAME || why == PAGER_BAD_CODE)
		fail("wrong result of a code fault", page, why);
}

// A system call's access to user memory, with a block pinned meanwhile.
static void call_access(uint8_t space)
{
	uint8_t page = some_page(&spaces[space]), why, *p, *block = 0;
	bool write = pick(2);
	unsigned lba = 1 + pick(BLOCKS);

	if (pick(2))
		block = block_get(lba);
	p = space_page(space, page, write, &why);
	if (!p && card_left)
		leave_call();
	if ((p != 0) != exists(&spaces[space], page, write))
		fail("wrong result of space_page", page, why);
	if (p && memcmp(p, want[space] + (page << 8), 256))
		fail("space_page shows other bytes", space, page);
	if (p && write) {
		unsigned at = pick(256);

		p[at] = want[space][page << 8 | at] = (uint8_t)pick(256);
	}
	if (block) {
		if (memcmp(block, block_want[lba], 512))
			fail("a pinned block changed", lba, page);
		block_put(block);
	}
}

// A block is asked for that may be wanted later. Nothing is written for it, and the card is left alone when it has something else to do.
static void ahead_step(void)
{
	unsigned lba = 1 + pick(BLOCKS), started_before = starts, writes = sd_writes;
	bool busy = !sd_ready || started != SECTORS;

	if (FRAMES_PER_SECTOR > 1 || !card_slow)
		return;
	card_restart = false;
	block_ahead(lba);
	if (sd_writes != writes || (busy && starts != started_before))
		fail("the card is used for a block that nobody wants yet", lba, busy);
	if (started == SECTORS)
		return;
	was_left = true;
	aheads += starts != started_before;
}

// Is a block of the file system on its way?
static unsigned block_coming(void)
{
	return frame_coming != NO_FRAME && *frame_key(frame_coming) <= BLOCKS ? *frame_key(frame_coming) : 0;
}

static unsigned some_block(unsigned coming)
{
	static unsigned last = 1;

	if (coming && pick(2))
		last = coming;
	else if (pick(4))
		last = 1 + pick(BLOCKS);
	return last;
}

static void block_access(void)
{
	unsigned coming = block_coming(), lba = some_block(coming), at = pick(512);
	unsigned started_before = starts, failed = errors;
	uint8_t *block;

	if (pick(lba == coming ? 2 : 8) == 0) {
		block = block_new(lba);
		memset(block_want[lba], 0, 512);
	} else {
		block = block_get(lba);
	}
	if (!block)
		fail("no frame for a block", lba, 0);
	if (memcmp(block, block_want[lba], 512))
		fail("a block shows other bytes", lba, 0);
	if (lba == coming && errors == failed && starts != started_before)
		fail("a block that was on its way is read again", lba, 0);
	hits += lba == coming && errors == failed;
	if (pick(2)) {
		block[at] = block_want[lba][at] = (uint8_t)pick(256);
		block_dirty(block);
		if (pick(4) == 0)
			block_write(block, lba);
		if (pick(4) == 0)
			block_done(block);
	}
	block_put(block);
	if (pick(16) == 0) {
		card_restart = pick(2);
		block_flush();
		for (lba = 1; lba <= BLOCKS; lba++)
			if (memcmp(disk[lba], block_want[lba], 512))
				fail("a flushed block is not on the card", lba, 0);
	}
}

static void pipe_step(void)
{
	static uint8_t pipe = NO_FRAME;

	card_restart = false;
	if (pipe == NO_FRAME) {
		pipe = frame_take_pipe();
		if (pipe == NO_FRAME)
			fail("no frame for a pipe", 0, 0);
		memset(frame_memory(pipe), 0xa5, 512);
		return;
	}
	for (unsigned i = 0; i < 512; i++)
		if (frame_memory(pipe)[i] != 0xa5)
			fail("a pipe's bytes changed", i, 0);
	if (pick(3) == 0) {
		frame_drop(pipe);
		pipe = NO_FRAME;
	}
}

// ---- what must hold always

static const uint8_t *at_high(uint8_t high)
{
	unsigned offset = (unsigned)(high << 8) - (uint16_t)(uintptr_t)model_pool;

	if (offset >= FRAMES * FRAME_SIZE)
		fail("a map entry leads out of the pool", high, offset);
	return model_pool + offset;
}

static void check_data_map(uint8_t slot, uint8_t space)
{
	for (unsigned page = 0; page < 256; page++) {
		uint8_t entry = slots[slot].data[page];

		if (!(entry & 0x7f))
			continue;
		if (!exists(&spaces[space], (uint8_t)page, !(entry & 0x80)))
			fail("a page is mapped that the space does not have", space, page);
		if (memcmp(at_high(entry & 0x7f), want[space] + (page << 8), 256))
			fail("a mapped page shows other bytes", space, page);
	}
}

static void check_code_map(uint8_t slot, uint8_t space)
{
	for (unsigned i = 0; i < 64; i++) {
		const uint8_t *page, *file;

		if (slots[slot].code[i].tag == CODE_TAG_NONE)
			continue;
		page = at_high(slots[slot].code[i].frame);
		file = disk[PROGRAM_AT(program_of[space]) + 1 + (64u * slots[slot].code[i].tag + i) / 2] + (i & 1) * 256;
		if (memcmp(page, file, OXE_PAGE_USED))
			fail("a mapped code page shows other bytes", space, i);
		for (unsigned k = OXE_PAGE_USED; k < OXE_PAGE; k++)
			if (page[k] != OP_pgend)
				fail("a code page without its end", space, i);
	}
}

// What a space has left behind would show in the next one of its number.
static void check_dead(void)
{
	for (uint8_t i = 0; i < SPACES; i++)
		if (!alive[i] && space_resident(i))
			fail("a space has gone and its frames have not", i, space_resident(i));
}

static void check_pins(void)
{
	for (uint8_t i = 0; i < FRAMES; i++)
		if (state_at(i)->kind[0] == FRAME_BLOCK && (state_at(i)->pins[0] || state_at(i)->flags[0] & FRAME_KEEP))
			fail("a block is left pinned", i, state_at(i)->pins[0]);
}

static void check(void)
{
	check_dead();
	check_pins();
	for (uint8_t s = 0; s < SLOTS; s++)
		if (owner_of_slot[s] >= 0) {
			check_data_map(s, (uint8_t)owner_of_slot[s]);
			check_code_map(s, (uint8_t)owner_of_slot[s]);
		}
}

static void step(void)
{
	uint8_t space = (uint8_t)pick(SPACES);

	if (setjmp(dropped))
		return;
	card_restart = pick(4);
	vm_pending = pick(2);
	if (pick(8) == 0)
		frames_poll();
	if (pick(4) == 0)
		ahead_step();
	if (!alive[space] || pick(awaits_page(space) ? 10 : 200) == 0) {
		if (alive[space])
			free_space(space);
		else if (pick(4) == 0)
			new_space();
		else if (pick(40) == 0)
			reinstall(pick(PROGRAMS));
		return;
	}
	switch (pick(10)) {
	case 0:
		block_access();
		break;
	case 1:
		pipe_step();
		break;
	case 2:
	case 3:
		code_access(space);
		break;
	case 4:
		call_access(space);
		break;
	case 5:
		if (pick(4) == 0)
			rebind(space);
		break;
	default:
		core_access(space);
	}
}

int main(int argc, char **argv)
{
	unsigned runs = argc > 1 ? (unsigned)atoi(argv[1]) : 20;

	if (mmap((void *)MEMORY, 0x8000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)MEMORY)
		fail("no memory for the pool where it must lie", 0, 0);
	model_pool = pool_memory;
	memset(owner_of_slot, -1, sizeof owner_of_slot);
	seed = argc > 2 ? strtoul(argv[2], 0, 0) : 1;
	pool_init();
	make_programs();
	if (pager_set_swap(SWAP_FIRST, SECTORS - SWAP_FIRST) != SPACES)
		fail("swap holds not all spaces", 0, 0);
	for (unsigned i = 0; i < runs * 3000; i++) {
		step();
		check();
	}
	printf("%u steps, %u reads, %u writes, %u hard and %u soft faults, %u times left, of these %u calls, %u errors, %u wakes, %u pages came too late, %u blocks read ahead, %u on their way when wanted\n",
	       runs * 3000, sd_reads, sd_writes, pool_counts.hard, pool_counts.soft, lefts, calls_left, errors, wakes, orphans, aheads, hits);
	return sd_writes && pool_counts.soft && lefts > calls_left && calls_left && errors && wakes && orphans && (FRAMES_PER_SECTOR > 1 || (aheads && hits)) ? 0 : 1;
}
