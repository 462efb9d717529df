// SPDX-License-Identifier: ISC
//
// What must hold whenever the kernel has been left: the tables of processes, open files, pipes, spaces, slots and frames
// agree with each other. See machine.h.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fs/fs.h"
#include "kernel/file.h"
#include "kernel/proc.h"
#include "kernel/tty.h"
#include "machine.h"
#include "vm/frames.h"
#include "vm/pager.h"
#include "vm/vm.h"

// ---- processes, spaces, slots

static bool alive(const struct proc *p)
{
	return p->state != PROC_FREE && p->state != PROC_ZOMBIE;
}

static void check_space(unsigned i)
{
	const struct proc *p = &procs[i];

	if (!alive(p)) {
		if (p->state == PROC_ZOMBIE && p->space != NO_SPACE)
			machine_fail("zombie %u has a data space", p->pid);
		return;
	}
	if (p->space >= SPACES || !spaces[p->space].file)
		machine_fail("process %u has no data space", p->pid);
	for (unsigned k = 0; k < i; k++)
		if (alive(&procs[k]) && procs[k].space == p->space && p->state != PROC_VFORK && procs[k].state != PROC_VFORK)
			machine_fail("processes %u and %u share a data space", p->pid, procs[k].pid);
	if (p->parent >= PROCS || parent_of(p)->state == PROC_FREE)
		machine_fail("process %u has no parent", p->pid);
}

static void check_spaces(void)
{
	for (unsigned s = 0; s < SPACES; s++) {
		unsigned users = 0;

		for (unsigned i = 0; i < PROCS; i++)
			users += alive(&procs[i]) && procs[i].space == s;
		if (spaces[s].file && !users)
			machine_fail("data space %u belongs to nobody", s);
		for (unsigned k = 0; k < s && spaces[s].file; k++)
			if (spaces[k].file && spaces[k].slot != NO_SLOT && spaces[k].slot == spaces[s].slot)
				machine_fail("spaces %u and %u have the same slot", k, s);
	}
}

// ---- open files

static void check_opens(void)
{
	unsigned refs[OPEN_FILES] = { 0 };

	for (unsigned i = 0; i < PROCS; i++)
		for (unsigned d = 0; alive(&procs[i]) && d < FDS; d++)
			if (fd_number(&procs[i], (uint8_t)d) != NO_FD)
				refs[fd_number(&procs[i], (uint8_t)d)]++;
	for (unsigned o = 0; o < OPEN_FILES; o++)
		if (refs[o] != opens[o].refs)
			machine_fail("open file %u has %u descriptors and counts %u", o, refs[o], opens[o].refs);
}

// Each pipe counts once.
static unsigned pipes_open(void)
{
	unsigned n = 0;

	for (unsigned o = 0; o < OPEN_FILES; o++) {
		unsigned k = 0;

		if (!opens[o].refs || (opens[o].kind != OPEN_PIPE_READ && opens[o].kind != OPEN_PIPE_WRITE))
			continue;
		while (k < o && !(opens[k].refs && opens[k].kind >= OPEN_PIPE_READ && opens[k].pipe == opens[o].pipe))
			k++;
		n += k == o;
	}
	return n;
}

// ---- frames

static void check_order(void)
{
	unsigned n = 0;

	for (uint8_t i = frame_rows.hotter[FRAMES]; i != FRAMES; i = frame_rows.hotter[i]) {
		if (i > FRAMES || ++n > FRAMES || frame_rows.colder[frame_rows.hotter[i]] != i)
			machine_fail("the order of frames is broken at %u", i);
	}
	if (n != FRAMES)
		machine_fail("%u frames are in the order", n);
}

