// SPDX-License-Identifier: ISC
//
// Wild processes: instead of running its program, a process touches pages of data and code at random and makes random system
// calls with good and bad arguments. A few pages of each data space are its own: what it wrote there must still be there.
// While all wait, what they wait for is looked at: a call that would end by itself has lost its wake-up. See machine.h.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <octix/abi.h>
#include <octix/errno.h>
#include <octix/oxe.h>

#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/user.h"
#include "machine.h"
#include "../tempting.h"
#include "vm/frames.h"
#include "vm/pager.h"
#include "vm/vm.h"

enum call {
#define SYSCALL(name, ...) CALL_##name,
#include <octix/syscalls.def>
#undef SYSCALL
	CALL_COUNT
};

#define pick machine_pick
#define CHOOSE(list) (list)[pick(sizeof(list) / sizeof(list)[0])]

enum { ON_CALL = 1, BEHIND_CALL = 2, IN_HANDLER = 5 }; // offsets of the program counter in its page
enum { OWN_PAGES = 4 };                  // of a space, at the bottom of its stack
enum { SCRATCH = 0xfc00 };               // strings and vectors, at its top
enum { TRIES = 8 };                      // faults of one access in a row while nobody else runs
enum { PAUSE_MS = 100, DEAD_END = 6 };   // of idle time; pauses after which somebody is killed

bool wild_on;
struct wild_counts wild_counts;

static struct wild {
	uint16_t pid;
	enum { NOTHING, CALLING, TOUCHING } doing;
	bool waited;
	uint8_t looked_at;               // the state in which it waited; 0: has not been looked at
	uint8_t page, tries;
	bool write;
} wild[PROCS];

static struct own {
	bool fresh;                      // the space is new since the wild part began: what is there is known
	uint8_t bytes[OWN_PAGES * 256];
} own[SPACES];

static uint8_t last;                     // process that ran
static uint64_t quiet_since;
static unsigned pauses;

static bool is_wild(unsigned i)
{
	return &procs[i] != INIT && procs[i].state != PROC_FREE && procs[i].state != PROC_ZOMBIE && procs[i].space != INIT->space;
}

bool wild_runs(void)
{
	return is_wild(core_current());
}

static struct space *space(void)
{
	return &spaces[vm_space];
}

static bool is_own(unsigned page)
{
	return page - space()->stack_start < OWN_PAGES;
}

// ---- pages

static uint8_t some_page(bool *write)
{
	const struct space *s = space();

	*write = pick(2);
	if (pick(400) == 0)
		return (uint8_t)pick(256); // may well be the end of it
	if (pick(3) && s->heap_end > s->readonly_end)
		return (uint8_t)(s->readonly_end + pick((unsigned)(s->heap_end - s->readonly_end)));
	if (pick(3) == 0 && s->readonly_end > OXE_DATA_BASE >> 8) {
		*write = false;
		return (uint8_t)(2 + pick(s->readonly_end - 2u));
	}
	return (uint8_t)(s->stack_start + pick(256u - s->stack_start));
}

static void own_access(uint8_t *page, uint8_t number, bool write)
{
	struct own *o = &own[vm_space];
	unsigned offset = pick(256), at = (unsigned)(number - space()->stack_start) * 256;

	for (unsigned i = 0; o->fresh && i < 256; i++)
		if (page[i] != o->bytes[at + i])
			machine_fail("process %u, space %u, finds 0x%02x at 0x%02x%02x, where it wrote 0x%02x", self()->pid, vm_space, page[i],
			             number, i, o->bytes[at + i]);
	if (write)
		page[offset] = o->bytes[at + offset] = (uint8_t)pick(256);
}

// One access; false: it faults.
static bool touch(struct wild *w)
{
	uint8_t *page;

	if (!core_touch(w->page, w->write, &page))
		return false;
	if (is_own(w->page))
		own_access(page, w->page, w->write);
	else if (w->write)
		page[pick(256)] = (uint8_t)pick(256);
	w->doing = NOTHING;
	return true;
}

static uint8_t fault(struct wild *w)
{
	if (++w->tries > TRIES)
		machine_fail("process %u does not get page 0x%02x", self()->pid, w->page);
	w->doing = TOUCHING;
	wild_counts.faults++;
	return w->write ? STOP_WRITE : STOP_READ;
}

