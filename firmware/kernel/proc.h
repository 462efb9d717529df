// SPDX-License-Identifier: ISC
//
// Processes: the table, scheduling, context slots, birth and death.
//
// A process that runs or has run lately holds a context slot with its registers; without one they lie in regs[]. Its name lies
// in its own memory, at NAME_AT.
// A call that must wait leaves nothing on the kernel stack: it sets a state, and the system call instruction runs
// again when the process wakes. What it has done so far stands in `progress` and `deadline`.
#ifndef OCTIX_PROC_H
#define OCTIX_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include <octix/abi.h>

#include "fs/fs.h"
#include "kernel/param.h"
#include "vm/vm.h"

enum proc_state { // a letter for each stands in text.c
	PROC_FREE,
	PROC_RUN,
	PROC_SLEEP,   // until deadline
	PROC_POLL,    // in poll: until something changes; until deadline, if that is set
	PROC_POLL_OUT, // the same, and until the terminal takes output
	PROC_SEM,     // for semaphore wait_on; until deadline, if that is set
	PROC_TTY_IN,  // the last of those for which a time may be set
	PROC_CHILD,   // in waitpid
	PROC_TTY_OUT,
	PROC_PIPE,    // these on wait_on
	PROC_CARD,    // the card is busy
	PROC_PAUSE,   // in sigsuspend
	PROC_STOPPED, // by a signal; a call it was in runs again
	PROC_VFORK,   // its space is lent to the child; this and what follows is not woken by signals
	PROC_FORK,    // its parent's fork is making it
	PROC_ZOMBIE,
};

// A system call that is not finished: its process waits in it, or is to be interrupted; or the call has been left for the card so many times.
enum proc_call { CALL_NONE, CALL_WAITS, CALL_INTERRUPTED, CALL_LEFT = 4 };

enum { NICE_FIRST, NICE_USUAL = 20, NICE_LAST = 39 }; // nice values plus 20 (NZERO)

#define REPORTED 16 // the signals that stop are 17 to 22,
#define GOES_ON  7  // and 23 does not

#define NO_FD 15 // in place of the number of an open file

#define SIGBIT(n) ((uint32_t)1 << (n))
#define SIGBIT_NOCLDSTOP SIGBIT(0)  // in `ignored`: no SIGCHLD when a child stops or goes on
#define UNBLOCKABLE (SIGBIT(OX_SIGKILL) | SIGBIT(OX_SIGSTOP))

struct pipe;

struct proc { // what a call looks at comes first: within the reach of ldd
	struct pc pc;
	uint8_t state;
	uint8_t space;
	union { // quick.S knows this byte and the next
		struct {
			uint8_t nice : 6;  // NICE_FIRST (it gets most of the time) to NICE_LAST
			bool signaled : 1; // it has signals that are not blocked
			bool timed : 1;    // deadline is set, by a call that waits
		};
		uint8_t special;           // more than NICE_USUAL: one of these three is to be looked at
	};
	uint8_t call : 5;        // enum proc_call
	uint8_t report : 3;      // for waitpid: it has been stopped by signal REPORTED + this; or GOES_ON; 0: nothing
	uint16_t pid, pgid, sid; // process, group, session
	uint16_t progress;       // bytes of a call that is not finished
	uint16_t faults, ticks;  // hard page faults; time slices
	uint8_t wait_on;         // low byte of the address of a pipe or terminal: others may be woken with it; or number of the semaphore
	uint8_t parent;          // its place in the table: parent_of
	uint32_t cwd;            // cluster of the working directory
	uint8_t fd[FDS / 2];     // open file numbers, two in a byte: fd_number
	uint8_t cloexec[(FDS + 7) / 8]; // bit n: close descriptor n in execve
	uint8_t sems;            // bit n: it has semaphore n + 1
	uint32_t pending, blocked, ignored, caught; // signals, bit n: signal n; the entry of its handlers is in gp
	uint32_t alarm;          // milliseconds of uptime; 0: none
	struct user user;
	union {
		uint32_t regs[16];
		// also while the others are in a slot:
		uint32_t acc;      // of the bytecode machine; system calls leave it undefined, so in a call that waits it is
		uint32_t deadline; //   milliseconds of uptime,
		uint16_t status;   //   and of a zombie, waitpid's
	};
};

#define INIT procs           // process 1 is the first of the table

extern struct proc procs[PROCS];
extern struct proc *procs_end; // behind the last that is not free, at least
extern struct proc *running; // the running process
extern struct proc *woken;   // by the running process: runs next, in this time slice; or NULL
extern struct proc *urgent;  // what it has waited for has come: runs now, in between; or NULL
extern uint32_t syscalls;    // since boot
extern uint32_t switches;    // of processes, since boot

static inline struct proc *parent_of(const struct proc *p) // init's: itself
{
	return procs + p->parent;
}

static inline struct proc *self(void)
{
	return running;
}

// The registers of the running process.
__attribute__((always_inline)) static inline uint32_t *self_regs(void)
{
	return (uint32_t *)page_address(vm_slot_page);
}

// The registers of a process, wherever they are.
uint32_t *proc_regs(struct proc *p);

// A child of the running process that has what that has, but no registers yet; or NULL. Then the caller says what its space is.
struct proc *proc_clone(void);

// A free table entry with a new pid, or NULL.
struct proc *proc_new(void);

// The process with this id, or NULL.
struct proc *proc_find(uint16_t pid);

// The id of its parent; 0 for init.
uint16_t parent_pid(const struct proc *p);

// Ends a process: status as waitpid gives it.
void proc_exit(struct proc *p, uint16_t status);

// Is its data space lent by its parent (vfork)?
bool borrows(const struct proc *p);

// The process lets go of its data space: a lent one goes back to the parent, which goes on; its own is freed.
void proc_leave_space(struct proc *p);

// All that wait in this state (PROC_PIPE: on this pipe, at least) run again, and so does their call; also those in poll, which look for
// themselves. Were there any of the former?
bool proc_wake(uint8_t state, const void *wait_on);

// The same for those that read from a terminal, whose time (VTIME) begins anew.
void proc_wake_reader(const void *tty);

// What the running process was doing has been left for the card: it sleeps, or lets another one run.
void wait_for_card(void);

// A process that waits runs again: next, when the running one stops within its time slice, as it most likely waits for that one.
void proc_go_on(struct proc *p);

// What waits for a child looks again.
void wake_parent(struct proc *parent);

// Is it one of those that a pid argument names (POSIX waitpid, kill)?
bool named(const struct proc *p, int16_t pid);

// Is there a process of this group in the session of the one that runs?
bool group_exists(int16_t pgid);

// The process goes on at this code pointer, whatever it is.
void proc_jump(struct proc *p, uint32_t pointer);

// SIGALRM for it in so many milliseconds, 0: none; what was left.
uint32_t alarm_set(struct proc *p, uint32_t ms);

// Loads the current process into the core: its slot and program counter.
void proc_load(void);

// Chooses who runs next, waits if nobody can, and loads it. OS_task: whoever calls it does nothing more but leave the kernel.
void schedule(void);

// Drops the kernel stack and goes on with the process that is loaded (fail.S).
void kernel_leave(void) __attribute__((noreturn));

// Drops the kernel stack and goes on with a process that can run (fail.S).
void kernel_again(void) __attribute__((noreturn));

// For a call that waits for a time: have so many milliseconds passed since it began?
bool time_is_up(uint32_t ms);

// Time has passed: wakes sleepers.
void proc_tick(void);

#endif
