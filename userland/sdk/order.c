// SPDX-License-Identifier: ISC
//
// The order of the units in the file: depth first from the entry over calls, jumps and addresses taken, so that callees
// follow their callers; then what only data points to; or as they are linked. Units that nothing reaches are left out.
#include "pack.h"

#include "diag.h"

#include <stdlib.h>

static bool ends(unsigned op)
{
	return op == RV_J || op == RV_POPRET || op == RV_UNIMP || op == RV_EBREAK;
}

struct unit *falls_into(struct program *p, const struct unit *u, bool *trap)
{
	uint32_t i = u->end;
	bool label = false;

	*trap = false;
	while (i > u->start && p->insns[i - 1].rv.op == RV_NONE)
		label |= p->insns[--i].leader;
	if (i > u->start && !label) {
		const struct rv *last = &p->insns[i - 1].rv;

		if (ends(last->op) || (last->op == RV_JALR && !last->rd))
			return NULL;
		*trap = (last->op == RV_CALL || last->op == RV_JALR) && last->rd == RV_RA && u->sized;
	}
	if (u->end >= p->ninsns || !p->insns[u->end].code)
		*trap = true;
	return *trap ? NULL : unit_of(p, u->end);
}

static void visit(struct program *p, struct unit *u)
{
	struct unit *next;
	bool trap;

	if (u->reached)
		return;
	u->reached = true;
	p->order[p->norder++] = (uint32_t)(u - p->units);
	next = falls_into(p, u, &trap);
	if (next)
		visit(p, next);
	for (uint32_t i = u->start; i < u->end; i++)
		if (p->insns[i].target)
			visit(p, unit_of(p, (p->insns[i].target - p->elf->text) / 4));
}

static int by_index(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void order(struct program *p)
{
	p->order = xcalloc(p->nunits, sizeof *p->order);
	visit(p, unit_of(p, (p->elf->entry - p->elf->text) / 4));
	for (size_t i = 0; i < p->ncode_words; i++)
		visit(p, unit_of(p, (p->code_words[i]->value - p->elf->text) / 4));
	if (p->link_order)
		qsort(p->order, p->norder, sizeof *p->order, by_index);
}
