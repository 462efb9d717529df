// SPDX-License-Identifier: ISC
//
// The machine around the kernel on the host: memory, time and interrupts, card, serial line. Everything it does depends on
// its input alone; nothing on the time of day.
//
//   machine.c  memory, virtual time, sleep and halt    card.c  the SD driver on an image, with errors and a log
//   core.c     the bytecode core                       uart.c  the serial line
//   wild.c     processes that do what comes            check.c what must hold whenever the kernel is left
//   fuzz.c     many runs from one start                oxkernel.c  the command line
#ifndef KERNEL_HOST_MACHINE_H
#define KERNEL_HOST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

// ---- machine.c

enum machine_end { MACHINE_HALTED, MACHINE_RESTARTS, MACHINE_TIMEOUT, MACHINE_BROKEN };

extern uint64_t machine_cycles;       // since reset
extern uint64_t machine_limit;        // the run ends at this cycle
extern uint64_t machine_next;         // cycle of the next interrupt
extern uint8_t machine_marked;        // last value of mark()

// The program's: called when the run ends.
_Noreturn void machine_ended(enum machine_end why);

// Maps the memory of slots and pool, with everything around them out of bounds.
void machine_start(void);

// Time goes by: interrupts come as they are due.
void machine_interrupts_due(void);
static inline void machine_spend(unsigned cycles)
{
	machine_cycles += cycles;
	if (machine_cycles >= machine_next)
		machine_interrupts_due();
}

// An interrupt wants the kernel.
void machine_request(void);

// Time goes by until the next interrupt, as in a waiting loop of a driver.
void machine_wait(void);

// Prints why and ends the run as broken.
_Noreturn void machine_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

// Random numbers: the same for the same seed.
extern uint64_t machine_seed;
uint32_t machine_random(void);
static inline uint32_t machine_pick(uint32_t n)
{
	return machine_random() % n;
}

// ---- card.c

struct card_trouble {           // one of so many goes wrong; 0: none
	unsigned read, write;
	uint64_t reads_left, writes_left; // that may still go wrong
	uint64_t one_write;     // number of a write that goes wrong, from 1; 0: none
	uint32_t bad_sector;    // that cannot be read; 0: none
};
extern struct card_trouble card_trouble;
extern uint64_t card_failed_writes, card_failed_reads;
extern unsigned card_latency;   // cycles from command to data

// A millisecond has passed. True: a block that somebody waits for has come.
bool card_tick(void);

// Opens an image as the card; changes stay in memory unless `shared`. Exits with a message when it cannot.
void card_open(const char *path, bool shared);

// What a sector holds now.
const uint8_t *card_sector(uint32_t lba);

// Writes the card as it is now into a new file. False, with a message, when it cannot.
bool card_save(const char *path);

// From now on a line for each sector moved is appended to a file: r or w, sector, and ! if it failed.
void card_log(const char *path);

// ---- uart.c

// What is typed; hold: each line only when the prompt has been printed.
void uart_type(const char *text, bool hold);

// Interrupts of the line that are due; the next one's cycle.
uint64_t uart_interrupts(uint64_t now);

extern bool uart_quiet;             // what is sent is not printed
extern const char *uart_prompt;     // text, not empty
extern uint64_t uart_prompts;       // how often it has been printed

// ---- core.c

extern uint64_t core_instructions;
extern unsigned core_preempt;       // an interrupt for the kernel after so many instructions; 0: none but the tick's
extern bool core_checks;            // check_kernel() after each stop
extern bool core_trace;             // print system calls
extern uint64_t core_longest_wait;  // cycles that a process could run and did not, the longest; with core_checks

// Number of the process that runs.
unsigned core_current(void);

// What the core does with the process that is loaded.
uint8_t core_run(void);             // executes until it must stop: STOP_*
bool core_touch(uint8_t page, bool write, uint8_t **address); // false: vm_page faults
bool core_code(unsigned page);      // false: vm_pc faults

// ---- check.c

// Ends the run as broken unless all tables of the kernel agree with each other.
void check_kernel(void);

// Prints the processes on standard error.
void check_print(void);

// What a quiet machine owns; the same before and after a session, or something is lost.
struct holdings {
	uint8_t procs, spaces, opens, references, files, pipes;
};
struct holdings check_holdings(void);

// Ends the run as broken when they differ.
void check_same_holdings(const struct holdings *before, const struct holdings *after);

// ---- wild.c

struct wild_counts {
	uint64_t runs, steps, calls, completed, faults, spurious, rescued, failed_reads, failed_writes, wakes;
};
extern struct wild_counts wild_counts;
extern bool wild_on;                // processes but init do what comes

// The next action of the process that is loaded: true and its STOP_*. False: it is no wild one.
bool wild_run(uint8_t *why);

// Is the process that runs a wild one? (The card fails for those only: it is nothing new that a machine ends when init does.)
bool wild_runs(void);

// The kernel has been left; ran: after an action of wild_run.
void wild_left(bool ran);

// Nobody can run: what is waited for is looked at, and somebody killed when it takes long.
void wild_idle(void);

// All wild processes are killed; from now on processes run their programs.
void wild_end(void);

// ---- fuzz.c

// At the first prompt: runs so many wild sessions of so many steps, each in a process of its own from there. Does not return then.
extern unsigned fuzz_runs, fuzz_steps;
extern const char *fuzz_then;       // command that the card of each run must pass
extern bool fuzz_leaks;             // compare the holdings at all prompts
void fuzz_left(void);               // the kernel has been left
void fuzz_idle(void);               // nobody can run

// If this is a run of fuzz.c: it has ended; does not return.
void fuzz_ended(enum machine_end why);

#endif
