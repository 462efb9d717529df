// SPDX-License-Identifier: ISC
//
// The opcodes that the packer may use: all of the table, unless some are left out.
#ifndef SDK_OPSET_H
#define SDK_OPSET_H

#include "ops.h"

#include <stdbool.h>

// True for opcodes that every program needs (BASIC in opcodes.def).
bool op_basic(unsigned op);

bool op_usable(unsigned op);

// Leaves an opcode out, or takes it back.
void op_use(unsigned op, bool use);

// True for opcodes that are to stand wherever they can.
bool op_favoured(unsigned op);

// The branch that is taken when this one is not and may be used, or OP_trap.
unsigned op_opposite(unsigned op);

// True when bytes can be compared in every way: only then may a comparison be decided by bytes alone.
bool ops_compare_bytes(void);

// Leaves out the opcodes of a list with commas. Dies when one is unknown or basic.
void ops_without(const char *list);

// Favours the opcodes of a list with commas. Dies when one is unknown.
void ops_favour(const char *list);

// Leaves out all but the basic opcodes and those named in a file, by blanks or lines; # begins a comment.
void ops_only(const char *path);

#endif
