// SPDX-License-Identifier: ISC
//
// What opcodes are worth: programs with execution counts, and what their blocks cost by the opcodes that may be used.
// The cost of a program is 70 for the cycles and 30 for the bytes that it has with the whole table, and other sets in
// proportion; that of several programs is the weighted mean. So the whole table costs 100.
#ifndef SDK_WORTH_H
#define SDK_WORTH_H

#include "pack.h"

struct cost {
	double cycles, bytes;
};

// What leaving out one opcode adds to a block's cost.
struct loss {
	uint8_t op;
	float cycles, bytes;
};

struct block {
	uint32_t sample;
	uint32_t n;
	struct insn **in;
	struct cost cost;    // with the present set
	struct loss *losses; // of the opcodes that it uses and could do without
	uint32_t nlosses;
	uint64_t touched[4]; // opcodes used, now or without one of these, as bits
};

// A program with its counts.
struct sample {
	const char *elf, *counts; // files; counts: NULL when only its bytes are to count
	char *name;
	double weight;
	struct program program;
	uint64_t *runs;      // of each instruction
	uint64_t insns;      // RV32 instructions executed
	struct cost whole;   // with the whole table
	bool chosen_on;      // takes part in the choice
	double per_cycle, per_byte;
};

struct samples {
	struct sample *list;
	size_t n, cap;
	struct block *blocks;
	size_t nblocks, blocks_cap;
	struct cost worth[OP_COUNT]; // sum of the losses, weighted, of the samples that take part
};

// True for opcodes that can be left out of a choice without analysing the program again. The others are basic or
// needed together.
bool op_removable(unsigned op);

void samples_add(struct samples *s, const char *elf, const char *counts, double weight);

// Reads and analyses all programs; the whole table must be usable.
void samples_load(struct samples *s);

// Costs with the present set and, of the samples that take part, what each removable opcode of it is worth.
void samples_weigh(struct samples *s);

// Leaves an opcode out, and brings costs and worths up to date.
void samples_remove(struct samples *s, unsigned op);

// Cost of one sample with the present set.
struct cost sample_cost(const struct samples *s, size_t i);

// The same of all that take part or, for false, of all others, weighted: 70 and 30 for the whole table.
struct cost samples_cost(const struct samples *s, bool chosen_on);

// Costs of a sample with the present set, analysed anew: for opcodes that are not removable.
struct cost sample_again(const struct sample *s);

#endif
