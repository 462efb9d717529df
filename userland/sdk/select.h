// SPDX-License-Identifier: ISC
//
// Choice of bytecodes: at each instruction of a block, all that could come next; select.c takes the cheapest sequence.
#ifndef SDK_SELECT_H
#define SDK_SELECT_H

#include "pack.h"

enum { MAX_CHOICES = 24 };

// One way to do the next instructions of a block.
struct choice {
	struct out out;
	bool nothing;  // they need not be done
	uint8_t insns; // how many
};

struct choices {
	struct program *p;
	struct insn *const *in; // the instruction, and those behind it in its block
	size_t left;            // how many they are
	struct choice list[MAX_CHOICES];
	size_t n;
};

// Adds a choice: one bytecode for so many instructions. Its operands are to be filled in.
struct out *offer(struct choices *c, unsigned insns, unsigned op);

// The same with registers in operand order and an immediate; or with registers and a branch target.
void offer_r(struct choices *c, unsigned insns, unsigned op, unsigned a, unsigned b, unsigned d, uint32_t value);
void offer_branch(struct choices *c, unsigned insns, unsigned op, unsigned a, unsigned b, uint32_t value, uint32_t target);

void offer_nothing(struct choices *c, unsigned insns);

// Bytes of a register that may be read behind the k-th instruction.
static inline unsigned live_behind(const struct choices *c, size_t k, unsigned reg)
{
	return bytes_in(c->p->live_out[c->in[k] - c->p->insns], reg);
}

// The instructions of the block that begins at index i, at most up to `end`; `in` has room for them. Returns the index behind them.
uint32_t block_at(struct program *p, uint32_t i, uint32_t end, struct insn **in, size_t *n);

// Puts the cheapest bytecodes for a block behind p->outs.
void select_block(struct program *p, struct insn *const *in, size_t n);

// Bytecodes for the instruction alone.
void single_forms(struct choices *c);

// Bytecodes for it and those behind it.
void fused_forms(struct choices *c);

#endif
