// SPDX-License-Identifier: ISC
//
// Bytes of flash that the kernel's bytecode handlers take.
#ifndef SDK_HANDLERSIZE_H
#define SDK_HANDLERSIZE_H

#include "ops.h"

// Reads them from a kernel's ELF file: from each symbol h_NAME to the next symbol. What handlers share belongs to none. Dies when the
// file has no handler for an opcode.
void handler_sizes(const char *kernel, unsigned sizes[OP_COUNT]);

#endif
