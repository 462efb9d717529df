// SPDX-License-Identifier: ISC
//
// What is in firmware/vm/soft.S, in C, for tests on a host: soft faults, the order of frames, what is known about them.
#ifndef HOST_SOFT_H
#define HOST_SOFT_H

#include <stdbool.h>
#include <stdint.h>

// Maps a page of the space, which has a slot, if it is in the pool. False: the kernel must bring it in.
bool soft_data(uint8_t space, uint8_t page, bool write);
bool soft_code(uint8_t space, unsigned page);

#endif
