// SPDX-License-Identifier: ISC
//
// Processes: the table, scheduling (round robin), context slots (the victim is the least recently run).

#include "kernel/proc.h"

#include <string.h>

#include <avr/interrupt.h>
#include <avr/sleep.h>

#include <octix/abi.h>
#include <octix/errno.h>
#include <octix/oxe.h>

#include "kernel/clock.h"
#include "kernel/file.h"
#include "kernel/print.h"
#include "kernel/tty.h"
#include "vm/pager.h"

struct proc procs[PROCS];
uint8_t current;
struct proc *running = procs;

static uint8_t slot_owner[SLOTS]; // process, + 1; 0: nobody
static uint8_t slot_age[SLOTS]; // process switches since it ran
static uint16_t last_pid;
uint32_t switches;

// ---- context slots

static uint8_t slot_of(uint8_t p)
{
	uint8_t slot = procs[p].space == NO_SPACE ? NO_SLOT : spaces[procs[p].space].slot;

	return slot != NO_SLOT && slot_owner[slot] == p + 1 ? slot : NO_SLOT;
}

uint32_t *proc_regs(uint8_t p)
{
	uint8_t slot = slot_of(p);

	return slot == NO_SLOT ? procs[p].regs : slots[slot].regs;
}

static uint8_t slot_victim(void)
{
	uint8_t oldest = 0;

	for (uint8_t s = 0; s < SLOTS; s++) {
		if (!slot_owner[s])
			return s;
		if (slot_age[s] > slot_age[oldest])
			oldest = s;
	}
	return oldest;
}

static void slot_release(uint8_t slot)
{
	if (slot_owner[slot])
		memcpy(procs[slot_owner[slot] - 1].regs, slots[slot].regs, sizeof slots[slot].regs);
	slot_owner[slot] = 0;
	slot_unbind(slot);
}

static uint8_t slot_take(uint8_t p)
{
	uint8_t slot = slot_of(p);

	if (slot == NO_SLOT) {
		slot = slot_victim();
		slot_release(slot);
		slot_owner[slot] = p + 1;
		slot_bind(slot, procs[p].space);
		memcpy(slots[slot].regs, procs[p].regs, sizeof procs[p].regs);
	}
	if (slot_age[slot])
		for (uint8_t s = 0; s < SLOTS; s++)
			slot_age[s] += slot_age[s] < 255;
	slot_age[slot] = 0;
	return slot;
}

// The process takes the slot of another one as it is: vfork and back.
static void slot_hand_over(uint8_t from, uint8_t to)
{
	uint8_t slot = slot_of(from);

	if (slot != NO_SLOT)
		slot_owner[slot] = to + 1;
}

// ---- birth and death

static uint16_t new_pid(void)
{
	for (;;) {
		uint8_t i;

		last_pid = last_pid >= 32000 ? 2 : last_pid + 1;
		for (i = 0; i < PROCS; i++)
			if (procs[i].state != PROC_FREE && (procs[i].pid == last_pid || procs[i].pgid == last_pid))
				break;
		if (i == PROCS)
			return last_pid;
	}
}

uint8_t proc_new(void)
{
	for (uint8_t i = 0; i < PROCS; i++)
		if (procs[i].state == PROC_FREE) {
			memset(&procs[i], 0, sizeof procs[i]);
			memset(procs[i].fd, NO_FD, sizeof procs[i].fd);
			procs[i].pid = new_pid();
			procs[i].space = NO_SPACE;
			return i;
		}
	return PROCS;
}

int32_t sys_vfork(void)
{
	struct proc *parent = self();
	uint8_t c = proc_new();
	struct proc *child = &procs[c];
	uint16_t pid;

	if (c == PROCS)
		return -OX_EAGAIN;
	pid = child->pid;
	memcpy(parent->regs, self_regs(), sizeof parent->regs);
	*child = *parent;
	child->pid = pid;
	child->parent = current;
	child->pending = 0;
	child->progress = 0;
	child->timed = false;
	child->faults = child->ticks = 0;
	files_share(child);
	parent->regs[10] = pid;
	parent->state = PROC_VFORK;
	slot_hand_over(current, c);
	current = c;
	running = child;
	return 0; // to the child
}

static void vfork_return(uint8_t c)
{
	struct proc *child = &procs[c];
	struct proc *parent = &procs[child->parent];

	slot_hand_over(c, child->parent);
	memcpy(proc_regs(child->parent), parent->regs, sizeof parent->regs);
	parent->state = PROC_RUN;
	child->space = NO_SPACE;
}

