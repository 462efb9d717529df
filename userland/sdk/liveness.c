// SPDX-License-Identifier: ISC
//
// Which bytes of which registers may still be read behind each instruction, over the whole program, and how many bytes
// decide each comparison. Constants that fold.c left without readers go; select.c may leave out bytes that nobody reads.
// Errs on the side of live: indirect jumps and calls read everything, calls kill nothing but ra.
#include "pack.h"

#include "diag.h"

#include <stdlib.h>

enum { WORD = 15 }; // all four bytes

static const byteset ALL = ~(byteset)WORD;

// The ends of the sets of bytes: those up to the highest of a mask (carries go upwards), and those from the lowest.
static unsigned up_to(unsigned mask)
{
	return mask & 8 ? 15 : mask & 4 ? 7 : mask & 2 ? 3 : mask;
}

static unsigned from(unsigned mask)
{
	return mask & 1 ? 15 : mask & 2 ? 14 : mask & 4 ? 12 : mask;
}

// Source bytes of `mask` of a value shifted right by a number of bits; left: negative.
static unsigned shifted(unsigned mask, int bits, bool arithmetic)
{
	unsigned sources = 0;

	for (int bit = 0; bit < 32; bit++) {
		int source = bit + bits;

		if (!(mask >> (bit / 8) & 1))
			continue;
		if (source > 31 && arithmetic)
			source = 31;
		if (source >= 0 && source < 32)
			sources |= 1u << (source / 8);
	}
	return sources;
}

// Bytes in which an immediate has no other bits than `pattern` (0 or 0xff).
static unsigned bytes_that_are(int32_t imm, unsigned pattern)
{
	unsigned mask = 0;

	for (unsigned n = 0; n < 4; n++)
		mask |= (((uint32_t)imm >> 8 * n & 255) == pattern) << n;
	return mask;
}

// Bytes of rs1 that decide the `demand` bytes of an instruction's result.
static unsigned needs_imm(const struct rv *i, unsigned demand)
{
	switch (i->op) {
	case RV_ANDI:
		return demand & ~bytes_that_are(i->imm, 0);
	case RV_ORI:
		return demand & ~bytes_that_are(i->imm, 255);
	case RV_XORI:
		return demand;
	case RV_SLLI:
		return shifted(demand, -i->imm, false);
	case RV_SRLI:
		return shifted(demand, i->imm, false);
	case RV_SRAI:
		return shifted(demand, i->imm, true);
	case RV_ADDI:
		return up_to(demand);
	case RV_ZEXTH:
		return demand & 3;
	default:
		return demand ? WORD : 0; // slti, sltiu
	}
}

// The same of both operands of a register-register instruction.
static void needs_alu(const struct rv *i, unsigned demand, unsigned *a, unsigned *b)
{
	switch (i->op) {
	case RV_AND:
	case RV_OR:
	case RV_XOR:
		*a = *b = demand;
		break;
	case RV_ADD:
	case RV_SUB:
	case RV_MUL:
		*a = *b = up_to(demand);
		break;
	case RV_SLL:
		*a = up_to(demand);
		*b = demand ? 1 : 0;
		break;
	case RV_SRL:
	case RV_SRA:
		*a = from(demand);
		*b = demand ? 1 : 0;
		break;
	default:
		*a = *b = demand ? WORD : 0;
		break;
	}
}

// Live behind a return: results, and what the ABI keeps.
static byteset at_return(void)
{
	static const uint8_t kept[] = { RV_RA, RV_SP, RV_GP, RV_TP, RV_S0, RV_S1, RV_A0, RV_A0 + 1 };
	byteset live = 0;

	for (size_t n = 0; n < sizeof kept; n++)
		live |= bytes_of(kept[n], WORD);
	return live;
}

static byteset live_at(const struct program *p, const byteset *live_in, uint32_t addr)
{
	uint32_t index = (addr - p->elf->text) / 4;

	return addr >= p->elf->text && index < p->ninsns ? live_in[index] : ALL;
}

