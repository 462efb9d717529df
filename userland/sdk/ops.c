// SPDX-License-Identifier: ISC
//
// The bytecode's opcode table for C, and the decoder of one instruction.
#include "ops.h"

#include <octix/oxe.h>

static const char *const names[OP_COUNT] = {
#define OP(name, ...) #name,
#include <octix/opcodes.def>
#undef OP
};

static const char *const forms[OP_COUNT] = {
#define OP(name, form, ...) #form,
#include <octix/opcodes.def>
#undef OP
};

static const uint16_t cycles_of[OP_COUNT] = {
#define OP(name, form, cycles, acc) cycles,
#include <octix/opcodes.def>
#undef OP
};

static const uint8_t accs[OP_COUNT] = {
#define OP(name, form, cycles, acc) ACC_##acc,
#include <octix/opcodes.def>
#undef OP
};

const char *op_name(unsigned op)
{
	return names[op];
}

const char *op_form(unsigned op)
{
	return forms[op];
}

unsigned op_cycles(unsigned op)
{
	return cycles_of[op];
}

enum acc op_acc(unsigned op)
{
	return accs[op];
}

unsigned op_inverse(unsigned op)
{
	return op >= OP_FIRST_BRANCH && op <= OP_LAST_PAIR ? OP_FIRST_BRANCH + ((op - OP_FIRST_BRANCH) ^ 1u) : OP_trap;
}

unsigned op_operand_bytes(char letter)
{
	switch (letter) {
	case 'a':
	case 'A':
		return 0;
	case 'I':
		return 2;
	case 'F':
		return 3;
	case 'L':
		return 4;
	default:
		return 1;
	}
}

unsigned op_bytes(unsigned op)
{
	unsigned n = 1;

	if (op >= OP_COUNT)
		return 1;
	for (const char *f = forms[op]; *f; f++)
		n += op_operand_bytes(*f);
	return n;
}

static uint32_t little(const uint8_t *p, unsigned n)
{
	uint32_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

int op_decode(const uint8_t *p, size_t n, struct op_insn *insn)
{
	*insn = (struct op_insn){ .op = n ? p[0] : 0 };
	if (!n || p[0] >= OP_COUNT || op_bytes(p[0]) > n)
		return -1;
	insn->bytes = (uint8_t)op_bytes(*p++);
	for (const char *f = forms[insn->op]; *f; f++) {
		if (*f == 'r' || *f == 'd')
			insn->r[insn->registers++] = *p & 3 || *p >= 64 ? 255 : *p / 4;
		else if (*f == 'b' || *f == 'F')
			insn->target = little(p, op_operand_bytes(*f));
		else if (*f == 'A')
			insn->acc_only = 1;
		else if (*f != 'a')
			insn->value = little(p, op_operand_bytes(*f));
		p += op_operand_bytes(*f);
	}
	return 0;
}

_Static_assert(OP_COUNT < 0xff, "opcode 0xFF must trap");
_Static_assert(OXE_OP_MAX <= 6, "longest instruction");
