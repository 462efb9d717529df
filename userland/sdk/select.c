// SPDX-License-Identifier: ISC
//
// The best-fitting bytecode for each instruction. x0 is never written; what only would write it becomes nothing.
#include "pack.h"

#include "diag.h"

static struct out *put(struct program *p, uint32_t from, unsigned op)
{
	p->outs = xgrow(p->outs, &p->outs_cap, p->nouts + 1, sizeof *p->outs);
	p->outs[p->nouts] = (struct out){ .op = (uint8_t)op, .from = from };
	return &p->outs[p->nouts++];
}

static void put_r(struct program *p, uint32_t from, unsigned op, unsigned a, unsigned b, unsigned c, uint32_t value)
{
	struct out *o = put(p, from, op);

	o->r[0] = (uint8_t)a;
	o->r[1] = (uint8_t)b;
	o->r[2] = (uint8_t)c;
	o->value = value;
}

static void put_target(struct program *p, uint32_t from, unsigned op, unsigned a, unsigned b, uint32_t target)
{
	struct out *o = put(p, from, op);

	o->r[0] = (uint8_t)a;
	o->r[1] = (uint8_t)b;
	o->target = target;
}

static void constant(struct program *p, uint32_t from, unsigned rd, uint32_t v)
{
	unsigned op = OP_li32;

	if (v == 0)
		op = OP_li0;
	else if (v < 256)
		op = OP_li8;
	else if (v >= 0xffffff00)
		op = OP_li8n;
	else if (v < 65536)
		op = OP_li16;
	else if (!(v & 0xffff))
		op = OP_lih;
	put_r(p, from, op, rd, 0, 0, op == OP_li8n ? v & 255 : op == OP_lih ? v >> 16 : v);
}

static void move(struct program *p, uint32_t from, unsigned rs, unsigned rd)
{
	if (!rs)
		put_r(p, from, OP_li0, rd, 0, 0, 0);
	else if (rs != rd)
		put_r(p, from, OP_mv, rs, rd, 0, 0);
}

static void addi(struct program *p, uint32_t from, const struct rv *i)
{
	int32_t v = i->imm;
	bool same = i->rd == i->rs1;

	if (!i->rs1)
		constant(p, from, i->rd, (uint32_t)v);
	else if (!v)
		move(p, from, i->rs1, i->rd);
	else if (same && (v == 1 || v == -1))
		put_r(p, from, v == 1 ? OP_inc1 : OP_dec1, i->rd, 0, 0, 0);
	else if (v > 0 && v < 256)
		put_r(p, from, same ? OP_inc8 : OP_addi8, i->rs1, i->rd, 0, (uint32_t)v);
	else if (v < 0 && v > -256)
		put_r(p, from, same ? OP_dec8 : OP_subi8, i->rs1, i->rd, 0, (uint32_t)-v);
	else
		put_r(p, from, OP_addi16, i->rs1, i->rd, 0, (uint32_t)v & 0xffff);
}

// Shift counts with a form of their own, in place where the table has one.
static const struct {
	uint8_t rv, count, op, in_place;
} shifts[] = {
	{ RV_SLLI, 1, OP_slli1, OP_slli1x }, { RV_SLLI, 2, OP_slli2, OP_slli2x }, { RV_SLLI, 3, OP_slli3, OP_slli3 },
	{ RV_SLLI, 8, OP_slli8, OP_slli8 },  { RV_SLLI, 16, OP_slli16, OP_slli16 }, { RV_SRLI, 1, OP_srli1, OP_srli1x },
	{ RV_SRLI, 2, OP_srli2, OP_srli2 },  { RV_SRLI, 8, OP_srli8, OP_srli8x }, { RV_SRLI, 16, OP_srli16, OP_srli16 },
	{ RV_SRLI, 24, OP_srli24, OP_srli24 }, { RV_SRAI, 1, OP_srai1, OP_srai1x }, { RV_SRAI, 2, OP_srai2, OP_srai2 },
	{ RV_SRAI, 8, OP_srai8, OP_srai8 },  { RV_SRAI, 16, OP_srai16, OP_srai16 }, { RV_SRAI, 24, OP_srai24, OP_srai24 },
};

