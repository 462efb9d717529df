// SPDX-License-Identifier: ISC
//
// The bytecode's opcode table for C: numbers, names and operand forms, from octix/opcodes.def.
#ifndef SDK_OPS_H
#define SDK_OPS_H

#include <stddef.h>
#include <stdint.h>

enum op {
#define OP(name, ...) OP_##name,
#include <octix/opcodes.def>
#undef OP
	OP_COUNT
};

enum {
	OP_FIRST_NATIVE = OP_nmemcpy,
	OP_NATIVES = OP_COUNT - OP_FIRST_NATIVE,
	OP_FIRST_BRANCH = OP_beq,
	OP_LAST_PAIR = OP_lbunzb, // branches up to here: each two that follow each other are opposites
	OP_LAST_BRANCH = OP_decbnzb,
};

// Name of an opcode below OP_COUNT.
const char *op_name(unsigned op);

// Operand letters of an opcode below OP_COUNT (see opcodes.def), "" for none.
const char *op_form(unsigned op);

// Cycles of the kernel's handler, dispatch included.
unsigned op_cycles(unsigned op);

// What the accumulator holds behind an instruction: nothing, what it held before, or the lowest 1, 2 or 4 bytes of its
// result (D) or first operand (S).
enum acc { ACC_none, ACC_kept, ACC_d1, ACC_d2, ACC_d4, ACC_s1, ACC_s4 };

enum acc op_acc(unsigned op);

// The branch that is taken when this one is not, or OP_trap when there is none.
unsigned op_inverse(unsigned op);

// True for branches within a page, with or without something else done.
static inline int op_is_branch(unsigned op)
{
	return op >= OP_FIRST_BRANCH && op <= OP_LAST_BRANCH;
}

// Bytes of an instruction, opcode included; 1 for opcodes that trap.
unsigned op_bytes(unsigned op);

// Bytes of one operand of the given letter.
unsigned op_operand_bytes(char letter);

// One instruction taken apart: registers by number in operand order, immediate, branch offset or code pointer.
struct op_insn {
	uint8_t op;
	uint8_t bytes;
	uint8_t r[3];      // register numbers; 255: the operand byte is none
	uint8_t registers; // used of r
	uint8_t acc_only;  // its result is not in a register
	uint32_t value;    // i, I or L as an unsigned number
	uint32_t target;   // b or F
};

// Takes apart the instruction at p, of which n bytes exist. Returns 0, or -1 for an unknown opcode or too few bytes.
int op_decode(const uint8_t *p, size_t n, struct op_insn *insn);

// Code pointers: 32 bits of offset, index, tag (OXE.md).
static inline uint32_t codeptr(unsigned page, unsigned offset)
{
	return offset | (page & 63) * 2u << 8 | page >> 6 << 16;
}

static inline unsigned codeptr_page(uint32_t p)
{
	return (p >> 9 & 63) | (p >> 16 & 255) << 6;
}

static inline unsigned codeptr_offset(uint32_t p)
{
	return p & 255;
}

// True when p has the shape of a code pointer: even index below 128, upper byte 0.
static inline int codeptr_valid(uint32_t p)
{
	return !(p >> 24) && !(p & 0x8100);
}

#endif
