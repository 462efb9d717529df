// SPDX-License-Identifier: ISC
//
// Bytecode as text: operands in the order of their bytes.
#include "disasm.h"

#include "rv.h"

#include <stdio.h>
#include <string.h>

const char *rv_reg(unsigned number)
{
	static const char names[16][5] = { "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2",
					   "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5" };

	return number < 16 ? names[number] : "r?";
}

static void operand(char *text, size_t n, char letter, const struct op_insn *insn, unsigned *r)
{
	if (letter == 'r' || letter == 'd')
		snprintf(text, n, "%s", rv_reg(insn->r[(*r)++]));
	else if (letter == 'a' || letter == 'A')
		snprintf(text, n, "acc");
	else if (letter == 'b')
		snprintf(text, n, ":%02x", insn->target);
	else if (letter == 'F')
		snprintf(text, n, "%04x:%02x", codeptr_page(insn->target), codeptr_offset(insn->target));
	else if (insn->value < 10)
		snprintf(text, n, "%u", insn->value);
	else
		snprintf(text, n, "0x%x", insn->value);
}

void disassemble(const struct op_insn *insn, char *text, size_t n)
{
	unsigned r = 0;
	const char *separator = " ";
	size_t used = (size_t)snprintf(text, n, "%s", op_name(insn->op));

	for (const char *f = op_form(insn->op); *f && used < n; f++) {
		used += (size_t)snprintf(text + used, n - used, "%s", separator);
		if (used < n)
			operand(text + used, n - used, *f, insn, &r);
		used += strlen(text + used);
		separator = ", ";
	}
}
