// SPDX-License-Identifier: ISC
//
// Processes: the table, scheduling (round robin), context slots (the victim is the least recently run). What wakes them is in wake.c.

#include "kernel/proc.h"

#include <assert.h>
#include <string.h>

#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/file.h"
#include "kernel/fork.h"
#include "kernel/print.h"
#include "kernel/signal.h"
#include "kernel/stat.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "vm/frames.h"
#include "vm/pager.h"

struct proc procs[PROCS];
struct proc *running = procs;

static struct proc *slot_owner[SLOTS]; // NULL: nobody
static uint8_t slot_used[SLOTS]; // `switches` when it ran last, lower byte
static uint16_t last_pid;
uint32_t switches;
uint32_t ticks[3];

struct proc *procs_end = procs;
static struct proc *turn = procs; // whose time slice it is
static struct proc *reader;       // whose block is on its way
struct proc *urgent;
struct proc *woken;

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

// To a slot, where x0 is 0.
static void load_regs(uint8_t slot, const struct proc *p)
{
	slots[slot].regs[0] = 0;
	copy_regs(slots[slot].regs, p->regs);
}

static uint8_t slot_victim(void)
{
	uint8_t now = (uint8_t)switches, most = 0;
	uint8_t oldest = 0;

	for (uint8_t s = 0; s < SLOTS; s++) {
		uint8_t age = now - slot_used[s];

		if (!slot_owner[s])
			return s;
		if (age > most) {
			most = age;
			oldest = s;
		}
	}
	return oldest;
}

// Another process takes over a slot that is not its own. Maps are emptied.
static NOINLINE uint8_t slot_change(struct proc *p)
{
	uint8_t slot = slot_victim();
	struct proc *old = slot_owner[slot];

	if (old) {
		copy_regs(old->regs, slots[slot].regs);
		spaces[old->space].slot = NO_SLOT;
	}
	slot_owner[slot] = p;
	slot_bind(slot, p->space);
	load_regs(slot, p);
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

// The table is searched up to here: `end`, or behind what is in use there.
static void find_end(struct proc *end)
{
	for (struct proc *p = procs + PROCS; p > end; p--)
		if (p[-1].state != PROC_FREE)
			end = p;
	procs_end = end;
	if (turn >= end)
		turn = end - 1;
}

struct proc *proc_new(void)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state == PROC_FREE) {
			memset(p, 0, sizeof *p);
			memset(p->fd, NO_FD << 4 | NO_FD, sizeof p->fd);
			p->pid = new_pid();
			p->space = NO_SPACE;
			find_end(p + 1);
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

struct proc *proc_clone(void)
{
	struct proc *parent = self(), *child = proc_new();
	uint16_t pid;

