// SPDX-License-Identifier: ISC
//
// What oxrun prints about a run: a line an instruction, and counters at the end.
#include "rv.h"
#include "vm.h"

#include <stdio.h>
#include <stdlib.h>

void vm_trace(const struct vm *v, const struct op_insn *i)
{
	char text[80];
	const char *name = symbol_at(v->map, v->cpu.pc / OXE_PAGE, v->cpu.pc % OXE_PAGE);

	if (name)
		fprintf(stderr, "%s:\n", name);
	disassemble(i, text, sizeof text);
	fprintf(stderr, "%04x:%02x  %-28s", v->cpu.pc / OXE_PAGE, v->cpu.pc % OXE_PAGE, text);
	for (unsigned n = 0; n < i->registers; n++)
		fprintf(stderr, " %s=%x", rv_reg(i->r[n]), v->cpu.r[i->r[n]]);
	if (i->op == OP_ecall)
		fprintf(stderr, " %s(0x%x, 0x%x, 0x%x)", sys_name(v->cpu.r[RV_T0]) ? sys_name(v->cpu.r[RV_T0]) : "?", v->cpu.r[RV_A0],
			v->cpu.r[RV_A0 + 1], v->cpu.r[RV_A0 + 2]);
	fputc('\n', stderr);
}

static const uint64_t *counts;

static int by_count(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	if (counts[x] != counts[y])
		return counts[x] < counts[y] ? 1 : -1;
	return x < y ? -1 : 1;
}

void vm_stats(const struct vm *v)
{
	unsigned ops[OP_COUNT], pages = 0;

	for (unsigned op = 0; op < OP_COUNT; op++)
		ops[op] = op;
	for (unsigned page = 0; page < v->pages; page++)
		pages += v->pages_run[page];
	counts = v->per_op;
	qsort(ops, OP_COUNT, sizeof *ops, by_count);
	fprintf(stderr, "%llu instructions, %u of %u code pages\n", (unsigned long long)v->insns, pages, v->pages);
	for (unsigned i = 0; i < OP_COUNT && v->per_op[ops[i]]; i++)
		fprintf(stderr, "%12llu %5.1f %%  %s\n", (unsigned long long)v->per_op[ops[i]],
			100.0 * (double)v->per_op[ops[i]] / (double)v->insns, op_name(ops[i]));
}
