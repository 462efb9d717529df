// SPDX-License-Identifier: ISC
// Self-programming: SPM with its page buffer, its time, and its rule that it works from the boot
// section alone.
#ifndef SIM_SPM_H
#define SIM_SPM_H

#include <stdbool.h>
#include <stdint.h>

struct board;

struct spm {
	uint8_t *buffer;        // one page
	uint8_t *loaded;        // which words of it were written
	uint64_t armed_until;   // SPMEN is honoured up to this cycle
	uint64_t busy_until;    // the operation ends
	bool rww_busy;          // the read-while-write section cannot be read
	uint64_t erased, written, refused;
};

void spm_init(struct board *b);
void spm_reset(struct board *b);
void spm_free(struct board *b);

// Executes spm (plus = false) or spm Z+ (plus = true) at b->avr->pc and moves on.
void spm_execute(struct board *b, bool plus);

#endif
