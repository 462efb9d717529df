// SPDX-License-Identifier: ISC
//
// Bytes of values that are zero whatever the input, followed forwards through each unit: a comparison of two values needs
// only the bytes that may differ. This speaks of the values that the RV32 program computes; what the bytes of the
// registers hold that nobody reads is another matter.
#include "pack.h"

#include "diag.h"
#include "opset.h"

#include <stdlib.h>

// Of each register the bytes that are zero; ~0: nothing has come here yet.
typedef byteset state;

static const state UNREACHED = ~(state)0;
static const state NOTHING = 15; // but x0

// The mask's run from the top: bytes that are zero and have no other byte above them.
static unsigned leading(unsigned mask)
{
	return (mask & 8) == 0 ? 0 : (mask & 4) == 0 ? 8 : (mask & 2) == 0 ? 12 : (mask & 1) == 0 ? 14 : 15;
}

static unsigned zero_bytes(uint32_t v)
{
	return (v & 255 ? 0u : 1u) | (v >> 8 & 255 ? 0u : 2u) | (v >> 16 & 255 ? 0u : 4u) | (v >> 24 ? 0u : 8u);
}

// A sum: below the highest byte that may be set a carry may come out into one more.
static unsigned of_sum(unsigned a, unsigned b)
{
	return a == 15 ? b : b == 15 ? a : leading(a & b) << 1 & 15;
}

static unsigned of_shift(unsigned op, unsigned zeros, unsigned bits)
{
	uint32_t ones = 0;

	for (unsigned n = 0; n < 4; n++)
		ones |= (zeros >> n & 1 ? 0u : 255u) << 8 * n;
	if (op == RV_SLLI)
		return zero_bytes(ones << bits);
	if (op == RV_SRAI && !(zeros & 8))
		return 0;
	return zero_bytes(ones >> bits);
}

static unsigned of_imm(const struct rv *i, unsigned a)
{
	switch (i->op) {
	case RV_ADDI:
		return i->imm == 0 ? a : i->imm > 0 ? of_sum(a, zero_bytes((uint32_t)i->imm)) : a == 15 ? zero_bytes((uint32_t)i->imm) : 0;
	case RV_ANDI:
		return a | zero_bytes((uint32_t)i->imm);
	case RV_ORI:
	case RV_XORI:
		return a & zero_bytes((uint32_t)i->imm);
	case RV_SLTI:
	case RV_SLTIU:
		return 14;
	case RV_ZEXTH:
		return a | 12;
	default:
		return of_shift(i->op, a, (unsigned)i->imm);
	}
}

static unsigned of_alu(const struct rv *i, unsigned a, unsigned b)
{
	switch (i->op) {
	case RV_AND:
		return a | b;
	case RV_OR:
	case RV_XOR:
		return a & b;
	case RV_ADD:
		return of_sum(a, b);
	case RV_SLT:
	case RV_SLTU:
		return 14;
	case RV_REMU:
	case RV_SRL: // no larger than the first
		return leading(a);
	default:
		return 0;
	}
}

static unsigned of_load(unsigned op)
{
	return op == RV_LBU ? 14 : op == RV_LHU ? 12 : 0;
}

static unsigned of_result(const struct rv *i, state s)
{
	unsigned a = bytes_in(s, i->rs1), b = bytes_in(s, i->rs2);

	if (rv_is_load(i->op))
		return of_load(i->op);
	if (rv_is_alu_imm(i->op))
		return of_imm(i, a);
	if (rv_is_alu(i->op))
		return of_alu(i, a, b);
	return i->op == RV_LI || i->op == RV_LUI ? zero_bytes((uint32_t)i->imm) : 0;
}

// The state behind an instruction. Calls keep sp, gp, tp, s0 and s1 (RISC-V ABI), system calls all but a0.
static state step(const struct insn *in, state s)
{
	const struct rv *i = &in->rv;

	if (i->op == RV_CALL || i->op == RV_JALR || i->op == RV_POP)
		return s & ~bytes_of(i->rd, 15) & (NOTHING | bytes_of(RV_GP, 15) | bytes_of(RV_TP, 15) |
			    (i->op == RV_POP ? 0 : bytes_of(RV_SP, 15) | bytes_of(RV_S0, 15) | bytes_of(RV_S1, 15)));
	if (i->op == RV_ECALL)
		return s & ~bytes_of(RV_A0, 15);
	if (i->op == RV_PUSH)
		return s & ~bytes_of(RV_SP, 15);
	if (i->op == RV_NATIVE)
		return s & ~native_registers(i);
	return (s & ~bytes_of(i->rd, 15)) | bytes_of(i->rd, of_result(i, s));
}

// How many of the lowest bytes decide a comparison, as a mask: one, or all.
static unsigned decides(const struct insn *in, state s)
{
	const struct rv *i = &in->rv;

	if (!i->rs2 && (i->op == RV_BLT || i->op == RV_BGE) && !(bytes_in(s, i->rs1) & 8))
		return 8; // the sign
	return (bytes_in(s, i->rs1) & bytes_in(s, i->rs2) & 14) == 14 && ops_compare_bytes() ? 1 : 15;
}

// One sweep over a unit; states are kept at leaders. Returns true when one of them changed.
static bool sweep(struct program *p, const struct unit *u, state *at)
{
	state now = NOTHING;
	bool changed = false;

	for (uint32_t k = u->start; k < u->end; k++) {
		struct insn *in = &p->insns[k];
		state *here = &at[k - u->start];

		if (in->leader) {
			changed |= (*here & now) != *here || (in->opaque && *here != NOTHING);
			*here = now = in->opaque ? NOTHING : *here & now;
		} else if (now == UNREACHED) {
			now = NOTHING; // never run
		}
		in->decides = (uint8_t)(p->narrow ? decides(in, now) : 15);
		now = step(in, now);
		if (rv_is_branch(in->rv.op) || in->rv.op == RV_J) {
			uint32_t t = (in->target - p->elf->text) / 4;

			if (in->target && t >= u->start && t < u->end) {
				changed |= (at[t - u->start] & now) != at[t - u->start];
				at[t - u->start] &= now;
			}
		}
		if (!rv_falls_through(&in->rv))
			now = UNREACHED;
	}
	return changed;
}

void zeros(struct program *p)
{
	for (size_t n = 0; n < p->nunits; n++) {
		const struct unit *u = &p->units[n];
		state *at = xcalloc(u->end - u->start, sizeof *at);

		for (uint32_t k = 0; k < u->end - u->start; k++)
			at[k] = UNREACHED;
		while (sweep(p, u, at))
			;
		free(at);
	}
}
