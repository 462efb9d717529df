// SPDX-License-Identifier: ISC
//
// Kernel buffers in the context slots: 124 bytes of each slot lie between what a hostile program can reach and the
// code map. Used only within one system call, so a switch of slots does not matter.
#ifndef OCTIX_SLOTS_H
#define OCTIX_SLOTS_H

#include "kernel/param.h"
#include "vm/vm.h"

#define PATH_A ((char *)slots[0].kernel) // the path argument of a call
#define PATH_B ((char *)(SLOTS > 1 ? slots[1].kernel : second_buffer)) // the second one; strings on their way in execve

extern uint8_t second_buffer[SLOTS > 1 ? 0 : sizeof slots[0].kernel]; // where there is no second slot

#endif
