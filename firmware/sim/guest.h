// SPDX-License-Identifier: ISC
// Profiles of the programs that run on the simulated board: cycles and page faults by function. The bytecode core of the
// kernel is watched: each time it dispatches an instruction, its registers and variables say which program runs, and where.
#ifndef SIM_GUEST_H
#define SIM_GUEST_H

#include <stdint.h>

struct board;
struct guest;

// Starts watching, by board_after(). Maps are of oxpack --map, and found by the build id of the program that they are for.
// NULL with a message on stderr.
struct guest *guest_start(struct board *b, char *const maps[], unsigned count);

// Writes the table: sim.md has its columns. Returns 0, or -1 after a message on stderr.
int guest_write(struct guest *g, const char *path);

void guest_free(struct guest *g);

#endif
