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
#include "kernel/stat.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "vm/frames.h"
#include "vm/pager.h"

struct proc procs[PROCS];
struct proc *running = procs;

static struct proc *slot_owner[SLOTS]; // NULL: nobody
static uint8_t slot_age[SLOTS]; // process switches since it ran
static uint16_t last_pid;
uint32_t switches;
uint32_t ticks[3];

static struct proc *turn = procs; // whose time slice it is
static struct proc *reader;       // whose block is on its way
static struct proc *urgent;       // it has come: runs now, in between
struct proc *woken;               // by the running process: runs next, in this time slice

// ---- context slots

static uint8_t slot_of(const struct proc *p)
{
	uint8_t slot = p->space == NO_SPACE ? NO_SLOT : spaces[p->space].slot;

	return slot != NO_SLOT && slot_owner[slot] == p ? slot : NO_SLOT;
}

uint32_t *proc_regs(struct proc *p)
{
	uint8_t slot = slot_of(p);

	return slot == NO_SLOT ? p->regs : slots[slot].regs;
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

// Another process takes over a slot that is not its own. Maps are emptied.
static uint8_t slot_change(struct proc *p)
{
	uint8_t slot = slot_victim();
	struct proc *old = slot_owner[slot];

	if (old)
		memcpy(old->regs, slots[slot].regs, sizeof old->regs);
	slot_unbind(slot);
	slot_owner[slot] = p;
	slot_bind(slot, p->space);
	memcpy(slots[slot].regs, p->regs, sizeof p->regs);
	return slot;
}

static uint8_t slot_take(struct proc *p)
{
	uint8_t slot = slot_of(p);

	if (slot == NO_SLOT)
		slot = slot_change(p);
	if (slot_age[slot])
		for (uint8_t s = 0; s < SLOTS; s++)
			slot_age[s] += slot_age[s] < 255;
	slot_age[slot] = 0;
	return slot;
}

// The process takes the slot of another one as it is: vfork and back.
static void slot_hand_over(struct proc *from, struct proc *to)
{
	uint8_t slot = slot_of(from);

	if (slot != NO_SLOT)
		slot_owner[slot] = to;
}

// ---- birth and death

static uint16_t new_pid(void)
{
	const struct proc *p;

	do {
		last_pid = last_pid >= 32000 ? 2 : last_pid + 1;
		for (p = procs; p < procs + PROCS; p++)
			if (p->state != PROC_FREE && (p->pid == last_pid || p->pgid == last_pid))
				break;
	} while (p < procs + PROCS);
	return last_pid;
}

struct proc *proc_new(void)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state == PROC_FREE) {
			memset(p, 0, sizeof *p);
			memset(p->fd, NO_FD << 4 | NO_FD, sizeof p->fd);
			p->pid = new_pid();
			p->space = NO_SPACE;
			return p;
		}
	return 0;
}

struct proc *proc_find(uint16_t pid)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->pid == pid)
			return p;
	return 0;
}

int16_t sys_vfork(void)
{
	struct proc *parent = self(), *child = proc_new();
	uint16_t pid;

	if (!child)
		fail(-OX_EAGAIN);
	pid = child->pid;
	memcpy(parent->regs, self_regs(), sizeof parent->regs);
	*child = *parent;
	child->pid = pid;
	child->parent = parent;
	child->pending = 0;
	child->progress = 0;
	child->timed = false;
	child->faults = child->ticks = 0;
	files_share(child);
	parent->regs[10] = pid;
	parent->state = PROC_VFORK;
	slot_hand_over(parent, child);
	running = child;
	return 0; // to the child
}

static void vfork_return(struct proc *child)
{
	struct proc *parent = child->parent;

	slot_hand_over(child, parent);
	memcpy(proc_regs(parent), parent->regs, sizeof parent->regs);
	parent->state = PROC_RUN;
	child->space = NO_SPACE;
}

static bool borrows(const struct proc *p)
{
	return p->parent->state == PROC_VFORK && p->parent->space == p->space && p->parent != p;
}

void proc_leave_space(struct proc *p)
{
	if (borrows(p)) {
		vfork_return(p);
	} else if (p->space != NO_SPACE) {
		slot_hand_over(p, 0);
		space_free(p->space);
		p->space = NO_SPACE;
	}
}

// What waits for a child looks again.
static void wake_parent(struct proc *parent)
{
	if (parent->state == PROC_CHILD)
		parent->state = PROC_RUN;
}

void proc_exit(struct proc *dead, uint16_t status)
{
	card_restart = false;
	if (dead == INIT)
		halt(P("\npanic: init has ended\n"));
	files_close(dead, true);
	proc_leave_space(dead);
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->parent == dead)
			p->parent = INIT;
	dead->state = PROC_ZOMBIE;
	dead->status = status;
	wake_parent(dead->parent);
	wake_parent(INIT); // it may have become a parent
}

// ---- waking and signals

