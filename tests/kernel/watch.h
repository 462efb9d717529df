// SPDX-License-Identifier: ISC
//
// Watches the bytecode core of a kernel on the simulated board: every load and store it makes, all of SRAM before and
// after, and how long it runs. A breach stops the board as a crash.
#ifndef TESTS_WATCH_H
#define TESTS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../../firmware/sim/board.h"

struct watch {
	struct board *board;
	uint16_t slots, pool;                  // addresses in SRAM, of the ELF file's symbols
	uint16_t slot_page, pc, pending, slice;
	void (*entered)(void *arg, uint16_t slot, uint8_t *code); // the core runs: code page, NULL when not resident
	void (*left)(void *arg, uint16_t slot);
	void *arg;

	bool running;
	uint64_t entered_at, asked_at;         // cycles; asked: an interrupt wanted the kernel (0: none)
	uint64_t entries, longest, slowest;    // longest run of the core; slowest answer to an interrupt
	uint64_t accesses;
	uint16_t slot;                         // address of the running process's slot
	uint8_t rights[256];                   // of the pages of SRAM
	uint8_t before[65536];                 // SRAM when the core was entered
	uint32_t run, touched[65536];          // number of the run of the core in which an interrupt wrote there
};

// Finds the kernel's symbols and sets the hooks. Returns NULL, or what is missing.
const char *watch_start(struct watch *w, struct board *b);

// Address of a symbol in SRAM, 0: there is none.
uint16_t watch_symbol(const char *kernel, const char *name);

#endif