static void shift(struct program *p, uint32_t from, const struct rv *i)
{
	unsigned op = i->op == RV_SLLI ? OP_slli : i->op == RV_SRLI ? OP_srli : OP_srai;

	if (!i->imm || !i->rs1) {
		move(p, from, i->rs1, i->rd);
		return;
	}
	for (size_t n = 0; n < sizeof shifts / sizeof *shifts; n++)
		if (shifts[n].rv == i->op && shifts[n].count == i->imm)
			op = i->rs1 == i->rd ? shifts[n].in_place : shifts[n].op;
	put_r(p, from, op, i->rs1, i->rd, 0, (uint32_t)i->imm);
}

static void logic_imm(struct program *p, uint32_t from, const struct rv *i)
{
	unsigned op8 = i->op == RV_ANDI ? OP_andi8 : i->op == RV_ORI ? OP_ori8 : OP_xori8;

	if (i->op == RV_XORI && i->imm == -1)
		put_r(p, from, OP_not, i->rs1, i->rd, 0, 0);
	else if (i->op != RV_ANDI && !i->imm)
		move(p, from, i->rs1, i->rd);
	else
		put_r(p, from, i->imm >= 0 && i->imm < 256 ? op8 : op8 + 1, i->rs1, i->rd, 0, (uint32_t)i->imm & 0xffff);
}

static void alu_imm(struct program *p, uint32_t from, const struct rv *i)
{
	if (!i->rd)
		return;
	if (i->op == RV_ADDI)
		addi(p, from, i);
	else if (i->op == RV_SLTIU && i->imm == 1)
		put_r(p, from, OP_seqz, i->rs1, i->rd, 0, 0);
	else if (i->op == RV_SLTI || i->op == RV_SLTIU)
		put_r(p, from, i->op == RV_SLTI ? OP_slti : OP_sltiu, i->rs1, i->rd, 0, (uint32_t)i->imm & 0xffff);
	else if (i->op == RV_SLLI || i->op == RV_SRLI || i->op == RV_SRAI)
		shift(p, from, i);
	else
		logic_imm(p, from, i);
}

static const uint8_t alu_ops[] = {
	[RV_ADD] = OP_add, [RV_SUB] = OP_sub, [RV_SLL] = OP_sll, [RV_SLT] = OP_slt, [RV_SLTU] = OP_sltu, [RV_XOR] = OP_xor,
	[RV_SRL] = OP_srl, [RV_SRA] = OP_sra, [RV_OR] = OP_or, [RV_AND] = OP_and, [RV_MUL] = OP_mul, [RV_MULH] = OP_mulh,
	[RV_MULHSU] = OP_mulhsu, [RV_MULHU] = OP_mulhu, [RV_DIV] = OP_div, [RV_DIVU] = OP_divu, [RV_REM] = OP_rem,
	[RV_REMU] = OP_remu,
};

static unsigned two_address(unsigned op)
{
	switch (op) {
	case RV_ADD:
		return OP_add2;
	case RV_SUB:
		return OP_sub2;
	case RV_AND:
		return OP_and2;
	case RV_OR:
		return OP_or2;
	case RV_XOR:
		return OP_xor2;
	default:
		return 0;
	}
}

// Forms with x0 as a source that are simpler than the instruction. Returns false when there is none.
static bool alu_zero(struct program *p, uint32_t from, const struct rv *i)
{
	bool adds = i->op == RV_ADD || i->op == RV_OR || i->op == RV_XOR;

	if (!i->rs2 && (adds || i->op == RV_SUB || i->op == RV_SLL || i->op == RV_SRL || i->op == RV_SRA))
		move(p, from, i->rs1, i->rd);
	else if (!i->rs1 && adds)
		move(p, from, i->rs2, i->rd);
	else if (!i->rs1 && i->op == RV_SUB)
		put_r(p, from, OP_neg, i->rs2, i->rd, 0, 0);
	else if (!i->rs1 && i->op == RV_SLTU)
		put_r(p, from, OP_snez, i->rs2, i->rd, 0, 0);
	else if ((!i->rs1 || !i->rs2) && i->op == RV_AND)
		put_r(p, from, OP_li0, i->rd, 0, 0, 0);
	else
		return false;
	return true;
}