// There is one copy of a block, and a clean one is what the card holds.
static void check_block(unsigned i)
{
	uint32_t lba = frame_rows.key[i];

	for (unsigned k = 0; k < i; k++)
		if (frame_rows.state.kind[k] == FRAME_BLOCK && frame_rows.key[k] == lba)
			machine_fail("frames %u and %u hold the same block", k, i);
	if (!(frame_rows.state.flags[i] & FRAME_DIRTY) && memcmp(frame_memory((uint8_t)i), card_sector(lba), 512))
		machine_fail("frame %u is clean, and sector %u is another", i, lba);
}

static void check_frame(unsigned i)
{
	uint8_t kind = frame_rows.state.kind[i];

	if (kind > FRAME_COMING || (kind == FRAME_COMING) != (i == frame_coming))
		machine_fail("frame %u is of kind %u", i, kind);
	if (frame_rows.state.flags[i] & FRAME_KEEP && kind != FRAME_PIPE && kind != FRAME_TAIL && kind != FRAME_COMING)
		machine_fail("frame %u, kind %u, is left pinned", i, kind);
	if (kind == FRAME_PIPE && frame_rows.state.pins[i] != 1)
		machine_fail("the pipe's frame %u has %u pins", i, frame_rows.state.pins[i]);
	if (kind == FRAME_TAIL && (i == 0 || (frame_rows.state.kind[i - 1] != FRAME_BLOCK && frame_rows.state.kind[i - 1] != FRAME_PIPE
	                                      && frame_rows.state.kind[i - 1] != FRAME_COMING)))
		machine_fail("frame %u is the tail of nothing", i);
	if (kind == FRAME_BLOCK)
		check_block(i);
	if (kind != FRAME_PRIVATE)
		return;
	if (!spaces[frame_rows.state.owner[i]].file)
		machine_fail("frame %u belongs to a space that is free", i);
	for (unsigned k = 0; k < i; k++)
		if (frame_rows.state.kind[k] == FRAME_PRIVATE && frame_rows.state.owner[k] == frame_rows.state.owner[i]
		    && frame_rows.state.page[k] == frame_rows.state.page[i])
			machine_fail("frames %u and %u hold the same page", k, i);
}

static void check_frames(void)
{
	unsigned pipes = 0;

	check_order();
	for (unsigned i = 0; i < FRAMES; i++) {
		check_frame(i);
		pipes += frame_rows.state.kind[i] == FRAME_PIPE;
	}
	for (unsigned n = 1; n < TTYS; n++)
		pipes -= ttys[n].text != NULL;
	if (pipes != pipes_open())
		machine_fail("%u frames of pipes, %u pipes", pipes, pipes_open());
}

// ---- maps

static unsigned frame_at(uint8_t high)
{
	unsigned f = (uint8_t)(high - frame_high(0)) / PAGES_PER_FRAME;

	if (f >= FRAMES)
		machine_fail("a map leads to page 0x%02x, which is none of the pool", high);
	return f;
}

static void check_data_entry(unsigned space, unsigned page, uint8_t entry)
{
	unsigned f = frame_at(entry & 0x7f);
	uint8_t kind = frame_rows.state.kind[f];

	if (!(frame_rows.state.flags[f] & FRAME_MAPPED) || frame_rows.state.page[f] != (page & ~(PAGES_PER_FRAME - 1u)))
		machine_fail("space %u, page %u is mapped to frame %u, which does not know", space, page, f);
	if (!(entry & MAP_CLEAN) && (kind != FRAME_PRIVATE || !(frame_rows.state.flags[f] & FRAME_DIRTY)))
		machine_fail("space %u can write to frame %u, which is clean", space, f);
	if (kind == FRAME_PRIVATE ? frame_rows.state.owner[f] != space : kind != FRAME_IMAGE)
		machine_fail("space %u sees frame %u of kind %u", space, f, kind);
}

