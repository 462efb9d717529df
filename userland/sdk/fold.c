// SPDX-License-Identifier: ISC
//
// Constants made by lui (and auipc, which is RV_LI by now), followed through each unit's control flow: the add of the
// low part becomes one constant, loads and stores get absolute addresses, low parts of code addresses become code pointers. The compiler
// may keep the upper part of a code address on the stack meanwhile: it is followed through there, too, and neither stored nor loaded.
#include "pack.h"

#include "diag.h"

#include <stdlib.h>
#include <string.h>

enum kind { VARIES, CONSTANT, CODE_HI };
enum { SPILLS = 16 };

// What is known of each register before an instruction.
struct state {
	bool reached;
	uint8_t kind[16];
	uint32_t value[16];
	unsigned spills;
	int32_t spill[SPILLS]; // places on the stack, from sp, that hold the upper part of a code address
};

static const struct state nothing = { .reached = true };

static bool spilled(const struct state *s, int32_t at)
{
	for (unsigned i = 0; i < s->spills; i++)
		if (s->spill[i] == at)
			return true;
	return false;
}

// What lies within 4 bytes of a place is no upper part any more.
static void overwrite(struct state *s, int32_t at)
{
	for (unsigned i = s->spills; i-- > 0;)
		if (s->spill[i] > at - 4 && s->spill[i] < at + 4)
			s->spill[i] = s->spill[--s->spills];
}

// Keeps what both agree on. Returns true when `into` changed.
static bool meet(struct state *into, const struct state *from)
{
	bool changed = false;

	if (!from->reached)
		return false;
	if (!into->reached) {
		*into = *from;
		return true;
	}
	for (int r = 0; r < 16; r++) {
		if (into->kind[r] == VARIES || (into->kind[r] == from->kind[r] && into->value[r] == from->value[r]))
			continue;
		into->kind[r] = VARIES;
		changed = true;
	}
	for (unsigned i = into->spills; i-- > 0;)
		if (!spilled(from, into->spill[i])) {
			into->spill[i] = into->spill[--into->spills];
			changed = true;
		}
	return changed;
}

static void set(struct state *s, unsigned rd, enum kind kind, uint32_t value)
{
	if (!rd)
		return;
	s->kind[rd] = (uint8_t)kind;
	s->value[rd] = value;
}

// Calls keep sp, gp, tp, s0 and s1 (RISC-V ABI), but for the link register; system calls all but a0.
static void clobber(struct state *s, unsigned link)
{
	set(s, link, VARIES, 0);
	for (unsigned r = 1; r < 16; r++)
		if (r == RV_RA || (r >= RV_T0 && r < RV_S0) || r >= RV_A0)
			s->kind[r] = VARIES;
}

static bool writes_rd(unsigned op)
{
	return op == RV_LUI || op == RV_AUIPC || op == RV_LI || op == RV_LCODE || rv_is_load(op) || rv_is_alu_imm(op) ||
	       rv_is_alu(op);
}

static bool is_move(const struct insn *in)
{
	return in->rv.op == RV_ADDI && in->rv.rs1 && !in->rv.imm && in->reloc == HI_NONE;
}

static void clobber_native(struct state *s, const struct rv *i)
{
	for (unsigned r = 1; r < 16; r++)
		if (bytes_in(native_registers(i), r))
			s->kind[r] = VARIES;
}

// The upper part of a code address goes to the stack.
static bool is_spill(const struct rv *i, const struct state *s)
{
	return i->op == RV_SW && i->rs1 == RV_SP && s->kind[i->rs2] == CODE_HI && s->spills < SPILLS;
}

// It comes back.
static bool is_reload(const struct rv *i, const struct state *s)
{
	return i->op == RV_LW && i->rs1 == RV_SP && spilled(s, i->imm);
}

// What happens to the stack.
static void step_stack(const struct rv *i, struct state *s)
{
	if (rv_is_store(i->op) && i->rs1 == RV_SP) {
		bool spill = is_spill(i, s);

		overwrite(s, i->imm);
		if (spill)
			s->spill[s->spills++] = i->imm;
	} else if (i->op == RV_PUSH || i->op == RV_POP || i->op == RV_POPRET || (writes_rd(i->op) && i->rd == RV_SP)) {
		s->spills = 0;
	}
}

// The state behind an instruction.
static void step(const struct insn *in, struct state *s)
{
	const struct rv *i = &in->rv;

	step_stack(i, s);
	if (i->op == RV_LUI)
		set(s, i->rd, in->reloc == HI_CODE ? CODE_HI : CONSTANT, in->reloc == HI_CODE ? 0 : (uint32_t)i->imm);
	else if (i->op == RV_LI && in->folded)
		set(s, i->rd, CONSTANT, (uint32_t)i->imm);
	else if (i->op == RV_CALL || i->op == RV_JALR)
		clobber(s, i->rd);
	else if (i->op == RV_ECALL)
		set(s, RV_A0, VARIES, 0);
	else if (i->op == RV_NATIVE)
		clobber_native(s, i);
	else if (is_reload(i, s))
		set(s, i->rd, CODE_HI, 0);
	else if (is_move(in))
		set(s, i->rd, s->kind[i->rs1], s->value[i->rs1]);
	else if (writes_rd(i->op))
		set(s, i->rd, VARIES, 0);
}