static void alu(struct program *p, uint32_t from, const struct rv *i)
{
	unsigned op2 = two_address(i->op);

	if (!i->rd || ((!i->rs1 || !i->rs2) && alu_zero(p, from, i)))
		return;
	if (op2 && i->rd == i->rs1)
		put_r(p, from, op2, i->rs2, i->rd, 0, 0);
	else if (op2 && i->op != RV_SUB && i->rd == i->rs2)
		put_r(p, from, op2, i->rs1, i->rd, 0, 0);
	else
		put_r(p, from, alu_ops[i->op], i->rs1, i->rs2, i->rd, 0);
}

// First of the four rows 0, 8, 16, a of each access.
static unsigned access_row(unsigned op)
{
	static const uint8_t rows[] = { [RV_LB] = OP_lb0,  [RV_LH] = OP_lh0, [RV_LW] = OP_lw0, [RV_LBU] = OP_lbu0,
					[RV_LHU] = OP_lhu0, [RV_SB] = OP_sb0, [RV_SH] = OP_sh0, [RV_SW] = OP_sw0 };

	return rows[op];
}

static void access(struct program *p, uint32_t from, const struct insn *in)
{
	const struct rv *i = &in->rv;
	unsigned row = access_row(i->op), value = rv_is_load(i->op) ? i->rd : i->rs2;
	bool word = i->op == RV_LW || i->op == RV_SW;

	if (rv_is_load(i->op) && !i->rd)
		return;
	if (in->absolute || !i->rs1)
		put_r(p, from, row + 3, value, 0, 0, (uint32_t)i->imm & 0xffff);
	else if (i->rs1 == RV_SP && word && i->imm >= 0 && i->imm < 256)
		put_r(p, from, i->op == RV_LW ? OP_lwsp : OP_swsp, value, 0, 0, (uint32_t)i->imm);
	else if (!i->imm)
		put_r(p, from, row, i->rs1, value, 0, 0);
	else
		put_r(p, from, i->imm > 0 && i->imm < 256 ? row + 1 : row + 2, i->rs1, value, 0, (uint32_t)i->imm & 0xffff);
}

// A branch whose sources make it always or never taken, or that compares with x0. Returns false for all others.
static bool branch_zero(struct program *p, uint32_t from, const struct insn *in)
{
	const struct rv *i = &in->rv;
	unsigned rs = i->rs1 ? i->rs1 : i->rs2, op;
	bool inclusive = i->op == RV_BEQ || i->op == RV_BGE || i->op == RV_BGEU;

	if (i->rs1 == i->rs2 || (!i->rs2 && (i->op == RV_BLTU || i->op == RV_BGEU))) {
		if (inclusive)
			put_target(p, from, OP_j, 0, 0, in->target);
		return true;
	}
	if (i->op == RV_BEQ || i->op == RV_BNE)
		op = i->op == RV_BEQ ? OP_beqz : OP_bnez;
	else if (i->op == RV_BLTU || i->op == RV_BGEU) // x0 < rs, x0 >= rs
		op = i->op == RV_BLTU ? OP_bnez : OP_beqz;
	else if (!i->rs2)
		op = i->op == RV_BLT ? OP_bltz : OP_bgez;
	else
		return false;
	put_target(p, from, op, rs, 0, in->target);
	return true;
}

static void branch(struct program *p, uint32_t from, const struct insn *in)
{
	const struct rv *i = &in->rv;

	if ((!i->rs1 || !i->rs2 || i->rs1 == i->rs2) && branch_zero(p, from, in))
		return;
	put_target(p, from, OP_beq + (i->op - RV_BEQ), i->rs1, i->rs2, in->target);
}

static void call(struct program *p, uint32_t from, const struct insn *in)
{
	if (in->rv.rd == RV_RA)
		put_target(p, from, OP_call, 0, 0, in->target);
	else
		put_target(p, from, OP_callx, in->rv.rd, 0, in->target);
}

