// SPDX-License-Identifier: ISC
// Cycles of the bytecode handlers of an Octix kernel: from one dispatch to the next. Spans with an interrupt, a fault or
// anything else outside of the bytecode core are left out.
#ifndef SIM_HANDLERS_H
#define SIM_HANDLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "elfload.h"

struct handler {
	uint64_t count, cycles;
	uint64_t least, most;
};

struct handlers {
	uint32_t start, end;    // the core, in bytes of flash
	uint32_t table;         // 256 words, one an opcode
	int open;               // the opcode whose handler runs, -1: none that counts
	uint64_t since;
	struct handler of[256];
};

// Addresses of the core's first byte and of the one behind it. False: the program has none.
bool handlers_core(const struct program *p, uint32_t *start, uint32_t *end);

// Finds the core by its symbols vm_core_start, vm_core_end and vm_optab. Returns 0, or -1 when one is missing.
int handlers_find(struct handlers *h, const struct program *p);

// The instruction at pc is about to run.
void handlers_step(struct handlers *h, uint32_t pc, uint64_t cycle);

// The format is described in sim.md. Returns 0, or -1 when the file could not be written.
int handlers_write(const struct handlers *h, const char *path);

#endif
