// SPDX-License-Identifier: ISC
//
// The bytecodes that can stand for two or three instructions. A register that is only passed on between them must be
// dead behind the last.
#include "select.h"

// The k-th instruction from here if it has this operation, else NULL.
static const struct rv *nth(const struct choices *c, size_t k, unsigned op)
{
	return k < c->left && c->in[k]->rv.op == op && c->in[k]->reloc == HI_NONE ? &c->in[k]->rv : NULL;
}

static const struct rv *branch(const struct choices *c, size_t k)
{
	return k < c->left && rv_is_branch(c->in[k]->rv.op) ? &c->in[k]->rv : NULL;
}

// True when nothing reads the register behind the k-th instruction, or that one replaces it.
static bool gone(const struct choices *c, size_t k, unsigned reg)
{
	return c->in[k]->rv.rd == reg || !live_behind(c, k, reg);
}

// True when nothing reads more of it than the lowest byte.
static bool low_only(const struct choices *c, size_t k, unsigned reg)
{
	return !(live_behind(c, k, reg) & 14);
}

// A comparison with a constant: the bytecode, or OP_trap when there is none.
static unsigned compare_imm(const struct rv *b, unsigned t, bool low, uint32_t *value)
{
	bool inverse = (b->op - RV_BEQ) & 1;

	if (b->op <= RV_BNE)
		return (low ? OP_beqib : OP_beqi) + inverse;
	if (!low)
		return OP_trap;
	if (b->rs2 == t)
		return OP_bltuib + inverse;
	*value += 1; // c < x is x >= c + 1
	return OP_bltuib + !inverse;
}

// li t,c; branch
static void branch_imm(struct choices *c)
{
	const struct rv *li = &c->in[0]->rv, *b = branch(c, 1);
	bool is_li = li->op == RV_LI || (li->op == RV_ADDI && !li->rs1 && c->in[0]->reloc == HI_NONE);
	uint32_t value = (uint32_t)li->imm;
	unsigned other, op;

	if (!is_li || !li->rd || li->imm < 0 || li->imm > 255 || !b || b->rs1 == b->rs2 || (b->rs1 != li->rd && b->rs2 != li->rd) ||
	    !gone(c, 1, li->rd))
		return;
	other = b->rs1 == li->rd ? b->rs2 : b->rs1;
	op = compare_imm(b, li->rd, c->in[1]->decides == 1, &value);
	if (op && value < 256 && other)
		offer_branch(c, 2, op, other, 0, value, c->in[1]->target);
}

// addi r,r,n; bne r,s
static void step_branch(struct choices *c)
{
	const struct rv *a = nth(c, 0, RV_ADDI), *b = nth(c, 1, RV_BNE), *and = nth(c, 1, RV_ANDI);
	unsigned r = a ? a->rd : 0, other;

	if (!r || r != a->rs1)
		return;
	if (and && and->rd == r && and->rs1 == r && and->imm == 255 && !(c->in[1]->demand & 14) && a->imm == -1) {
		b = nth(c, 2, RV_BNE);
		if (b && b->rs1 == r && !b->rs2 && c->in[2]->decides == 1 && low_only(c, 2, r))
			offer_branch(c, 3, OP_decbnzb, r, 0, 0, c->in[2]->target);
		return;
	}
	if (!b || b->rs1 == b->rs2 || (b->rs1 != r && b->rs2 != r))
		return;
	other = b->rs1 == r ? b->rs2 : b->rs1;
	if (a->imm == -1 && !other && c->in[1]->decides == 1 && low_only(c, 1, r))
		offer_branch(c, 2, OP_decbnzb, r, 0, 0, c->in[1]->target);
	if (c->in[1]->decides != 15)
		return;
	if (a->imm == -1 && !other)
		offer_branch(c, 2, OP_decbnz, r, 0, 0, c->in[1]->target);
	if (a->imm > 0 && a->imm < 256)
		offer_branch(c, 2, OP_incbne, r, other, (uint32_t)a->imm, c->in[1]->target);
}

// A branch by a register against zero: the one that is taken for zero, its opposite, or NULL.
static const struct rv *zero_branch(const struct choices *c, size_t k, unsigned reg)
{
	const struct rv *b = branch(c, k);

	return b && b->op <= RV_BNE && reg && b->rs1 == reg && !b->rs2 ? b : NULL;
}

// lbu t,0(r); beqz t
static void load_branch(struct choices *c)
{
	const struct rv *l = nth(c, 0, RV_LBU), *b = l ? zero_branch(c, 1, l->rd) : NULL;

	if (!b || l->imm || c->in[0]->absolute || !l->rs1)
		return;
	if (low_only(c, 1, l->rd) && c->in[1]->decides == 1)
		offer_branch(c, 2, b->op == RV_BEQ ? OP_lbuzb : OP_lbunzb, l->rs1, l->rd, 0, c->in[1]->target);
}