static void jump_register(struct program *p, uint32_t from, const struct rv *i)
{
	if (i->imm)
		refuse(p, from, "jump to a code pointer plus %d; code pointers are not numbers", i->imm);
	if (i->rd == RV_RA)
		put_r(p, from, OP_callr, i->rs1, 0, 0, 0);
	else if (i->rd)
		put_r(p, from, OP_callrx, i->rs1, i->rd, 0, 0);
	else if (i->rs1 == RV_RA)
		put(p, from, OP_ret);
	else
		put_r(p, from, OP_jr, i->rs1, 0, 0, 0);
}

static void native(struct program *p, uint32_t from, const struct rv *i)
{
	unsigned op = OP_FIRST_NATIVE + (unsigned)i->imm;

	if (op >= OP_COUNT)
		refuse(p, from, "native bytecode %d does not exist; octix/opcodes.def has %d", i->imm, OP_NATIVES);
	if (!i->rd || (op_form(op)[1] && op != OP_nmemset && op != OP_nstrchr && !i->rs1))
		refuse(p, from, "native bytecode %s would write x0", op_name(op));
	put_r(p, from, op, i->rd, i->rs1, i->rs2, 0);
}

static void code_constant(struct program *p, uint32_t from, const struct insn *in)
{
	struct out *o;

	if (!in->rv.rd)
		return;
	o = put(p, from, OP_li16);
	o->r[0] = in->rv.rd;
	o->target = in->target;
	o->code = true;
}

static void control(struct program *p, uint32_t from, const struct insn *in)
{
	switch (in->rv.op) {
	case RV_CALL:
		call(p, from, in);
		break;
	case RV_J:
		put_target(p, from, OP_j, 0, 0, in->target);
		break;
	case RV_JALR:
		jump_register(p, from, &in->rv);
		break;
	case RV_ECALL:
		put(p, from, OP_ecall);
		break;
	case RV_EBREAK:
		put(p, from, OP_ebreak);
		break;
	case RV_UNIMP:
		put(p, from, OP_trap);
		break;
	case RV_PUSH:
	case RV_POP:
	case RV_POPRET:
		put_r(p, from, OP_push + (in->rv.op - RV_PUSH), 0, 0, 0, (uint32_t)in->rv.imm);
		break;
	default:
		break;
	}
}

static void select_one(struct program *p, uint32_t from, const struct insn *in)
{
	unsigned op = in->rv.op;

	if (rv_is_load(op) || rv_is_store(op))
		access(p, from, in);
	else if (rv_is_alu_imm(op))
		alu_imm(p, from, &in->rv);
	else if (rv_is_alu(op))
		alu(p, from, &in->rv);
	else if (rv_is_branch(op))
		branch(p, from, in);
	else if (op == RV_LI && in->rv.rd)
		constant(p, from, in->rv.rd, (uint32_t)in->rv.imm);
	else if (op == RV_LCODE)
		code_constant(p, from, in);
	else if (op == RV_NATIVE)
		native(p, from, &in->rv);
	else
		control(p, from, in);
}

static void select_unit(struct program *p, struct unit *u)
{
	struct unit *next;
	bool trap;

	u->out = p->nouts;
	for (uint32_t i = u->start; i < u->end; i++) {
		p->out_of[i] = (uint32_t)p->nouts;
		if (p->insns[i].code)
			select_one(p, insn_addr(p, i), &p->insns[i]);
	}
	next = falls_into(p, u, &trap);
	if (next)
		put_target(p, insn_addr(p, u->end - 1), OP_j, 0, 0, insn_addr(p, next->start));
	else if (trap)
		put(p, insn_addr(p, u->end - 1), OP_trap);
	u->nouts = p->nouts - u->out;
}

void select_ops(struct program *p)
{
	p->out_of = xcalloc(p->ninsns, sizeof *p->out_of);
	for (size_t i = 0; i < p->norder; i++)
		select_unit(p, &p->units[p->order[i]]);
}
