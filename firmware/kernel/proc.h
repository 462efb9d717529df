// SPDX-License-Identifier: ISC
//
// Processes: the table, scheduling, context slots, birth and death.
//
// A process that runs or has run lately holds a context slot with its registers; without one they lie in regs[].
// A call that must wait leaves nothing on the kernel stack: it sets a state, and the system call instruction runs
// again when the process wakes. What it has done so far stands in `progress` and `deadline`.
#ifndef OCTIX_PROC_H
#define OCTIX_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/param.h"
#include "vm/vm.h"

enum proc_state {
	PROC_FREE,
	PROC_RUN,
	PROC_SLEEP,   // until deadline
	PROC_CHILD,   // in waitpid
	PROC_TTY_IN,
	PROC_TTY_OUT,
	PROC_PIPE,    // on pipe wait_on
	PROC_VFORK,   // its space is lent to the child
	PROC_ZOMBIE,
};

#define NO_FD 0xff

struct proc {
	uint32_t regs[16];
	struct pc pc;
	uint8_t state;
	uint8_t space;
	uint8_t parent;          // index
	uint8_t wait_on;
	bool timed;              // deadline is set
	uint16_t pid, pgid;
	uint16_t status;         // of a zombie
	uint16_t pending, ignored; // signals, bit n: signal n
	uint16_t progress;       // bytes of an interrupted write
	uint16_t cloexec;        // bit n: close descriptor n in execve
	uint16_t faults, ticks;  // hard page faults; time slices
	uint32_t deadline;       // milliseconds of uptime
	uint32_t cwd;            // cluster of the working directory
	uint8_t fd[FDS];         // open file numbers
	char name[NAME_SIZE];
};

#define INIT 0               // index of init

extern struct proc procs[PROCS];
extern uint8_t current;      // index of the running process
extern struct proc *running; // the same, as an address
extern uint32_t syscalls;    // since boot
extern uint32_t switches;    // of processes, since boot

static inline struct proc *self(void)
{
	return running;
}

// The registers of the running process.
static inline uint32_t *self_regs(void)
{
	return (uint32_t *)((uint16_t)vm_slot_page << 8);
}

// The registers of a process, wherever they are.
uint32_t *proc_regs(uint8_t p);

// A free table entry with a new pid, or PROCS.
uint8_t proc_new(void);

// Ends a process: status as waitpid gives it.
void proc_exit(uint8_t p, uint16_t status);

// The process lets go of its data space: a lent one goes back to the parent, which goes on; its own is freed.
void proc_leave_space(uint8_t p);

// All that wait in this state (PROC_PIPE: on this pipe) run again, and so does their call. Were there any?
bool proc_wake(uint8_t state, uint8_t wait_on);

// Sends a signal; ignored ones are dropped.
void proc_signal(uint8_t p, uint8_t signal);
void group_signal(uint16_t pgid, uint8_t signal);

// Does a process of the group ignore the signal?
bool group_ignores(uint16_t pgid, uint8_t signal);

// Loads the current process into the core: its slot and program counter.
void proc_load(void);

// Chooses who runs next, waits if nobody can, and loads it.
void schedule(void);

// Time has passed: wakes sleepers.
void proc_tick(void);

#endif
