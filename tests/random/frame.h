// SPDX-License-Identifier: ISC
//
// What the random programs of random.awk and their frame share.
#ifndef RANDOM_FRAME_H
#define RANDOM_FRAME_H

#include <stdint.h>
#include <string.h>

// The program's memory: written out as it is at the end.
struct frame {
	const void *data;
	uint32_t bytes;
};
extern const struct frame frame;

void program(void);

// Adds a result.
void record(uint32_t v);

#endif