static void check_data_map(unsigned space, const struct slot *slot)
{
	static const uint8_t absent[16] = { [0 ... 15] = MAP_ABSENT };

	for (unsigned page = 0; page < 256; page += sizeof absent) {
		if (!memcmp(slot->data + page, absent, sizeof absent))
			continue;
		for (unsigned i = page; i < page + sizeof absent; i++)
			if (slot->data[i] != MAP_ABSENT)
				check_data_entry(space, i, slot->data[i]);
	}
}

static void check_maps(void)
{
	for (unsigned s = 0; s < SPACES; s++) {
		const struct slot *slot;

		if (!spaces[s].file || spaces[s].slot == NO_SLOT)
			continue;
		slot = &slots[spaces[s].slot];
		check_data_map(s, slot);
		for (unsigned i = 0; i < 64; i++)
			if (slot->code[i].tag != CODE_TAG_NONE && frame_rows.state.kind[frame_at(slot->code[i].frame)] != FRAME_CODE)
				machine_fail("space %u runs what is no code", s);
	}
}

void check_kernel(void)
{
	for (unsigned i = 0; i < PROCS; i++)
		check_space(i);
	check_spaces();
	check_opens();
	check_frames();
	check_maps();
}

// ---- what a quiet machine owns

// How many more files can be opened? (The root is there whatever the wild processes have removed.)
static uint8_t files_free(void)
{
	struct file *f[FILES + 1];
	uint8_t n = 0;

	while (n <= FILES && fs_open("/", 0, OX_O_RDONLY, 0, &f[n]) == 0)
		n++;
	for (uint8_t i = 0; i < n; i++)
		fs_close(f[i]);
	return n;
}

struct holdings check_holdings(void)
{
	struct holdings h = { 0 };

	for (unsigned i = 0; i < PROCS; i++)
		h.procs += procs[i].state != PROC_FREE;
	for (unsigned s = 0; s < SPACES; s++)
		h.spaces += spaces[s].file != 0;
	for (unsigned o = 0; o < OPEN_FILES; o++) {
		h.opens += opens[o].refs != 0;
		h.references += opens[o].refs;
	}
	h.pipes = (uint8_t)pipes_open();
	h.files = (uint8_t)(FILES - files_free());
	return h;
}

void check_same_holdings(const struct holdings *a, const struct holdings *b)
{
	if (memcmp(a, b, sizeof *a))
		machine_fail("not the same is left as before: %u and %u processes, %u and %u spaces, %u and %u open files with %u and %u "
		             "descriptors, %u and %u files, %u and %u pipes", a->procs, b->procs, a->spaces, b->spaces, a->opens, b->opens,
		             a->references, b->references, a->files, b->files, a->pipes, b->pipes);
}

void check_print(void)
{
	static const char *const states[] = { [PROC_RUN] = "runs", [PROC_SLEEP] = "sleeps", [PROC_POLL] = "polls",
		[PROC_POLL_OUT] = "polls for output", [PROC_CARD] = "waits for the card", [PROC_CHILD] = "waits for a child",
		[PROC_TTY_IN] = "reads", [PROC_TTY_OUT] = "writes", [PROC_PIPE] = "is on a pipe", [PROC_VFORK] = "has lent its space",
		[PROC_FORK] = "is being made", [PROC_PAUSE] = "pauses", [PROC_STOPPED] = "is stopped", [PROC_SEM] = "waits for a semaphore",
		[PROC_ZOMBIE] = "is a zombie" };

	for (unsigned i = 0; i < PROCS; i++) {
		struct proc *p = &procs[i];

		if (p->state == PROC_FREE)
			continue;
		fprintf(stderr, "  %c %u, child of %u, group %u: %s; space %u, pending 0x%x, ignored 0x%x, call %u(0x%x, 0x%x, 0x%x)\n",
		        i == core_current() ? '*' : ' ', p->pid, parent_of(p)->pid, p->pgid, states[p->state], p->space, p->pending,
		        p->ignored, proc_regs(p)[5], proc_regs(p)[10], proc_regs(p)[11], proc_regs(p)[12]);
	}
}
