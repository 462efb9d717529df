// SPDX-License-Identifier: ISC
//
// The bytecodes that can stand for one instruction: all of them, the basic one last, as any other may be left out.
// x0 is never written; what only would write it becomes nothing.
#include "select.h"

static uint32_t address(const struct choices *c)
{
	return insn_addr(c->p, (size_t)(c->in[0] - c->p->insns));
}

// True when nothing reads more of the result than its lowest byte, or halfword.
static bool byte_only(const struct choices *c)
{
	return !(c->in[0]->demand & 14);
}

static bool half_only(const struct choices *c)
{
	return !(c->in[0]->demand & 12);
}

static void constant(struct choices *c, unsigned rd, uint32_t v)
{
	if (byte_only(c) && !(v & 255))
		offer_r(c, 1, OP_li0b, rd, 0, 0, 0);
	if (byte_only(c))
		offer_r(c, 1, OP_li8b, rd, 0, 0, v & 255);
	if (half_only(c))
		offer_r(c, 1, OP_li16h, rd, 0, 0, v & 0xffff);
	if (v == 0)
		offer_r(c, 1, OP_li0, rd, 0, 0, 0);
	if (v < 256)
		offer_r(c, 1, OP_li8, rd, 0, 0, v);
	if (v >= 0xffffff00)
		offer_r(c, 1, OP_li8n, rd, 0, 0, v & 255);
	if (v < 65536)
		offer_r(c, 1, OP_li16, rd, 0, 0, v);
	if (!(v & 0xffff))
		offer_r(c, 1, OP_lih, rd, 0, 0, v >> 16);
	offer_r(c, 1, OP_li32, rd, 0, 0, v);
}

static void move(struct choices *c, unsigned rs, unsigned rd)
{
	if (!rs) {
		constant(c, rd, 0);
		return;
	}
	if (rs == rd)
		offer_nothing(c, 1);
	if (byte_only(c))
		offer_r(c, 1, OP_mvb, rs, rd, 0, 0);
	if (half_only(c))
		offer_r(c, 1, OP_mvh, rs, rd, 0, 0);
	offer_r(c, 1, OP_mv, rs, rd, 0, 0);
}

// Sums of which less than the whole word is read.
static void addi_low(struct choices *c, const struct rv *i)
{
	if (byte_only(c))
		offer_r(c, 1, OP_addib, i->rs1, i->rd, 0, (uint32_t)i->imm & 255);
	if (half_only(c) && i->imm > 0 && i->imm < 256)
		offer_r(c, 1, OP_addi8h, i->rs1, i->rd, 0, (uint32_t)i->imm);
}

static void addi(struct choices *c, const struct rv *i)
{
	int32_t v = i->imm;
	bool same = i->rd == i->rs1;

	if (!i->rs1)
		constant(c, i->rd, (uint32_t)v);
	else if (!v)
		move(c, i->rs1, i->rd);
	if (i->rs1 && v)
		addi_low(c, i);
	if (!i->rs1 || !v)
		return;
	if (same && (v == 1 || v == -1))
		offer_r(c, 1, v == 1 ? OP_inc1 : OP_dec1, i->rd, 0, 0, 0);
	if (same && v > 0 && v < 256)
		offer_r(c, 1, OP_inc8, i->rd, 0, 0, (uint32_t)v);
	if (same && v < 0 && v > -256)
		offer_r(c, 1, OP_dec8, i->rd, 0, 0, (uint32_t)-v);
	if (v > 0 && v < 256)
		offer_r(c, 1, OP_addi8, i->rs1, i->rd, 0, (uint32_t)v);
	offer_r(c, 1, OP_addi16, i->rs1, i->rd, 0, (uint32_t)v & 0xffff);
}

// Shift counts with a form of their own, and one in place; 0 where the table has none.
static const struct {
	uint8_t rv, count, op, in_place;
} shifts[] = {
	{ RV_SLLI, 1, OP_slli1, OP_slli1x }, { RV_SLLI, 2, OP_slli2, 0 }, { RV_SLLI, 16, OP_slli16, 0 },
	{ RV_SRLI, 1, 0, OP_srli1x }, { RV_SRLI, 8, OP_srli8, 0 }, { RV_SRLI, 16, OP_srli16, 0 },
};

