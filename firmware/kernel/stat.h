// SPDX-License-Identifier: ISC
//
// Counters of the machine that /proc/stat shows.
#ifndef OCTIX_STAT_H
#define OCTIX_STAT_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/vm.h"

// Where the CPU was at the ends of time slices (1/100 s): idle, or as vm_pending says.
enum { TICKS_IDLE, TICKS_KERNEL = PENDING_SLICE - 1, TICKS_VM };
extern uint32_t ticks[3];

// Counts, if vm_pending says that a slice is over; `idle`: nobody could run. True: it is.
bool count_tick(bool idle);

// Mean AVR cycles of a bytecode instruction (vm.cycles_per_insn.mean of the bench, code resident). Instructions are not counted one by one: that would
// cost cycles in every dispatch.
#define CYCLES_PER_INSN 24

#endif