bool proc_wake(uint8_t state, const struct pipe *wait_on)
{
	bool any = false;

	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state == state && (!wait_on || p->wait_on == wait_on)) {
			p->state = PROC_RUN;
			any = true;
		} else if (p->state == PROC_POLL_OUT || (p->state == PROC_POLL && state != PROC_TTY_OUT)) {
			p->state = PROC_RUN;
		}
	return any;
}

void proc_go_on(struct proc *p)
{
	p->state = PROC_RUN;
	woken = p;
}

bool time_is_up(uint32_t ms)
{
	struct proc *p = self();
	uint32_t now = clock_uptime();

	if (!p->timed) {
		p->deadline = now + (ms > 0x7fffffff ? 0x7fffffff : ms);
		p->timed = true;
	}
	if ((int32_t)(now - p->deadline) < 0)
		return false;
	p->timed = false;
	return true;
}

void proc_signal(struct proc *to, uint8_t signal)
{
	if (to == INIT || to->state == PROC_FREE || to->state == PROC_ZOMBIE)
		return;
	if (signal != OX_SIGKILL && (to->ignored & 1u << signal))
		return;
	to->pending |= 1u << signal;
	if (to->state != PROC_VFORK)
		to->state = PROC_RUN;
}

void group_signal(uint16_t pgid, uint8_t signal)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->pgid == pgid)
			proc_signal(p, signal);
}

bool group_ignores(uint16_t pgid, uint8_t signal)
{
	for (const struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->pgid == pgid && (p->ignored & 1u << signal))
			return true;
	return false;
}

void proc_tick(void)
{
	uint32_t now = clock_uptime();

	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->timed && p->state >= PROC_SLEEP && p->state <= PROC_POLL_OUT && (int32_t)(now - p->deadline) >= 0)
			p->state = PROC_RUN;
}

// ---- scheduling

// The lowest pending signal ends the process: no handlers yet.
static bool killed(struct proc *p)
{
	uint16_t pending = p->pending;
	uint8_t signal = 0;

	if (!pending)
		return false;
	for (; !(pending & 1); pending >>= 1)
		signal++;
	proc_exit(p, signal);
	return true;
}

static bool runnable(struct proc *p)
{
	return p->state == PROC_RUN && !killed(p);
}

static struct proc *next_runnable(void)
{
	struct proc *p = urgent;

	urgent = 0;
	if (p && runnable(p))
		return p;
	p = turn;
	for (uint8_t n = 0; n < PROCS; n++) {
		if (++p == procs + PROCS)
			p = procs;
		if (runnable(p))
			return turn = p;
	}
	return 0;
}

bool others_can_run(void)
{
	reader = running;
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state == PROC_RUN && p != running)
			return true;
	return vm_pending;
}

void card_came(void)
{
	proc_wake(PROC_CARD, 0);
	urgent = reader;
}

static bool waiting_for_card(void)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state == PROC_CARD)
			return true;
	return false;
}

// More processes than fit into the pool drive out each other's pages, and a slice is over when a process has just got its own back. So one
// that has had THRASHING faults in its slice goes on, for up to LONGER slices more.
static bool goes_on(void)
{
	static uint8_t faults_before, more;
	uint8_t faults = (uint8_t)pool_counts.hard, n = faults - faults_before;

	faults_before = faults;
	if (n < THRASHING || more == LONGER) {
		more = 0;
		return false;
	}
	more++;
	return true;
}

bool count_tick(bool idle)
{
	uint8_t pending = vm_pending;

	if (!(pending & PENDING_SLICE))
		return false;
	woken = goes_on() ? running : 0;
	ticks[idle ? TICKS_IDLE : pending - 1]++;
	return true;
}

static void idle(void)
{
	set_sleep_mode(SLEEP_MODE_IDLE);
	cli();
	if (!vm_pending && !waiting_for_card()) {
		sleep_enable();
		sei();
		sleep_cpu();
		sleep_disable();
	}
	sei();
	count_tick(true);
	vm_pending = 0;
	tty_poll();
	proc_tick();
	frames_poll();
}

void proc_load(void)
{
	struct proc *p = self();
	const struct space *s = &spaces[p->space];
	uint8_t slot = slot_take(p);

	vm_slot_page = (uint8_t)((uintptr_t)&slots[slot] >> 8);
	vm_slot_bit = (uint8_t)(1 << slot);
	vm_pc = p->pc;
	vm_acc = p->acc;
	vm_space = p->space;
	vm_code_key = s->file + s->code_sector;
	vm_code_sectors = s->code_pages / 2;
	vm_image_key = s->file + s->image_sector - (OXE_DATA_BASE >> 9);
	vm_in_swap = s->in_swap;
}

void schedule(void)
{
	struct proc *p = woken;

	woken = 0;
	if (!p || p->state != PROC_RUN || p->pending)
		while (!(p = next_runnable()))
			idle();
	if (p != running)
		switches++;
	running = p;
	proc_load();
}