// ---- arguments

static uint32_t number(void)
{
	static const uint32_t edges[] = { TEMPTING_NUMBERS };

	return pick(4) ? CHOOSE(edges) : machine_random() << pick(2) >> pick(32);
}

// An address where n bytes may be changed: not in the pages of its own.
static uint32_t pointer(uint32_t n)
{
	static const uint32_t edges[] = { 0, 1, 3, 0x1ff, 0x200, 0x7ffe, 0xfffc, 0xffff, 0x10000, 0x10200, 0x80000000, 0xffffffff };
	uint32_t from = space()->stack_start * 256u, to = from + OWN_PAGES * 256u, at;

	switch (pick(12)) {
	case 0:
		at = CHOOSE(edges);
		break;
	case 1:
		at = pick(0x10000);
		break;
	case 2:
	case 3:
		at = space()->readonly_end * 256u + pick(2000);
		break;
	default:
		at = SCRATCH + 0x200 + pick(0x100);
	}
	return at < to && at + n > from ? (uint32_t)SCRATCH + 0x200 : at;
}

static uint32_t length(void)
{
	return pick(4) ? pick(1500) : number();
}

// Puts a string at a place of its own; sometimes another pointer instead.
static uint32_t string(unsigned place, const char *text)
{
	uint32_t at = SCRATCH + 0x80 * place;

	if (pick(16) == 0)
		return pointer(0);
	if (copy_out(vm_space, (uint16_t)at, text, (uint16_t)(strlen(text) + 1)))
		return 0; // or another path would stand there still, which this call must not have
	return at;
}

static const char *local(void)
{
	static const char *const names[] = { TEMPTING_NAMES, "/tmp/q", "/tmp/r/s", "/tmp/r",
		"another long name that takes several entries", "an-absurdly-long-name-0123456789012345678901234567890123456789-012345678901234567890123456789" };

	return CHOOSE(names);
}

static const char *foreign(void)
{
	static const char *const names[] = { "/", "/swap", "/sbin/init", "/bin/sh", "/etc/motd", "/bin", "/bin/true", "/nothing", "/bin/core",
		"/bin/figlet", "/bin/hello" };

	return CHOOSE(names);
}

static uint32_t path(unsigned place, bool any)
{
	return string(place, any && pick(2) ? foreign() : local());
}

static uint32_t descriptor(void)
{
	return pick(12) ? pick(FDS + 1) : number();
}

static uint32_t some_pid(void)
{
	uint32_t pid = procs[pick(PROCS)].pid;

	switch (pick(12)) {
	case 0:
		return number();
	case 1:
		return 0u - procs[pick(PROCS)].pgid;
	case 2:
		return 0;
	default:
		return pid;
	}
}

static uint32_t vector(void)
{
	uint32_t words[4] = { 0 }, at = SCRATCH + 0x1c0;

	if (pick(4) == 0)
		return pick(2) ? 0 : pointer(0);
	for (unsigned i = 0; i < pick(4); i++)
		words[i] = pick(8) ? string(2, "word") : pointer(0);
	copy_out(vm_space, (uint16_t)at, words, sizeof words);
	return at;
}

static uint32_t poll_entries(uint32_t n)
{
	uint32_t at = SCRATCH + 0x180 + 4 * pick(16);

	if (pick(8) == 0)
		return pointer(256);
	for (uint32_t i = 0; i < n && i < 6; i++) {
		struct oct_pollfd f = { (int32_t)descriptor(), (uint16_t)(pick(8) ? pick(8) : number()), 0xffff };

		copy_out(vm_space, (uint16_t)(at + i * sizeof f), &f, sizeof f);
	}
	return at;
}

static uint32_t open_flags(const uint32_t *a)
{
	uint32_t flags = pick(8) ? machine_random() & 0x244ec3 : machine_random();
	char text[8] = "";

	copy_in_string(vm_space, text, (uint16_t)a[0], sizeof text);
	return text[0] == '/' && memcmp(text, "/tmp", 4) && memcmp(text, "/swap", 5) ? flags & ~(uint32_t)(OX_O_TRUNC | OX_O_ACCMODE) : flags;
}

