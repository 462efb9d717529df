// SPDX-License-Identifier: ISC
//
// The accumulator in the choice of bytecodes.
#include "acc.h"

#include <string.h>

const struct acc_form acc_forms[] = {
#define EITHER(op, base, width) { OP_##op, OP_##base, 0, width }, { OP_##op, OP_##base, 1, width }
#define FIRST(op, base, width) { OP_##op, OP_##base, 0, width }
#define SECOND(op, base, width) { OP_##op, OP_##base, 1, width }
#define RESULT(op, base) { OP_##op, OP_##base, ACC_NO_SOURCE, 0 }
	FIRST(mv_a, mv, 4), EITHER(add_a, add, 4), FIRST(sub_a, sub, 4), EITHER(or_a, or, 4), EITHER(xor_a, xor, 4),
	EITHER(addh_a, addh, 2), FIRST(sh2add_a, sh2add, 4), EITHER(mul_a, mul, 4), EITHER(muladd_a, muladd, 4),
	EITHER(mul16_a, mul16, 2), EITHER(add_an, add, 4), EITHER(addh_an, addh, 2), RESULT(xorb_n, xorb),
	FIRST(addi8_a, addi8, 4), FIRST(addi8h_a, addi8h, 2), RESULT(addi8_n, addi8), FIRST(addi8_an, addi8, 4),
	FIRST(addib_a, addib, 1), FIRST(addiz_a, addiz, 1), FIRST(andi8_a, andi8, 1), FIRST(andib_a, andib, 1),
	FIRST(andib_an, andib, 1), FIRST(andib_an, andi8, 1), FIRST(andi16_a, andi16, 4), FIRST(seqz_a, seqz, 4),
	FIRST(snez_a, snez, 4), FIRST(slli1_a, slli1, 4), FIRST(slli2_a, slli2, 4), FIRST(srai_a, srai, 4),
	FIRST(srlim_a, srlim, 4), FIRST(srli8b_an, srli8b, 2), FIRST(zexth_a, zexth, 2), RESULT(lwa_n, lwa), RESULT(lwsp_n, lwsp),
	FIRST(lwx4_an, lwx4, 4), SECOND(sw0_a, sw0, 4), SECOND(sw8_a, sw8, 4), FIRST(swsp_a, swsp, 4), FIRST(bltu_a, bltu, 4),
	FIRST(bgeu_a, bgeu, 4), SECOND(bgtu_a, bltu, 4), SECOND(bleu_a, bgeu, 4), FIRST(beqz_a, beqz, 4), FIRST(bnez_a, bnez, 4),
	EITHER(beqb_a, beqb, 1), EITHER(bneb_a, bneb, 1), FIRST(beqzb_a, beqzb, 1), FIRST(bnezb_a, bnezb, 1),
	FIRST(beqib_a, beqib, 1), FIRST(bneib_a, bneib, 1), FIRST(bltuib_a, bltuib, 1), FIRST(bgeuib_a, bgeuib, 1),
	FIRST(tbz_a, tbz, 1), FIRST(tbnz_a, tbnz, 1), EITHER(bne_a, bne, 4),
	{ OP_trap, OP_trap, 0, 0 },
};

// What a state says.
struct held {
	unsigned reg;   // 0: nothing is known
	unsigned bytes; // lowest ones that are right: 1, 2 or 4
	bool alone;     // the register does not hold the value
};

static unsigned pack_state(struct held h)
{
	return h.reg ? 1 + (h.reg * 3 + h.bytes / 2) * 2 + h.alone : 0;
}

static struct held unpack_state(unsigned state)
{
	static const uint8_t bytes[] = { 1, 2, 4 };
	unsigned n = state ? state - 1 : 0;

	return (struct held){ n / 6, bytes[n / 2 % 3], n & 1 };
}

// The last register that an instruction writes as its form says, or 0.
static unsigned written(const struct out *o)
{
	unsigned n = 0, reg = 0;

	for (const char *f = op_form(o->op); *f; f++)
		if (*f == 'r' || *f == 'd') {
			reg = *f == 'd' ? o->r[n] : reg;
			n++;
		}
	return reg;
}

// True when the register is among the instruction's operands with one of these letters.
static bool mentions(const struct out *o, unsigned reg, const char *letters)
{
	unsigned n = 0;

	for (const char *f = op_form(o->op); *f; f++)
		if ((*f == 'r' || *f == 'd') && o->r[n++] == reg && strchr(letters, *f))
			return true;
	return false;
}

// Registers with a meaning of their own are always kept up: instructions use them without naming them.
static bool may_be_alone(unsigned reg)
{
	return reg >= RV_T0;
}

// Turns the base instruction into the form. False when the accumulator does not hold its source.
static bool apply(const struct acc_form *form, struct held before, struct out *o)
{
	unsigned source = form->source;

	if (source != ACC_NO_SOURCE) {
		if (!before.reg || o->r[source] != before.reg || before.bytes < form->width)
			return false;
		for (unsigned n = source; n < 2; n++)
			o->r[n] = o->r[n + 1];
		o->r[2] = 0;
	}
	o->op = form->op;
	return true;
}

// What an instruction leaves in the accumulator. `result`: the register that its result belongs to.
static struct held behind(const struct out *o, struct held before, unsigned result, bool alone)
{
	struct held h = { result, 4, alone };

	switch (op_acc(o->op)) {
	case ACC_kept:
		if (mentions(o, before.reg, "d"))
			before.reg = 0;
		return before;
	case ACC_d1:
		h.bytes = 1;
		return h;
	case ACC_d2:
		h.bytes = 2;
		return h;
	case ACC_d4:
		return h;
	case ACC_s1:
		return (struct held){ o->r[0], 1, false };
	case ACC_s4:
		return (struct held){ o->r[0], 4, false };
	default:
		return (struct held){ 0 };
	}
}

// True when a value that is held alone would be missed: by the instruction itself, which reads the operands with these letters, or
// where it jumps to. Calls and the like read what they do not name.
static bool missed(const struct choices *c, const struct out *o, struct held before, const char *letters)
{
	if (mentions(o, before.reg, letters) || op_acc(o->op) == ACC_none)
		return true;
	return o->target && bytes_in(live_before(c->p, o->target), before.reg);
}

int acc_step(const struct choices *c, unsigned state, const struct acc_form *form, struct choice *step)
{
	struct held before = unpack_state(state), after = before;
	struct out *o = &step->out;
	unsigned result = step->nothing ? 0 : written(o);
	bool alone;

	if (form && !apply(form, before, o))
		return -1;
	alone = form && strchr(op_form(o->op), 'A');
	if (alone && !may_be_alone(result))
		return -1;
	if (!step->nothing) {
		// of the forms here, muladd_a alone reads what it writes
		if (before.alone && missed(c, o, before, form && o->op != OP_muladd_a ? "r" : "rd"))
			return -1;
		after = behind(o, before, result, alone);
	}
	if (before.alone && (after.reg != before.reg || !after.alone) && before.reg != result &&
	    live_behind(c, step->insns - 1u, before.reg))
		return -1;
	if (!live_behind(c, step->insns - 1u, after.reg))
		after.reg = 0;
	if (after.reg && after.alone && step->insns == c->left)
		return -1;
	return (int)pack_state(after);
}
