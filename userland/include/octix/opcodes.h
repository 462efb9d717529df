// SPDX-License-Identifier: ISC
//
// OP_name for every row of the opcode table.
#ifndef OCTIX_OPCODES_H
#define OCTIX_OPCODES_H

enum opcode {
#define OP(name, ...) OP_##name,
#include <octix/opcodes.def>
#undef OP
	OPCODES
};

#endif