// One sweep over a unit; states are kept at leaders. Returns true when one of them changed.
static bool sweep(struct program *p, const struct unit *u, struct state *at)
{
	struct state now = nothing;
	bool changed = false;

	for (uint32_t i = u->start; i < u->end; i++) {
		const struct insn *in = &p->insns[i];

		if (in->leader) {
			changed |= meet(&at[i - u->start], in->opaque ? &nothing : &now);
			now = at[i - u->start];
		}
		step(in, &now);
		if (rv_is_branch(in->rv.op) || in->rv.op == RV_J) {
			uint32_t t = (in->target - p->elf->text) / 4;

			if (in->target && t >= u->start && t < u->end)
				changed |= meet(&at[t - u->start], &now);
		}
		if (!rv_falls_through(&in->rv))
			now.reached = false;
	}
	return changed;
}

static bool reads(const struct rv *i, unsigned r)
{
	bool two = rv_is_branch(i->op) || rv_is_store(i->op) || rv_is_alu(i->op);
	bool one = two || rv_is_load(i->op) || rv_is_alu_imm(i->op) || i->op == RV_JALR;

	return r && ((one && i->rs1 == r) || (two && i->rs2 == r) || (i->op == RV_NATIVE && bytes_in(native_registers(i), r)));
}

// The low part of a code address: the code pointer itself, or the jump to it.
static void fold_code(struct program *p, uint32_t index, const struct state *s)
{
	struct insn *in = &p->insns[index];
	struct rv *i = &in->rv;
	uint32_t addr = insn_addr(p, index);

	if (s->kind[i->rs1] != CODE_HI || (i->op != RV_ADDI && i->op != RV_JALR))
		refuse(p, addr, "computes with the code address 0x%x (%s); code cannot be read as data", in->value,
		       elf_where(p->elf, in->value));
	in->target = in->value;
	if (i->op == RV_ADDI)
		i->op = RV_LCODE;
	else
		i->op = i->rd ? RV_CALL : RV_J;
	i->rs1 = 0;
	i->imm = 0;
	in->reloc = HI_NONE;
}

static void fold_constant(struct insn *in, const struct state *s)
{
	struct rv *i = &in->rv;
	uint32_t value = s->value[i->rs1] + (uint32_t)i->imm;

	if (i->op == RV_ADDI)
		i->op = RV_LI;
	else if (rv_is_load(i->op) || rv_is_store(i->op))
		in->absolute = true;
	else
		return;
	i->rs1 = 0;
	i->imm = (int32_t)value;
}

static void rewrite_one(struct program *p, uint32_t index, const struct state *s)
{
	struct insn *in = &p->insns[index];
	struct rv *i = &in->rv;

	if (in->reloc == HI_CODE && i->op != RV_LUI) {
		fold_code(p, index, s);
		return;
	}
	if (is_spill(i, s) || is_reload(i, s)) {
		i->op = RV_NONE;
		return;
	}
	for (unsigned r = 1; r < 16; r++)
		if (s->kind[r] == CODE_HI && reads(i, r) && !is_move(in))
			refuse(p, insn_addr(p, index), "computes with the upper part of a code address");
	if (i->rs1 && s->kind[i->rs1] == CONSTANT)
		fold_constant(in, s);
}

static void rewrite(struct program *p, const struct unit *u, const struct state *at)
{
	struct state now = nothing;

	for (uint32_t i = u->start; i < u->end; i++) {
		struct insn *in = &p->insns[i];
		struct insn before = *in;

		if (in->leader)
			now = at[i - u->start];
		if (!now.reached)
			now = nothing;
		rewrite_one(p, i, &now);
		step(&before, &now);
	}
}

// lui becomes a constant that liveness may drop; the upper part of a code address is never needed.
static void lower_lui(struct program *p)
{
	for (size_t i = 0; i < p->ninsns; i++) {
		struct insn *in = &p->insns[i];

		if (in->rv.op != RV_LUI)
			continue;
		in->rv.op = in->reloc == HI_CODE ? RV_NONE : RV_LI;
		in->folded = true;
	}
}

void fold(struct program *p)
{
	for (size_t n = 0; n < p->nunits; n++) {
		const struct unit *u = &p->units[n];
		struct state *at = xcalloc(u->end - u->start, sizeof *at);

		while (sweep(p, u, at))
			;
		rewrite(p, u, at);
		free(at);
	}
	lower_lui(p);
}