static void shift(struct choices *c, const struct rv *i)
{
	if (!i->imm || !i->rs1) {
		move(c, i->rs1, i->rd);
		return;
	}
	if (i->op != RV_SLLI && i->imm == 8 && byte_only(c))
		offer_r(c, 1, OP_srli8b, i->rs1, i->rd, 0, 0);
	if (i->op != RV_SLLI && i->imm % 8 && i->imm < 24 && byte_only(c))
		offer_r(c, 1, OP_srlb, i->rs1, i->rd, 0, (uint32_t)(i->imm / 8) | 256u << (8 - i->imm % 8));
	if (i->op == RV_SRLI && i->imm < 8)
		offer_r(c, 1, OP_srlim, i->rs1, i->rd, 0, 1u << (8 - i->imm));
	for (size_t n = 0; n < sizeof shifts / sizeof *shifts; n++) {
		if (shifts[n].rv != i->op || shifts[n].count != i->imm)
			continue;
		if (i->rs1 == i->rd && shifts[n].in_place)
			offer_r(c, 1, shifts[n].in_place, i->rd, 0, 0, 0);
		if (shifts[n].op)
			offer_r(c, 1, shifts[n].op, i->rs1, i->rd, 0, 0);
	}
	offer_r(c, 1, i->op == RV_SLLI ? OP_slli : i->op == RV_SRLI ? OP_srli : OP_srai, i->rs1, i->rd, 0, (uint32_t)i->imm);
}

// True when the immediate lets all bytes through that are read.
static bool masks_nothing(const struct insn *in)
{
	for (unsigned n = 0; n < 4; n++)
		if (in->demand >> n & 1 && ((uint32_t)in->rv.imm >> 8 * n & 255) != 255)
			return false;
	return true;
}

static void logic_imm(struct choices *c, const struct rv *i)
{
	unsigned op16 = i->op == RV_ANDI ? OP_andi16 : i->op == RV_ORI ? OP_ori16 : OP_xori16;
	bool low = byte_only(c), fits = low || (i->imm >= 0 && i->imm < 256);

	if (i->op == RV_ANDI ? masks_nothing(c->in[0]) : !i->imm) {
		move(c, i->rs1, i->rd);
		return;
	}
	if (i->op == RV_ANDI && low)
		offer_r(c, 1, OP_andib, i->rs1, i->rd, 0, (uint32_t)i->imm & 255);
	if (i->op != RV_XORI && fits)
		offer_r(c, 1, i->op == RV_ANDI ? OP_andi8 : OP_ori8, i->rs1, i->rd, 0, (uint32_t)i->imm & 255);
	offer_r(c, 1, op16, i->rs1, i->rd, 0, (uint32_t)i->imm & 0xffff);
}

static void compare_imm(struct choices *c, const struct rv *i)
{
	if (i->op == RV_SLTIU && i->imm == 1)
		offer_r(c, 1, OP_seqz, i->rs1, i->rd, 0, 0);
	offer_r(c, 1, i->op == RV_SLTI ? OP_slti : OP_sltiu, i->rs1, i->rd, 0, (uint32_t)i->imm & 0xffff);
}