static void arguments(enum call which, uint32_t *a)
{
	a[0] = number();
	a[1] = pointer(256);
	a[2] = number();
	a[3] = pick(8) ? pick(3) : number();
	switch (which) {
	case CALL_read:
	case CALL_getdents:
		a[2] = length();
		a[1] = pointer(a[2] > 0x7fff ? 0x7fff : a[2]);
		a[0] = descriptor();
		break;
	case CALL_write:
		a[2] = length();
		a[0] = descriptor();
		break;
	case CALL_fchmod: // also of programs: they stay ones
		a[0] = descriptor();
		a[1] = number() | 0555;
		break;
	case CALL_close:
	case CALL_dup:
	case CALL_oct_fstat:
	case CALL_fchown:
		a[0] = descriptor();
		break;
	case CALL_ioctl:
		a[0] = descriptor();
		a[1] = pick(16) ? pick(OX_TIOCGSID + 2) : number();
		a[2] = pick(3) ? pointer(sizeof(struct oct_termios)) : pick(4);
		break;
	case CALL_dup2:
		a[0] = descriptor();
		a[1] = descriptor();
		break;
	case CALL_poll:
		a[1] = pick(16) ? pick(4) : number();
		a[0] = poll_entries(a[1]);
		a[2] = pick(3) ? pick(40) : pick(3) ? 0xffffffff : number();
		break;
	case CALL_fcntl:
		a[0] = descriptor();
		a[1] = pick(8) ? pick(5) : number();
		a[2] = pick(2) ? descriptor() : pick(4) ? machine_random() & (OX_O_APPEND | OX_O_NONBLOCK) : number();
		break;
	case CALL_lseek:
	case CALL_ftruncate: // never far behind the end of a file, which would fill the card
		a[0] = descriptor();
		a[1] = pick(4) ? pick(40000) : 0u - pick(70000);
		a[2] = pick(8) ? pick(3) : number();
		break;
	case CALL_open:
		a[0] = path(0, true);
		a[1] = open_flags(a);
		break;
	case CALL_mkdir:
	case CALL_rmdir:
	case CALL_unlink:
	case CALL_access:
	case CALL_chmod:
	case CALL_chown:
	case CALL_oct_utime:
		a[0] = path(0, false);
		break;
	case CALL_chdir:
	case CALL_oct_stat:
		a[0] = path(0, true);
		break;
	case CALL_execve:
		a[0] = string(0, pick(4) ? foreign() : local());
		a[1] = vector();
		a[2] = pick(2) ? 0 : vector();
		break;
	case CALL_rename:
		a[0] = path(0, false);
		a[1] = path(1, false);
		break;
	case CALL_pipe:
		a[0] = pointer(256);
		a[1] = number();
		break;
	case CALL_waitpid:
		a[0] = pick(2) ? 0xffffffff : some_pid();
		a[2] = pick(4) ? pick(16) | OX_WNOHANG : pick(16);
		break;
	case CALL_kill:
		a[0] = pick(40) ? some_pid() : 0xffffffff;
		a[1] = pick(2) ? pick(33) : 0;
		break;
	case CALL_oct_signal:
		a[0] = pick(8) ? pick(32) : number();
		a[1] = pick(8) ? pick(7) : number();
		a[2] = (machine_random() & 0xffffff00) | IN_HANDLER;
		break;
	case CALL_oct_sigmask:
		a[0] = pick(8) ? pick(3) : number();
		a[1] = machine_random() & machine_random();
		a[2] = pick(2) ? 0 : pointer(4);
		break;
	case CALL_oct_sigreturn:
		a[0] = pick(8) ? SCRATCH - sizeof(struct oct_sigframe) : pointer(0);
		a[1] = pick(2);
		break;
	case CALL_oct_sigsuspend:
		a[0] = machine_random() & machine_random();
		break;
	case CALL_oct_alarm:
		a[0] = pick(8) ? pick(300) : number();
		break;
	case CALL_setpgid:
		a[0] = pick(2) ? 0 : some_pid();
		a[1] = pick(2) ? 0 : some_pid();
		break;
	case CALL_oct_sem_open: // few names, so that they meet
	case CALL_oct_sem_unlink:
		a[0] = pick(4);
		a[1] = pick(8) ? 0 : number();
		a[2] = pick(8) ? pick(3) ? OX_O_CREAT : OX_O_CREAT | OX_O_EXCL : number();
		break;
	case CALL_oct_sem_wait:
	case CALL_oct_sem_post:
	case CALL_oct_sem_close:
	case CALL_oct_sem_value:
		a[0] = pick(8) ? pick(SEMS + 2) : number();
		a[1] = pick(4) ? pick(40) : pick(3) ? OX_SEM_FOREVER : number();
		break;
	case CALL_oct_sleep:
		a[0] = pick(8) ? pick(40) : number();
		break;
	case CALL_setresuid:
	case CALL_setresgid: // and back again
		a[0] = a[2] = 0xffffffff;
		a[1] = pick(3) ? pick(3) : number();
		break;
	case CALL_oct_reboot:
		a[0] |= 2;
		break;
	default:
		break;
	}
}

