// SPDX-License-Identifier: ISC
// What a run leaves behind: summary for a person, JSON for programs, marks for measurements.
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct board;

struct mark {
	uint8_t value;
	uint64_t cycle, sleep_cycles, core_cycles, sent;
	size_t blocks;                  // entries of the block log so far
};

// Log of marks and, between them, of all blocks moved.
struct marks {
	struct mark *list;
	size_t count, room;
	uint32_t *log;                  // sector * 2 + write
	size_t log_count, log_room;
};

// Exit code for the way the run ended: 0 halt or quit, 3 crash, 4 time-out, 6 power cut.
int report_exit_code(const struct board *b);

void report_summary(struct board *b, FILE *f);

// The format is described in sim.md. Returns 0, or -1 when the file could not be written.
int report_json(struct board *b, const char *path);

// Cycles by symbol, most first; the board must have been made with profile. 0, or -1 as above.
int report_profile(const struct board *b, const char *path);

void marks_add(struct marks *m, const struct board *b, uint8_t value);
void marks_block(struct marks *m, uint64_t lba, bool write);
int marks_write(const struct marks *m, const struct board *b, const char *path);
void marks_free(struct marks *m);

#endif