static void alu_imm(struct choices *c, const struct rv *i)
{
	if (!i->rd)
		return;
	if (i->op == RV_ADDI)
		addi(c, i);
	else if (i->op == RV_SLTI || i->op == RV_SLTIU)
		compare_imm(c, i);
	else if (i->op == RV_SLLI || i->op == RV_SRLI || i->op == RV_SRAI)
		shift(c, i);
	else if (i->op == RV_ZEXTH && half_only(c))
		move(c, i->rs1, i->rd);
	else if (i->op == RV_ZEXTH)
		offer_r(c, 1, OP_zexth, i->rs1, i->rd, 0, 0);
	else
		logic_imm(c, i);
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

// With x0 as a source: a move or a constant. Returns false when it is none.
static bool alu_zero(struct choices *c, const struct rv *i)
{
	bool adds = i->op == RV_ADD || i->op == RV_OR || i->op == RV_XOR;

	if (!i->rs2 && (adds || i->op == RV_SUB || i->op == RV_SLL || i->op == RV_SRL || i->op == RV_SRA))
		move(c, i->rs1, i->rd);
	else if (!i->rs1 && adds)
		move(c, i->rs2, i->rd);
	else if ((!i->rs1 || !i->rs2) && i->op == RV_AND)
		constant(c, i->rd, 0);
	else
		return false;
	return true;
}

// Results of which less than the whole word is read.
static void alu_low(struct choices *c, const struct rv *i)
{
	if (byte_only(c) && i->op == RV_XOR)
		offer_r(c, 1, OP_xorb, i->rs1, i->rs2, i->rd, 0);
	if (!half_only(c))
		return;
	if (i->op == RV_MUL)
		offer_r(c, 1, OP_mul16, i->rs1, i->rs2, i->rd, 0);
	if (i->op == RV_ADD && (i->rd == i->rs1 || i->rd == i->rs2))
		offer_r(c, 1, OP_add2h, i->rd == i->rs1 ? i->rs2 : i->rs1, i->rd, 0, 0);
	if (i->op == RV_ADD)
		offer_r(c, 1, OP_addh, i->rs1, i->rs2, i->rd, 0);
}

static void alu(struct choices *c, const struct rv *i)
{
	unsigned op2 = two_address(i->op);

	if (!i->rd || ((!i->rs1 || !i->rs2) && alu_zero(c, i)))
		return;
	alu_low(c, i);
	if (!i->rs1 && i->op == RV_SLTU)
		offer_r(c, 1, OP_snez, i->rs2, i->rd, 0, 0);
	if (op2 && i->rd == i->rs1)
		offer_r(c, 1, op2, i->rs2, i->rd, 0, 0);
	else if (op2 && i->op != RV_SUB && i->rd == i->rs2)
		offer_r(c, 1, op2, i->rs1, i->rd, 0, 0);
	offer_r(c, 1, alu_ops[i->op], i->rs1, i->rs2, i->rd, 0);
}

// Rows of an access without offset, with 8 and 16 bits, and at an address; 0 where there is none.
static const uint8_t *access_rows(unsigned op)
{
	static const uint8_t rows[][4] = {
		[RV_LB] = { 0, 0, OP_lb16, 0 },
		[RV_LH] = { OP_lh0, OP_lh8, OP_lh16, 0 },
		[RV_LW] = { OP_lw0, OP_lw8, OP_lw16, OP_lwa },
		[RV_LBU] = { OP_lbu0, OP_lbu8, OP_lbu16, OP_lbua },
		[RV_LHU] = { OP_lhu0, OP_lhu8, OP_lhu16, 0 },
		[RV_SB] = { OP_sb0, OP_sb8, OP_sb16, 0 },
		[RV_SH] = { OP_sh0, OP_sh8, OP_sh16, 0 },
		[RV_SW] = { OP_sw0, OP_sw8, OP_sw16, OP_swa },
	};

	return rows[op];
}

// The load whose result has the same bytes where they are read.
static unsigned plain_load(const struct choices *c, unsigned op)
{
	if (op == RV_LB && byte_only(c))
		return RV_LBU;
	return op == RV_LH && half_only(c) ? RV_LHU : op;
}

static void access(struct choices *c, const struct insn *in)
{
	const struct rv *i = &in->rv;
	bool load = rv_is_load(i->op);
	const uint8_t *rows = access_rows(load ? plain_load(c, i->op) : i->op);
	unsigned value = load ? i->rd : i->rs2, offset = (uint32_t)i->imm & 0xffff;

	if (load && !i->rd)
		return;
	if (!i->rs1 && rows[3])
		offer_r(c, 1, rows[3], value, 0, 0, offset);
	if (i->rs1 == RV_SP && offset < 256 && (i->op == RV_LW || i->op == RV_SW))
		offer_r(c, 1, load ? OP_lwsp : OP_swsp, value, 0, 0, offset);
	if (i->rs1 && !offset && rows[0])
		offer_r(c, 1, rows[0], i->rs1, value, 0, 0);
	if (i->rs1 && offset < 256 && rows[1])
		offer_r(c, 1, rows[1], i->rs1, value, 0, offset);
	if (i->rs1 && !offset && rows[0] == OP_lbu0 && byte_only(c))
		offer_r(c, 1, OP_lbu0b, i->rs1, value, 0, 0);
	offer_r(c, 1, rows[2], i->rs1, value, 0, offset);
}

// A branch whose sources make it always or never taken: that is all to do. One that compares with x0: its short form. Returns
// false when the general form is to be offered, too.
static bool branch_zero(struct choices *c, const struct insn *in)
{
	const struct rv *i = &in->rv;
	unsigned rs = i->rs1 ? i->rs1 : i->rs2, op;
	bool inclusive = i->op == RV_BEQ || i->op == RV_BGE || i->op == RV_BGEU;

	if (i->rs1 == i->rs2 || (!i->rs2 && (i->op == RV_BLTU || i->op == RV_BGEU))) {
		if (inclusive)
			offer_branch(c, 1, OP_j, 0, 0, 0, in->target);
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
	if (in->decides == 1 && (op == OP_bltz || op == OP_bgez)) { // never negative
		if (op == OP_bgez)
			offer_branch(c, 1, OP_j, 0, 0, 0, in->target);
		return true;
	}
	if (in->decides == 1)
		op = op == OP_beqz ? OP_beqzb : OP_bnezb;
	offer_branch(c, 1, op, rs, 0, 0, in->target);
	return false;
}

static void branch(struct choices *c, const struct insn *in)
{
	static const uint8_t low[] = { OP_beqb, OP_bneb, OP_bltub, OP_bgeub, OP_bltub, OP_bgeub };
	const struct rv *i = &in->rv;

	if ((!i->rs1 || !i->rs2 || i->rs1 == i->rs2) && branch_zero(c, in))
		return;
	offer_branch(c, 1, in->decides == 1 ? low[i->op - RV_BEQ] : OP_beq + (i->op - RV_BEQ), i->rs1, i->rs2, 0, in->target);
}

static void call(struct choices *c, const struct insn *in)
{
	if (in->rv.rd == RV_RA)
		offer_branch(c, 1, OP_call, 0, 0, 0, in->target);
	offer_branch(c, 1, OP_callx, in->rv.rd, 0, 0, in->target);
}

static void jump_register(struct choices *c, const struct rv *i)
{
	if (i->imm)
		refuse(c->p, address(c), "jump to a code pointer plus %d; code pointers are not numbers", i->imm);
	if (i->rd == RV_RA)
		offer_r(c, 1, OP_callr, i->rs1, 0, 0, 0);
	if (!i->rd && i->rs1 == RV_RA)
		offer(c, 1, OP_ret);
	if (i->rd)
		offer_r(c, 1, OP_callrx, i->rs1, i->rd, 0, 0);
	else
		offer_r(c, 1, OP_jr, i->rs1, 0, 0, 0);
}

static void native(struct choices *c, const struct rv *i)
{
	const uint8_t registers[] = { i->rd, i->rs1, i->rs2 };
	unsigned op = OP_FIRST_NATIVE + (unsigned)i->imm;
	const char *form = op < OP_COUNT ? op_form(op) : NULL;

	if (!form)
		refuse(c->p, address(c), "native bytecode %d does not exist; octix/opcodes.def has %d", i->imm, OP_NATIVES);
	for (unsigned k = 0; form[k]; k++)
		if (form[k] == 'd' && !registers[k])
			refuse(c->p, address(c), "native bytecode %s would write x0", op_name(op));
	offer_r(c, 1, op, i->rd, i->rs1, i->rs2, 0);
}

static void code_constant(struct choices *c, const struct insn *in)
{
	struct out *o;

	if (!in->rv.rd)
		return;
	for (int wide = 0; wide < 2; wide++) {
		o = offer(c, 1, wide ? OP_li32 : OP_li16);
		o->r[0] = in->rv.rd;
		o->target = in->target;
		o->code = true;
		o->far = wide;
	}
}

static void control(struct choices *c, const struct insn *in)
{
	switch (in->rv.op) {
	case RV_CALL:
		call(c, in);
		break;
	case RV_J:
		offer_branch(c, 1, OP_j, 0, 0, 0, in->target);
		break;
	case RV_JALR:
		jump_register(c, &in->rv);
		break;
	case RV_ECALL:
		offer(c, 1, OP_ecall);
		break;
	case RV_EBREAK:
		offer(c, 1, OP_ebreak);
		break;
	case RV_UNIMP:
		offer(c, 1, OP_trap);
		break;
	case RV_PUSH:
	case RV_POP:
	case RV_POPRET:
		offer_r(c, 1, OP_push + (in->rv.op - RV_PUSH), 0, 0, 0, (uint32_t)in->rv.imm);
		break;
	default:
		break;
	}
}

static bool has_no_effect(const struct insn *in)
{
	unsigned op = in->rv.op;

	return !in->demand && (rv_is_alu_imm(op) || rv_is_alu(op) || op == RV_LI || op == RV_LCODE);
}

void single_forms(struct choices *c)
{
	const struct insn *in = c->in[0];
	unsigned op = in->rv.op;

	if (has_no_effect(in))
		offer_nothing(c, 1);
	else if (rv_is_load(op) || rv_is_store(op))
		access(c, in);
	else if (rv_is_alu_imm(op))
		alu_imm(c, &in->rv);
	else if (rv_is_alu(op))
		alu(c, &in->rv);
	else if (rv_is_branch(op))
		branch(c, in);
	else if (op == RV_LI && in->rv.rd)
		constant(c, in->rv.rd, (uint32_t)in->rv.imm);
	else if (op == RV_LCODE)
		code_constant(c, in);
	else if (op == RV_NATIVE)
		native(c, &in->rv);
	else
		control(c, in);
	if (!c->n)
		offer_nothing(c, 1); // x0 only
}
