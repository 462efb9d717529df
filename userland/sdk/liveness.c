// SPDX-License-Identifier: ISC
//
// Which registers may still be read behind each instruction, over the whole program, to drop the constants that fold.c
// left without readers. Errs on the side of live: indirect jumps and calls read everything, calls kill nothing but ra.
#include "pack.h"

#include "diag.h"

enum { ALL = 0xfffe };

#define BIT(r) ((uint16_t)(1u << (r) & ALL))

// Live behind a return: results, and what the ABI keeps.
static const uint16_t at_return = BIT(RV_RA) | BIT(RV_SP) | BIT(RV_GP) | BIT(RV_TP) | BIT(RV_S0) | BIT(RV_S1) | BIT(RV_A0) |
				  BIT(RV_A0 + 1);

static uint16_t live_at(const struct program *p, const uint16_t *live_in, uint32_t addr)
{
	uint32_t index = (addr - p->elf->text) / 4;

	return addr >= p->elf->text && index < p->ninsns ? live_in[index] : ALL;
}

static uint16_t before_jump(const struct program *p, const struct insn *in, const uint16_t *live_in, uint16_t out)
{
	const struct rv *i = &in->rv;

	if (i->op == RV_J)
		return live_at(p, live_in, in->target);
	if (i->op == RV_CALL)
		return (uint16_t)((live_at(p, live_in, in->target) & ~BIT(i->rd)) | (out & ~BIT(i->rd)) | BIT(RV_SP));
	if (i->op == RV_JALR)
		return !i->rd && i->rs1 == RV_RA ? at_return : ALL;
	return (uint16_t)(out | live_at(p, live_in, in->target) | BIT(i->rs1) | BIT(i->rs2)); // branch
}

static uint16_t before(const struct program *p, const struct insn *in, const uint16_t *live_in, uint16_t out)
{
	const struct rv *i = &in->rv;
	unsigned op = i->op;

	if (rv_is_branch(op) || op == RV_J || op == RV_CALL || op == RV_JALR)
		return before_jump(p, in, live_in, out);
	if (op == RV_ECALL || op == RV_EBREAK || op == RV_UNIMP)
		return ALL;
	if (rv_is_store(op))
		return out | BIT(i->rs1) | BIT(i->rs2);
	if (op == RV_NATIVE)
		return out | BIT(i->rd) | BIT(i->rs1) | BIT(i->rs2);
	if (op == RV_NONE)
		return out;
	return (uint16_t)((out & ~BIT(i->rd)) | BIT(i->rs1) | BIT(i->rs2));
}

static void solve(struct program *p, uint16_t *live_in)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = p->ninsns; i-- > 0;) {
			uint16_t out = i + 1 < p->ninsns ? live_in[i + 1] : ALL;
			uint16_t in = before(p, &p->insns[i], live_in, out);

			p->live_out[i] = out;
			changed |= in != live_in[i];
			live_in[i] = in;
		}
	}
}

void liveness(struct program *p)
{
	uint16_t *live_in = xcalloc(p->ninsns + 1, sizeof *live_in);

	p->live_out = xcalloc(p->ninsns, sizeof *p->live_out);
	solve(p, live_in);
	for (size_t i = 0; i < p->ninsns; i++) {
		struct insn *in = &p->insns[i];

		if (in->rv.op == RV_LI && in->folded && !(p->live_out[i] & BIT(in->rv.rd)))
			in->rv = (struct rv){ .op = RV_NONE };
	}
}
