// SPDX-License-Identifier: ISC
//
// Stack frames: calls of libgcc's __riscv_save_N and __riscv_restore_N, and prologues and epilogues as GCC writes them,
// become push, pop and popret. The memory layout stays what it was: ra, s0, s1 downwards from the old sp.
#include "opset.h"
#include "pack.h"

#include <string.h>

static const uint8_t saved[3] = { RV_RA, RV_S0, RV_S1 };

static bool is(const struct rv *i, unsigned op, unsigned rd, unsigned rs1, unsigned rs2, int32_t imm)
{
	return i->op == op && i->rd == rd && i->rs1 == rs1 && i->rs2 == rs2 && i->imm == imm;
}

static bool is_sp_add(const struct rv *i, int32_t imm)
{
	return is(i, RV_ADDI, RV_SP, RV_SP, 0, imm);
}

static bool is_ret(const struct rv *i)
{
	return is(i, RV_JALR, 0, RV_RA, 0, 0);
}

// True when the code at addr is libgcc's save (or restore) of three registers.
static bool is_save(const struct program *p, uint32_t addr)
{
	const struct insn *in = &p->insns[(addr - p->elf->text) / 4];

	return addr + 20 <= p->elf->text_end && is_sp_add(&in[0].rv, -12) && is(&in[1].rv, RV_SW, 0, RV_SP, RV_S1, 0) &&
	       is(&in[2].rv, RV_SW, 0, RV_SP, RV_S0, 4) && is(&in[3].rv, RV_SW, 0, RV_SP, RV_RA, 8) &&
	       is(&in[4].rv, RV_JALR, 0, RV_T0, 0, 0);
}

static bool is_restore(const struct program *p, uint32_t addr)
{
	const struct insn *in = &p->insns[(addr - p->elf->text) / 4];

	return addr + 20 <= p->elf->text_end && is(&in[0].rv, RV_LW, RV_S1, RV_SP, 0, 0) &&
	       is(&in[1].rv, RV_LW, RV_S0, RV_SP, 0, 4) && is(&in[2].rv, RV_LW, RV_RA, RV_SP, 0, 8) &&
	       is_sp_add(&in[3].rv, 12) && is_ret(&in[4].rv);
}

static void replace(struct insn *in, unsigned op, int32_t imm)
{
	in->rv = (struct rv){ .op = (uint8_t)op, .imm = imm };
	in->target = 0;
}

static void sp_add(struct insn *in, int32_t imm)
{
	in->rv = (struct rv){ .op = imm ? RV_ADDI : RV_NONE, .rd = imm ? RV_SP : 0, .rs1 = imm ? RV_SP : 0, .imm = imm };
}

// The next instruction that does something, or NULL when a label or the end comes first.
static struct insn *next(struct insn *in, const struct insn *end)
{
	do
		in++;
	while (in < end && in->rv.op == RV_NONE && !in->leader);
	return in < end && !in->leader ? in : NULL;
}

// Loads or stores of ra, s0, s1 at the top of a frame, one after the other from `in`: stored in at[]. Returns how many.
static int run(struct insn *in, const struct insn *end, unsigned op, int32_t frame, struct insn *at[3])
{
	int n = 0;

	while (n < 3 && in) {
		unsigned rd = op == RV_LW ? saved[n] : 0, rs2 = op == RV_SW ? saved[n] : 0;

		if (in->absolute || !is(&in->rv, op, rd, RV_SP, rs2, frame - 4 * (n + 1)))
			break;
		at[n++] = in;
		in = next(in, end);
	}
	return n;
}

// addi sp,-frame; sw ra; sw s0; sw s1  ->  push n; addi sp,-(frame - 4n)
static void prologue(struct insn *in, const struct insn *end)
{
	int32_t frame = in->rv.op == RV_ADDI ? -in->rv.imm : 0;
	struct insn *at[3];
	int n;

	if (frame <= 0 || !is_sp_add(&in->rv, -frame))
		return;
	n = run(next(in, end), end, RV_SW, frame, at);
	if (!n || frame < 4 * n)
		return;
	replace(in, RV_PUSH, n);
	sp_add(at[0], -(frame - 4 * n));
	for (int i = 1; i < n; i++)
		replace(at[i], RV_NONE, 0);
}

// lw ra; lw s0; lw s1; addi sp,frame; ret  ->  addi sp,frame - 4n; popret n
static void epilogue(struct insn *in, const struct insn *end)
{
	int32_t frame = in->rv.op == RV_LW && !in->absolute ? in->rv.imm + 4 : 0;
	struct insn *at[3], *add, *ret;
	int n = frame > 0 ? run(in, end, RV_LW, frame, at) : 0;

	add = n ? next(at[n - 1], end) : NULL;
	if (!add || frame < 4 * n || !is_sp_add(&add->rv, frame))
		return;
	ret = add + 1 < end && is_ret(&add[1].rv) ? add + 1 : NULL;
	replace(add, ret ? RV_POPRET : RV_POP, n);
	if (ret && !ret->leader)
		replace(ret, RV_NONE, 0);
	sp_add(in, frame - 4 * n);
	for (int i = 1; i < n; i++)
		replace(at[i], RV_NONE, 0);
}

void frames(struct program *p)
{
	struct insn *end = p->insns + p->ninsns;

	if (!op_usable(OP_push) || !op_usable(OP_pop) || !op_usable(OP_popret))
		return;
	for (struct insn *in = p->insns; in < end; in++)
		if (in->rv.op == RV_CALL && in->rv.rd == RV_T0 && in->target && is_save(p, in->target))
			replace(in, RV_PUSH, 3);
		else if (in->rv.op == RV_J && in->target && is_restore(p, in->target))
			replace(in, RV_POPRET, 3);
	for (struct insn *in = p->insns; in < end; in++) {
		prologue(in, end);
		epilogue(in, end);
	}
}