	if (!child)
		return 0;
	pid = child->pid;
	*child = *parent;
	child->pid = pid;
	child->parent = (uint8_t)(parent - procs);
	child->pending = 0;
	child->signaled = false;
	child->report = 0;
	child->alarm = 0;
	child->faults = child->ticks = 0;
	files_share(child);
	return child;
}

int16_t sys_vfork(void)
{
	struct proc *parent = self(), *child = proc_clone();

	if (!child)
		fail(-OX_EAGAIN);
	copy_regs(parent->regs, self_regs());
	parent->regs[10] = child->pid;
	parent->state = PROC_VFORK;
	slot_hand_over(parent, child);
	running = child;
	return 0; // to the child
}

static void vfork_return(struct proc *child)
{
	struct proc *parent = parent_of(child);

	slot_hand_over(child, parent);
	if (slot_of(parent) != NO_SLOT)
		load_regs(slot_of(parent), parent);
	parent->state = PROC_RUN;
	child->space = NO_SPACE;
}

bool borrows(const struct proc *p)
{
	return parent_of(p)->state == PROC_VFORK && parent_of(p)->space == p->space && parent_of(p) != p;
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

// The parent of p has ended. A group that nobody can continue any more does not stay stopped.
static void orphan(struct proc *p)
{
	p->parent = 0; // INIT
	if (p->state == PROC_ZOMBIE)
		wake_parent(INIT);
	if (p->state == PROC_STOPPED && group_orphaned(p->pgid)) {
		group_signal(p->pgid, OX_SIGHUP);
		group_signal(p->pgid, OX_SIGCONT);
	}
}

void proc_exit(struct proc *dead, uint16_t status)
{
	card_restart = false;
	assert(dead->state != PROC_FREE && dead->state != PROC_ZOMBIE);
	if (dead == INIT)
		halt(P("\npanic: init has ended\n"));
	fork_abandon(dead);
	files_close(dead, true);
	proc_leave_space(dead);
	dead->state = PROC_ZOMBIE;
	if (dead->sid == dead->pid)
		tty_hang_up(dead->pid);
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && parent_of(p) == dead)
			orphan(p);
	if (parent_of(dead)->ignored & SIGBIT(OX_SIGCHLD))
		dead->state = PROC_FREE;
	dead->status = status;
	dead->report = 0;
	dead->alarm = 0;
	proc_signal(parent_of(dead), OX_SIGCHLD);
	wake_parent(parent_of(dead));
}

// ---- scheduling

// It could run but for its signals.
#define SIGNALS_STOP(p) ((p)->signaled && !signals_act(p))

static NOINLINE struct proc *urgent_one(void)
{
	struct proc *p = urgent;

	urgent = 0;
	return p->state == PROC_RUN && !SIGNALS_STOP(p) ? p : 0;
}

// One with a positive nice value lets others go first, but in each 2nd to 16th round through the table.
static NOINLINE __attribute__((unused)) bool stands_back(const struct proc *p, uint8_t round)
{
	uint8_t nice = p->nice;

	return nice > NICE_USUAL && round & ((uint8_t)(1 << (nice - (NICE_USUAL - 4)) / 5) - 1);
}

// The next in turn; in between, whoever gets what has come.
static inline struct proc *next_runnable(void)
{
	static uint8_t round;
	struct proc *p, *end = procs_end, *last = turn, *back = 0;

	if (urgent && (p = urgent_one()))
		return p;
	p = last;
	do {
		if (++p >= end) {
			p = procs;
			round++;
		}
		if (p->state != PROC_RUN)
			continue;
		if (p->special > NICE_USUAL) {
			if (SIGNALS_STOP(p))
				continue;
			if (BOARD_HAS_NICE && stands_back(p, round)) {
				if (!back)
					back = p;
				continue;
			}
		}
		return turn = p;
	} while (p != last);
	if (back)
		turn = back;
	return back;
}

bool others_can_run(void)
{
	for (struct proc *p = procs; p < procs_end; p++)
		if (p->state == PROC_RUN && p != running)
			return true;
	return false;
}

void card_asked(void)
{
	reader = running;
}

bool card_came(void)
{
	proc_wake(PROC_CARD, 0);
	urgent = reader;
	reader = 0;
	return urgent && urgent != running;
}

void wait_for_card(void)
{
	if (!BOARD_HAS_OVERLAP)
		return;
	if (card_left == CARD_WAITS)
		self()->state = PROC_CARD;
	card_left = 0;
}

static bool waiting_for_card(void)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state == PROC_CARD)
			return true;
	return false;
}

// So many slices more has a process with a negative nice value.
static uint8_t favoured(const struct proc *p)
{
	return p->nice < NICE_USUAL ? (uint8_t)(NICE_USUAL + 3 - p->nice) / 4 : 0;
}

// More processes than fit into the pool drive out each other's pages, and a slice is over when a process has just got its own back. So one
// that has had THRASHING faults in its slice goes on, for up to LONGER slices more.
static bool goes_on(void)
{
	static uint8_t faults_before, more;
	uint8_t faults = (uint8_t)pool_counts.hard, n = faults - faults_before;

	faults_before = faults;
	if (more >= (n < THRASHING ? favoured(running) : LONGER)) {
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

static NOINLINE void idle(void)
{
	bool may_sleep = !waiting_for_card();

	wdt_reset();
	set_sleep_mode(SLEEP_MODE_IDLE);
	cli();
	if (may_sleep && !vm_pending) {
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

static inline __attribute__((always_inline)) void load(struct proc *p)
{
	const struct space *s = &spaces[p->space];
	uint8_t slot = s->slot; // of its own: one that has lent its space does not run

	if (slot == NO_SLOT)
		slot = slot_change(p);
	slot_used[slot] = (uint8_t)switches;
	vm_slot_page = (uint8_t)((uint8_t)((uintptr_t)slots >> 8) + 3 * slot);
	vm_slot_bit = (uint8_t)(1 << slot);
	vm_pc = p->pc;
	vm_acc = p->acc;
	vm_space = p->space;
	vm_space_at = s;
}

void proc_load(void)
{
	load(self());
}

__attribute__((OS_task)) void schedule(void)
{
	struct proc *p = woken;

	woken = 0;
	if (!p || p->state != PROC_RUN || p->signaled)
		while (!(p = next_runnable()))
			idle();
	if (p != running)
		count_up(&switches);
	running = p;
	load(p);
}

int16_t sys_sched_yield(void)
{
	self_regs()[10] = 0;
	schedule();
	kernel_leave();
}
