// SPDX-License-Identifier: ISC
//
// Recording a profile while a program runs.
#ifndef SDK_RECORD_H
#define SDK_RECORD_H

#include "disasm.h"

#include <stdint.h>

struct recorder;

// For a program of `bytes` bytes of code, with its map.
struct recorder *record_start(const struct symbols *map, uint32_t bytes);

// An instruction is about to run.
void record_step(struct recorder *r, uint32_t pc, unsigned bytes);

// Adds the run to the profile in the file; there need not be one yet.
void record_end(struct recorder *r, const char *path);

#endif
