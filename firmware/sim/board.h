// SPDX-License-Identifier: ISC
// The simulated board: an AVR of libsimavr 1.6 with what simavr gets wrong replaced (SPI, USART,
// SPM, interrupt entry, sleep, bad opcodes), and a card in its slot.
// One board is one run: make it, set its hooks, board_run(), read the counters, board_free().
#ifndef SIM_BOARD_H
#define SIM_BOARD_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip.h"
#include "eeprom.h"
#include "elfload.h"
#include "handlers.h"
#include "image.h"
#include "irq.h"
#include "opcodes.h"
#include "outside.h"
#include "sdcard.h"
#include "serial.h"
#include "spi.h"
#include "spm.h"

enum stop {
	STOP_NONE,
	STOP_HALT,              // sleep with interrupts off
	STOP_CRASH,             // the chip did something no working program does
	STOP_TIMEOUT,           // cycle limit
	STOP_QUIT,              // asked for by the host
	STOP_CUT,               // power cut, --fault cut=N
};

struct board_config {
	const struct chip *chip;
	const char *kernel;             // ELF file
	const char *card;               // image file, NULL: empty slot
	bool shared;                    // write into the image file
	struct outside_config outside;
	const char *eeprom;             // file that keeps EEPROM, NULL: none does
	struct card_config sd;          // latencies in cycles
	uint64_t max_cycles;            // 0: no limit
	bool profile;                   // count cycles by address
	bool handlers;                  // count cycles of the VM's handlers
	bool no_flow;                   // serial lines: the host does not obey XON and XOFF
};

struct board;

// What the world outside does. Any may be NULL.
struct board_hooks {
	void *arg;
	void (*sent)(void *arg, int port, uint8_t byte);        // a UART finished a byte
	int (*fetch)(void *arg, int port);                      // next byte to receive, -1: none
	void (*poll)(void *arg);                                // every BOARD_POLL cycles
	void (*idle)(void *arg, uint64_t cycles);               // asleep for so long, if no input
	void (*mark)(void *arg, uint8_t value);                 // write to GPIOR0
};

enum { BOARD_POLL = 50000 };

struct board {
	avr_t *avr;
	const struct chip *chip;
	struct board_config cfg;
	struct board_hooks hooks;
	struct program program;
	struct image image;
	struct card *card;
	bool card_selected;

	struct irqs irqs;
	struct spi spi;
	struct serial uart[2];
	struct spm spm;
	struct eeprom *eeprom;

	avr_run_t first_run;            // avr->run as simavr set it
	uint16_t sp_low;                // lowest stack pointer seen
	uint64_t sleep_cycles;
	unsigned resets;
	bool reset_pin;
	uint64_t *profile;              // cycles by flash word, NULL: not wanted
	uint32_t core_start, core_bytes; // the bytecode core; 0 bytes: there is none
	uint64_t core_cycles;           // of instructions in it
	struct {                        // interrupts off, from the first time that they were on
		bool seen, on;
		uint32_t from_pc, longest_pc; // where they went off: the instruction behind, or the interrupt's first one
		uint64_t since, longest;      // cycles
	} irq_off;
	struct handlers *handlers;      // NULL: not wanted
	char warning[160];              // something a person should know, shown in the summary

	void *owned[128];               // board_alloc
	unsigned owned_count;
	char cpu_message[160];          // last complaint of simavr

	bool asleep;                    // SLEEP was executed, no interrupt has come yet
	bool pause;                     // set by a hook: board_run() returns, can be called again
	enum stop stop;
	char why[256];
	uint8_t opclass[65536];
	void (*watch)(void *arg, uint16_t op);  // board_watch
	void *watch_arg;
	void (*after)(void *arg, uint32_t pc, uint64_t cycles); // board_after
	void *after_arg;
};

// Makes a board and loads the kernel. NULL on failure with a message for a person in err.
struct board *board_new(const struct board_config *cfg, char *err, size_t errlen);

// Runs until something stops it or a hook sets b->pause; returns b->stop (STOP_NONE after a pause).
// b->why says more.
enum stop board_run(struct board *b);

// Ends the run after the current instruction. First reason wins.
void board_stop(struct board *b, enum stop reason, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

// board_stop(STOP_CRASH) with program counter and symbol added.
void board_crash(struct board *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// Resets the chip by its reset pin, after the current instruction. The card keeps its power.
void board_reset(struct board *b);

// Input may have come: start receiving on both UARTs if they can.
void board_kick(struct board *b);

// From now on fn is called before each load and store (LD, LDD, LDS, ST, STD, STS), with its first word.
void board_watch(struct board *b, void (*fn)(void *arg, uint16_t op), void *arg);

// From now on fn is called after each instruction, with its address and the cycles it took.
void board_after(struct board *b, void (*fn)(void *arg, uint32_t pc, uint64_t cycles), void *arg);

double board_seconds(const struct board *b);

// Returns 0, or -1 when changes could not be written into the image file.
int board_free(struct board *b);

// For the parts of the board: an event in `cycles` cycles; replaces an earlier one of fn and arg.
typedef avr_cycle_timer_t board_event_fn;
void board_at(struct board *b, uint64_t cycles, board_event_fn fn, void *arg);

// For the parts of the board, and tests: handlers of one register (data-space address).
void board_on_write(struct board *b, uint16_t reg, avr_io_write_t fn, void *arg);
void board_on_read(struct board *b, uint16_t reg, avr_io_read_t fn, void *arg);

// For the parts of the board: zeroed memory that lives as long as the board; NULL when short.
void *board_alloc(struct board *b, size_t size);

#endif