static byteset before_jump(const struct program *p, const struct insn *in, const byteset *live_in, byteset out)
{
	const struct rv *i = &in->rv;
	byteset kept = out & ~bytes_of(i->rd, WORD);

	if (i->op == RV_J)
		return live_at(p, live_in, in->target);
	if (i->op == RV_CALL)
		return (live_at(p, live_in, in->target) & ~bytes_of(i->rd, WORD)) | kept | bytes_of(RV_SP, WORD);
	return !i->rd && i->rs1 == RV_RA ? at_return() : ALL;
}

// push, pop, popret
static byteset before_stack(const struct rv *i, byteset out)
{
	static const uint8_t saved[3] = { RV_RA, RV_S0, RV_S1 };
	byteset registers = 0;

	for (int n = 0; n < i->imm; n++)
		registers |= bytes_of(saved[n], WORD);
	if (i->op == RV_PUSH)
		return out | registers | bytes_of(RV_SP, WORD);
	return ((i->op == RV_POPRET ? at_return() : out) & ~registers) | bytes_of(RV_SP, WORD);
}

static unsigned store_bytes(unsigned op)
{
	return op == RV_SB ? 1 : op == RV_SH ? 3 : WORD;
}

static byteset before(const struct program *p, const struct insn *in, const byteset *live_in, byteset out)
{
	const struct rv *i = &in->rv;
	unsigned op = i->op, demand = bytes_in(out, i->rd), a = WORD, b = WORD;

	if (op == RV_J || op == RV_CALL || op == RV_JALR)
		return before_jump(p, in, live_in, out);
	if (op == RV_ECALL || op == RV_EBREAK || op == RV_UNIMP)
		return ALL;
	if (op == RV_PUSH || op == RV_POP || op == RV_POPRET)
		return before_stack(i, out);
	if (op == RV_NONE)
		return out;
	if (op == RV_NATIVE)
		return out | native_registers(i);
	if (rv_is_branch(op))
		return out | bytes_of(i->rs1, in->decides) | bytes_of(i->rs2, in->decides);
	if (rv_is_store(op) || rv_is_load(op)) {
		a = 3; // addresses have 16 bits
		b = store_bytes(op);
	} else if (rv_is_alu(op)) {
		needs_alu(i, demand, &a, &b);
	} else {
		a = needs_imm(i, demand);
	}
	return (out & ~bytes_of(i->rd, WORD)) | bytes_of(i->rs1, a) | bytes_of(i->rs2, b);
}

static void solve(struct program *p, byteset *live_in)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = p->ninsns; i-- > 0;) {
			const struct insn *in = &p->insns[i];
			byteset out = i + 1 < p->ninsns ? live_in[i + 1] : ALL, live;

			if (rv_is_branch(in->rv.op))
				out |= live_at(p, live_in, in->target);
			live = before(p, in, live_in, out);
			p->live_out[i] = out;
			changed |= live != live_in[i];
			live_in[i] = live;
		}
	}
}

byteset live_before(const struct program *p, uint32_t addr)
{
	return live_at(p, p->live_in, addr);
}

void liveness(struct program *p)
{
	byteset *live_in = xcalloc(p->ninsns + 1, sizeof *live_in);

	if (!p->live_out)
		p->live_out = xcalloc(p->ninsns, sizeof *p->live_out);
	free(p->live_in);
	p->live_in = live_in;
	solve(p, live_in);
	for (size_t i = 0; i < p->ninsns; i++) {
		struct insn *in = &p->insns[i];
		unsigned demand = bytes_in(p->live_out[i], in->rv.rd);

		in->demand = (uint8_t)(p->narrow ? demand : WORD);
		if (in->rv.op == RV_LI && in->folded && !demand)
			in->rv = (struct rv){ .op = RV_NONE };
	}
}