static enum call some_call(void)
{
	static const uint8_t often[] = { CALL_read, CALL_write, CALL_read, CALL_write, CALL_open, CALL_open, CALL_close, CALL_pipe, CALL_vfork,
		CALL_execve, CALL_dup2, CALL_unlink, CALL_lseek, CALL_poll, CALL_oct_sem_open, CALL_oct_sem_wait, CALL_oct_sem_post };

	if (pick(60) == 0)
		return (enum call)(CALL_COUNT + number() % 0xffff);
	if (pick(2))
		return (enum call)CHOOSE(often);
	return (enum call)pick(CALL_COUNT);
}

static uint8_t system_call(struct wild *w)
{
	enum call which = some_call();
	uint32_t a[4], *r = self_regs();

	card_restart = false; // bringing pages in is not left, as in a system call
	arguments(which, a); // brings pages in, so the registers come after it
	memcpy(r + 10, a, sizeof a);
	r[5] = which;
	r[2] = SCRATCH; // frames of handlers come below it
	w->doing = CALLING;
	w->waited = false;
	vm_pc.offset = BEHIND_CALL;
	wild_counts.calls++;
	return STOP_ECALL;
}

// ---- what a process does next

static uint8_t some_code(void)
{
	unsigned page = pick(300) ? pick(2u * space()->code_sectors) : pick(8192);

	vm_pc = (struct pc){ BEHIND_CALL, (uint8_t)(0x80 | 2 * (page & 63)), (uint8_t)(page >> 6) };
	if (core_code(page))
		return STOP_PREEMPT;
	wild_counts.faults++;
	return STOP_CODE;
}

static void forget_looks(void)
{
	for (unsigned i = 0; i < PROCS; i++)
		wild[i].looked_at = 0;
}

static uint8_t act(struct wild *w)
{
	wild_counts.steps++;
	forget_looks();
	if (pick(1000) == 0)
		return pick(2) ? STOP_ILLEGAL : STOP_BREAK;
	if (pick(8) == 0)
		return some_code();
	if (pick(2))
		return system_call(w);
	w->page = some_page(&w->write);
	w->tries = 0;
	return touch(w) ? STOP_PREEMPT : fault(w);
}

// Goes on with what a fault or a wait has left.
static bool go_on(struct wild *w, uint8_t *why)
{
	if (w->doing == TOUCHING) {
		if (touch(w))
			return false;
		*why = fault(w);
		return true;
	}
	if (w->doing != CALLING || vm_pc.offset != ON_CALL)
		return false;
	vm_pc.offset = BEHIND_CALL;
	*why = STOP_ECALL;
	return true;
}

bool wild_run(uint8_t *why)
{
	uint8_t before = last;
	struct wild *w = &wild[core_current()];

	last = (uint8_t)core_current();
	if (!is_wild(last))
		return false;
	if (last != before)
		w->tries = 0;
	if (w->pid != self()->pid)
		*w = (struct wild){ .pid = self()->pid };
	quiet_since = machine_cycles;
	*why = STOP_PREEMPT;
	if (!vm_pending && !go_on(w, why))
		do {
			machine_spend(100);
			w->doing = NOTHING;
			*why = act(w);
		} while (*why == STOP_PREEMPT && !vm_pending);
	return true;
}