// andi t,r,n; beqz t, and slli t,r,n; bltz t
static void test_bits(struct choices *c)
{
	const struct rv *a = nth(c, 0, RV_ANDI), *s = nth(c, 0, RV_SLLI), *b = NULL;

	if (a && a->imm > 0 && a->imm < 256)
		b = zero_branch(c, 1, a->rd);
	if (b && gone(c, 1, a->rd) && a->rs1)
		offer_branch(c, 2, b->op == RV_BEQ ? OP_tbz : OP_tbnz, a->rs1, 0, (uint32_t)a->imm, c->in[1]->target);
	b = s && s->imm >= 24 && s->rd ? branch(c, 1) : NULL;
	if (b && (b->op == RV_BLT || b->op == RV_BGE) && b->rs1 == s->rd && !b->rs2 && gone(c, 1, s->rd) && s->rs1)
		offer_branch(c, 2, b->op == RV_BGE ? OP_tbz : OP_tbnz, s->rs1, 0, 1u << (31 - s->imm), c->in[1]->target);
}

// andi t,r,1; srli r,r,1; beqz t
static void shift_branch(struct choices *c)
{
	const struct rv *a = nth(c, 0, RV_ANDI), *s = nth(c, 1, RV_SRLI), *b = a && s ? zero_branch(c, 2, a->rd) : NULL;

	if (!b || b->op != RV_BEQ || a->imm != 1 || s->imm != 1 || s->rd != a->rs1 || s->rs1 != s->rd || s->rd == a->rd || !s->rd || !gone(c, 2, a->rd))
		return;
	offer_branch(c, 3, OP_shrz, s->rd, 0, 0, c->in[2]->target);
}

// add t,a,b; lbu d,0(t)
static void load_indexed(struct choices *c)
{
	const struct rv *a = nth(c, 0, RV_ADD), *l = nth(c, 1, RV_LBU);

	if (!a || !l || !a->rd || l->rs1 != a->rd || l->imm || c->in[1]->absolute || !l->rd || !gone(c, 1, a->rd))
		return;
	offer_r(c, 2, OP_lbux, a->rs1, a->rs2, l->rd, 0);
}

// slli t,a,2; add u,t,b; and lw d,0(u) behind them
static void scaled(struct choices *c)
{
	const struct rv *s = nth(c, 0, RV_SLLI), *a = nth(c, 1, RV_ADD), *l = nth(c, 2, RV_LW);
	unsigned base;

	if (!s || !a || s->imm != 2 || !s->rd || !a->rd || a->rs1 == a->rs2 || (a->rs1 != s->rd && a->rs2 != s->rd))
		return;
	base = a->rs1 == s->rd ? a->rs2 : a->rs1;
	if (gone(c, 1, s->rd))
		offer_r(c, 2, OP_sh2add, s->rs1, base, a->rd, 0);
	if (l && l->rs1 == a->rd && !l->imm && !c->in[2]->absolute && l->rd && gone(c, 2, a->rd) && gone(c, 2, s->rd))
		offer_r(c, 3, OP_lwx4, s->rs1, base, l->rd, 0);
}

// An access without offset, then its base register stepped on.
static void stepping(struct choices *c)
{
	const struct rv *m = &c->in[0]->rv, *a = nth(c, 1, RV_ADDI);

	if (!a || !a->rd || a->rd != a->rs1 || m->rs1 != a->rd || m->imm || m->rd == a->rd || c->in[0]->absolute)
		return;
	if (m->op == RV_LBU && a->imm == 1 && m->rd)
		offer_r(c, 2, OP_lbup, m->rs1, m->rd, 0, 0);
	else if (m->op == RV_LW && a->imm == 4 && m->rd)
		offer_r(c, 2, OP_lwp, m->rs1, m->rd, 0, 0);
	else if (m->op == RV_SB && a->imm == 1)
		offer_r(c, 2, OP_sbp, m->rs2, m->rs1, 0, 0);
}

// mul t,a,b; add d,d,t
static void multiply_add(struct choices *c)
{
	const struct rv *m = nth(c, 0, RV_MUL), *a = nth(c, 1, RV_ADD);

	if (!m || !a || !m->rd || !a->rd || a->rd == m->rd || !gone(c, 1, m->rd))
		return;
	if ((a->rs1 == a->rd && a->rs2 == m->rd) || (a->rs2 == a->rd && a->rs1 == m->rd))
		offer_r(c, 2, OP_muladd, m->rs1, m->rs2, a->rd, 0);
}

// addi t,a,n; andi d,t,255
static void add_byte(struct choices *c)
{
	const struct rv *a = nth(c, 0, RV_ADDI), *m = nth(c, 1, RV_ANDI);

	if (!a || !m || !a->rd || m->rs1 != a->rd || m->imm != 255 || !m->rd || !gone(c, 1, a->rd) || !a->rs1)
		return;
	offer_r(c, 2, c->in[1]->demand & 14 ? OP_addiz : OP_addib, a->rs1, m->rd, 0, (uint32_t)a->imm & 255);
}

void fused_forms(struct choices *c)
{
	if (c->left < 2 || !c->in[0]->code)
		return;
	branch_imm(c);
	step_branch(c);
	load_branch(c);
	test_bits(c);
	shift_branch(c);
	load_indexed(c);
	scaled(c);
	stepping(c);
	add_byte(c);
	multiply_add(c);
}
