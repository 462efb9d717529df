// SPDX-License-Identifier: ISC
//
// Instructions made one, or brought together so that one bytecode can do both: pairs of shifts that extend a byte or
// halfword; an addition to a pointer and the access that it belongs to; an addition and the branch that ends its loop.
// Order within a block changes only where no register tells the difference; memory accesses keep theirs.
#include "opset.h"
#include "pack.h"

#include <string.h>

enum { REACH = 12 }; // instructions that one is moved over at most

// The instruction behind `in` that does something, or NULL at a label or the end.
static struct insn *next(struct insn *in, const struct insn *end)
{
	do
		in++;
	while (in < end && in->rv.op == RV_NONE && !in->leader);
	return in < end && !in->leader && in->code ? in : NULL;
}

static void extend(struct insn *in, const struct insn *end)
{
	struct insn *second = in->rv.op == RV_SLLI ? next(in, end) : NULL;
	unsigned op = RV_NONE;

	if (!second || second->rv.rd != in->rv.rd || second->rv.rs1 != in->rv.rd || second->rv.imm != in->rv.imm || !in->rv.rd)
		return;
	if (second->rv.op == RV_SRLI)
		op = in->rv.imm == 16 && op_usable(OP_zexth) ? RV_ZEXTH : in->rv.imm == 24 ? RV_ANDI : RV_NONE;
	if (op == RV_NONE)
		return;
	second->rv.op = (uint8_t)op;
	second->rv.rs1 = in->rv.rs1;
	second->rv.imm = op == RV_ANDI ? 255 : 0;
	in->rv = (struct rv){ .op = RV_NONE };
}

static bool plain(unsigned op)
{
	return rv_is_load(op) || rv_is_store(op) || rv_is_alu_imm(op) || rv_is_alu(op) || op == RV_LI || op == RV_NONE;
}

static bool touches(const struct insn *in, unsigned r)
{
	return in->rv.rd == r || in->rv.rs1 == r || in->rv.rs2 == r;
}

static bool is_step(const struct insn *in)
{
	const struct rv *i = &in->rv;

	return i->op == RV_ADDI && i->rd == i->rs1 && i->rd && i->rd != RV_SP && i->imm && in->reloc == HI_NONE;
}

static bool is_access(const struct insn *in)
{
	return (rv_is_load(in->rv.op) || rv_is_store(in->rv.op)) && !in->absolute && in->reloc == HI_NONE;
}

// What a stepping access adds to its base, 0 for accesses that have no such form.
static int32_t step_of(unsigned op)
{
	return op == RV_LBU || op == RV_SB ? 1 : op == RV_LW ? 4 : 0;
}

// Moves the instruction at `from` to `to`; those between make room. Labels stay where they are.
static void move(struct insn *from, struct insn *to)
{
	struct insn moved = *from;

	for (struct insn *in = from; in != to; in += from < to ? 1 : -1) {
		struct insn old = *in;

		*in = in[from < to ? 1 : -1];
		in->leader = old.leader;
		in->opaque = old.opaque;
	}
	moved.leader = to->leader;
	moved.opaque = to->opaque;
	*to = moved;
}

// addi r,r,n; ...; access -n(r)  ->  ...; access 0(r); addi r,r,n
static void step_behind(struct insn *in, const struct insn *end)
{
	unsigned r = in->rv.rd;
	struct insn *k = in;

	if (!is_step(in))
		return;
	for (int n = 0; n < REACH; n++) {
		k = next(k, end);
		if (!k || !plain(k->rv.op))
			return;
		if (touches(k, r))
			break;
	}
	if (!is_access(k) || k->rv.rs1 != r || k->rv.rd == r || k->rv.rs2 == r || k->rv.imm != -in->rv.imm ||
	    step_of(k->rv.op) != in->rv.imm)
		return;
	k->rv.imm = 0;
	move(in, k);
}

// access 0(r); ...; addi r,r,n  ->  access 0(r); addi r,r,n; ...
static void step_up(struct insn *in, const struct insn *end)
{
	unsigned r = in->rv.rs1;
	struct insn *k = in;

	if (!is_access(in) || in->rv.imm || in->rv.rd == r || !step_of(in->rv.op))
		return;
	for (int n = 0; n < REACH; n++) {
		k = next(k, end);
		if (!k || !plain(k->rv.op))
			return;
		if (touches(k, r))
			break;
	}
	if (is_step(k) && k->rv.rd == r && k->rv.imm == step_of(in->rv.op) && k != in + 1)
		move(k, in + 1);
}

// addi r,r,n; ...; bne r,s  ->  ...; addi r,r,n; bne r,s
static void step_down(struct insn *in, const struct insn *end)
{
	unsigned r = in->rv.rd;
	struct insn *k = in, *last = in;

	if (!is_step(in) || in->rv.imm < -1 || in->rv.imm > 255)
		return;
	for (int n = 0; n < REACH; n++) {
		k = next(k, end);
		if (!k || (!plain(k->rv.op) && k->rv.op != RV_BNE))
			return;
		if (k->rv.op == RV_BNE || touches(k, r))
			break;
		last = k;
	}
	if (k->rv.op == RV_BNE && touches(k, r) && last != in && (in->rv.imm > 0 || !k->rv.rs2))
		move(in, last);
}

static bool steps_before(const struct insn *in, const struct insn *first)
{
	return in > first && !in->leader && is_access(in - 1) && !in[-1].rv.imm && in[-1].rv.rs1 == in->rv.rd &&
	       step_of(in[-1].rv.op) == in->rv.imm;
}

void combine(struct program *p)
{
	struct insn *end = p->insns + p->ninsns;

	for (struct insn *in = p->insns; in < end; in++)
		extend(in, end);
	for (struct insn *in = p->insns; in < end; in++)
		step_behind(in, end);
	for (struct insn *in = p->insns; in < end; in++)
		step_up(in, end);
	for (struct insn *in = p->insns; in < end; in++)
		if (!steps_before(in, p->insns))
			step_down(in, end);
}