// Spaces that are free: what they hold next is known from the start.
static void watch_spaces(void)
{
	for (unsigned s = 0; s < SPACES; s++)
		if (!spaces[s].file) {
			own[s].fresh = true;
			memset(own[s].bytes, 0, sizeof own[s].bytes);
		}
}

// A process is in fork, or has left it just now: its child will find what it has written.
static void copy_own(struct wild *w, struct proc *parent)
{
	bool done = parent->pc.offset != ON_CALL;

	for (unsigned i = 0; i < PROCS; i++) {
		const struct proc *child = &procs[i];

		if (parent->space == NO_SPACE || child->space == NO_SPACE || parent_of(child) != parent)
			continue;
		if (done ? child->pid == proc_regs(parent)[10] : child->state == PROC_FORK)
			own[child->space] = own[parent->space];
	}
	if (done)
		w->doing = NOTHING;
}

// The call that the process was in has ended, or it waits.
static void call_left(struct wild *w, uint8_t i)
{
	if (procs[i].pc.offset == ON_CALL) {
		w->waited = true;
		w->looked_at = 0;
		return;
	}
	wild_counts.wakes += w->waited;
	w->waited = false;
	if (procs[i].pc.offset == IN_HANDLER)
		w->looked_at = 0;
	if ((int32_t)proc_regs(&procs[i])[10] == -OX_EIO)
		w->looked_at = 0; // it has become a background process, which is told with the next line; or the card has failed
	if ((int32_t)proc_regs(&procs[i])[10] == -OX_EAGAIN)
		w->looked_at = 0; // another process has set O_NONBLOCK
	if (w->looked_at && procs[i].state == PROC_RUN)
		machine_fail("process %u has lost its wake-up: system call %u, in state %u, did not have to wait any more: %d", w->pid,
		             proc_regs(&procs[i])[5], w->looked_at, (int)proc_regs(&procs[i])[10]);
	w->looked_at = 0;
}

void wild_left(bool ran)
{
	watch_spaces();
	if (ran && wild[last].doing == CALLING && procs[last].pid == wild[last].pid && proc_regs(&procs[last])[5] == CALL_fork)
		copy_own(&wild[last], &procs[last]);
	if (ran && wild[last].doing == CALLING && procs[last].pid == wild[last].pid)
		call_left(&wild[last], last);
}

// ---- while nobody runs

static bool waits_for_others(const struct proc *p)
{
	return p->state == PROC_PIPE || p->state == PROC_CHILD
	       || ((p->state == PROC_SEM || p->state == PROC_TTY_IN || p->state == PROC_POLL || p->state == PROC_POLL_OUT) && !p->timed);
}

// All wait: each one's call is made again, and must wait again.
static void look_at_waiting(void)
{
	for (unsigned i = 0; i < PROCS; i++)
		if (is_wild(i) && waits_for_others(&procs[i]) && wild[i].pid == procs[i].pid && wild[i].doing == CALLING) {
			wild[i].looked_at = procs[i].state;
			procs[i].state = PROC_RUN;
			wild_counts.spurious++;
		}
}

static void kill_one(void)
{
	unsigned i = pick(PROCS);

	for (unsigned n = 0; n < PROCS; n++, i = (i + 1) % PROCS)
		if (is_wild(i) && procs[i].state < PROC_VFORK) {
			proc_signal(&procs[i], OX_SIGKILL);
			wild_counts.rescued++;
			return;
		}
}

void wild_idle(void)
{
	static const char *const texts[] = { "\n", "echo typed\n", "\004", "word\004", "\003", "x\025y\027z\177\n", "two\nlines\n" };

	if (machine_cycles - quiet_since < PAUSE_MS * (uint64_t)(BOARD_F_CPU / 1000))
		return;
	quiet_since = machine_cycles;
	switch (++pauses % DEAD_END) {
	case 1:
		look_at_waiting();
		break;
	case 0:
		kill_one();
		break;
	default:
		forget_looks();
		uart_type(CHOOSE(texts), false);
	}
}

void wild_end(void)
{
	wild_on = false;
	uart_type("", false);
	for (uint8_t i = 0; i < PROCS; i++)
		if (is_wild(i))
			proc_signal(&procs[i], OX_SIGKILL);
	stop(STOP_PREEMPT);
}
