// SPDX-License-Identifier: ISC
//
// How often the instructions of a program ran: oxrun counts, oxchoose weighs by it; OXE.md has the format of the file.
#ifndef SDK_COUNTS_H
#define SDK_COUNTS_H

#include "disasm.h"

#include <stdint.h>

struct count {
	uint32_t addr; // of an RV32 instruction
	uint64_t n;
};

struct counts {
	struct count *list; // ascending addresses, each once
	size_t n, cap;
};

// Dies with the place when the file is none of counts.
void counts_read(struct counts *c, const char *path);

// Adds a run to the file, which need not be there yet: for each of `bytes` bytes of code how often an instruction began there.
void counts_add(const char *path, const struct symbols *map, const uint64_t *runs, uint32_t bytes);

#endif