static bool borrows(uint8_t p)
{
	const struct proc *parent = &procs[procs[p].parent];

	return parent->state == PROC_VFORK && parent->space == procs[p].space && procs[p].parent != p;
}

void proc_leave_space(uint8_t p)
{
	uint8_t slot;

	if (borrows(p)) {
		vfork_return(p);
	} else if (procs[p].space != NO_SPACE) {
		slot = slot_of(p);
		if (slot != NO_SLOT)
			slot_owner[slot] = 0;
		space_free(procs[p].space);
		procs[p].space = NO_SPACE;
	}
}

void proc_exit(uint8_t p, uint16_t status)
{
	struct proc *dead = &procs[p];

	if (p == INIT)
		halt(P("\npanic: init has ended\n"));
	files_close(dead);
	proc_leave_space(p);
	for (uint8_t i = 0; i < PROCS; i++)
		if (procs[i].state != PROC_FREE && procs[i].parent == p)
			procs[i].parent = INIT;
	dead->state = PROC_ZOMBIE;
	dead->status = status;
	if (procs[dead->parent].state == PROC_CHILD)
		procs[dead->parent].state = PROC_RUN;
	if (procs[INIT].state == PROC_CHILD)
		procs[INIT].state = PROC_RUN; // it may have become a parent
}

// ---- waking and signals

bool proc_wake(uint8_t state, uint8_t wait_on)
{
	bool any = false;

	for (uint8_t i = 0; i < PROCS; i++)
		if (procs[i].state == state && (state != PROC_PIPE || procs[i].wait_on == wait_on)) {
			procs[i].state = PROC_RUN;
			any = true;
		}
	return any;
}

void proc_signal(uint8_t p, uint8_t signal)
{
	struct proc *to = &procs[p];

	if (p == INIT || to->state == PROC_FREE || to->state == PROC_ZOMBIE)
		return;
	if (signal != OX_SIGKILL && (to->ignored & 1u << signal))
		return;
	to->pending |= 1u << signal;
	if (to->state != PROC_VFORK)
		to->state = PROC_RUN;
}

void group_signal(uint16_t pgid, uint8_t signal)
{
	for (uint8_t i = 0; i < PROCS; i++)
		if (procs[i].state != PROC_FREE && procs[i].pgid == pgid)
			proc_signal(i, signal);
}

bool group_ignores(uint16_t pgid, uint8_t signal)
{
	for (uint8_t i = 0; i < PROCS; i++)
		if (procs[i].state != PROC_FREE && procs[i].pgid == pgid && (procs[i].ignored & 1u << signal))
			return true;
	return false;
}

void proc_tick(void)
{
	uint32_t now = clock_uptime();

	for (uint8_t i = 0; i < PROCS; i++)
		if (procs[i].state == PROC_SLEEP && (int32_t)(now - procs[i].deadline) >= 0)
			procs[i].state = PROC_RUN;
}

// ---- scheduling

// The lowest pending signal ends the process: no handlers yet.
static bool killed(uint8_t p)
{
	uint8_t signal = 1;

	if (!procs[p].pending)
		return false;
	while (!(procs[p].pending >> signal & 1))
		signal++;
	proc_exit(p, signal);
	return true;
}

static uint8_t next_runnable(void)
{
	uint8_t p = current;

	for (uint8_t n = 0; n < PROCS; n++) {
		p = p + 1 == PROCS ? 0 : p + 1;
		if (procs[p].state == PROC_RUN && !killed(p))
			return p;
	}
	return PROCS;
}

static void idle(void)
{
	set_sleep_mode(SLEEP_MODE_IDLE);
	cli();
	if (!vm_pending) {
		sleep_enable();
		sei();
		sleep_cpu();
		sleep_disable();
	}
	sei();
	vm_pending = 0;
	tty_poll();
	proc_tick();
}

void proc_load(void)
{
	const struct space *s = &spaces[self()->space];

	uint8_t slot = slot_take(current);

	vm_slot_page = (uint8_t)((uint16_t)&slots[slot] >> 8);
	vm_slot_bit = (uint8_t)(1 << slot);
	vm_pc = self()->pc;
	vm_space = self()->space;
	vm_code_key = s->file + s->code_sector;
	vm_code_sectors = s->code_pages / 2;
	vm_image_key = s->file + s->image_sector - (OXE_DATA_BASE >> 9);
	vm_in_swap = s->in_swap;
}

void schedule(void)
{
	uint8_t p;

	while ((p = next_runnable()) == PROCS)
		idle();
	if (p != current)
		switches++;
	current = p;
	running = &procs[p];
	proc_load();
}
