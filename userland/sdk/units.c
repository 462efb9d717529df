// SPDX-License-Identifier: ISC
//
// Units: the text cut at functions, and the instructions that something jumps to.
#include "pack.h"

#include "diag.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

// Local labels are no functions: assembler-made names begin with '.', compiler-made ones with '$' or 'L'.
static bool starts_unit(const struct elf_symbol *s)
{
	return s->code && (s->func || (s->global && s->type == STT_NOTYPE));
}

static void cut(bool *starts, bool *sized, const char **names, const struct program *p)
{
	const struct elf *e = p->elf;

	for (size_t i = 0; i < e->nsymbols; i++) {
		const struct elf_symbol *s = &e->symbols[i];
		uint32_t index = (s->value - e->text) / 4;

		if (!starts_unit(s) || s->value % 4 || s->value < e->text || index >= p->ninsns || !p->insns[index].code)
			continue;
		starts[index] = true;
		sized[index] |= s->func && s->size;
		if (!names[index] || s->global)
			names[index] = s->name;
	}
}

// Everything that jumps marks its target; targets of calls and of stored code pointers are opaque.
static void mark_targets(struct program *p, bool *starts)
{
	for (size_t i = 0; i < p->ninsns; i++) {
		struct insn *in = &p->insns[i];
		unsigned op = in->rv.op;
		uint32_t t;

		if (!in->target)
			continue;
		t = insn_at(p, in->target, insn_addr(p, i), "jump to");
		p->insns[t].leader = true;
		p->insns[t].opaque |= op == RV_CALL || op == RV_LCODE;
		starts[t] |= op == RV_CALL;
	}
}

static void mark_labels(struct program *p)
{
	for (size_t i = 0; i < p->ncode_words; i++) {
		const struct elf_reloc *r = p->code_words[i];
		uint32_t t;

		if (r->value < p->elf->text || r->value >= p->elf->text_end || r->value % 4)
			die("%s: section %s at 0x%x: points to 0x%x (%s), which is not an instruction", p->elf->path,
			    p->elf->sections[r->section].name, r->addr, r->value, elf_where(p->elf, r->value));
		t = insn_at(p, r->value, r->value, "pointer to");
		p->insns[t].leader = p->insns[t].opaque = true;
	}
	for (size_t i = 0; i < p->ninsns; i++) {
		const struct insn *in = &p->insns[i];

		if (in->reloc == HI_CODE && in->rv.op != RV_LUI) {
			uint32_t t = insn_at(p, in->value, insn_addr(p, i), "address of");

			p->insns[t].leader = p->insns[t].opaque = true;
		}
	}
}

static void add_unit(struct program *p, uint32_t start, const char *name, bool sized)
{
	if (p->nunits)
		p->units[p->nunits - 1].end = start;
	p->units = xgrow(p->units, &p->units_cap, p->nunits + 1, sizeof *p->units);
	p->units[p->nunits++] = (struct unit){ .name = name ? name : "", .start = start, .end = (uint32_t)p->ninsns,
					       .sized = sized };
}

// Control that crosses units is not followed by fold.c: nothing is known where it arrives.
static void mark_crossings(struct program *p)
{
	for (uint32_t i = 0; i < p->ninsns; i++) {
		const struct insn *in = &p->insns[i];
		uint32_t t = (in->target - p->elf->text) / 4;

		if (in->target && unit_of(p, t) != unit_of(p, i))
			p->insns[t].opaque = true;
	}
}

void find_units(struct program *p)
{
	bool *starts = xcalloc(p->ninsns, sizeof *starts), *sized = xcalloc(p->ninsns, sizeof *sized);
	const char **names = xcalloc(p->ninsns, sizeof *names);
	uint32_t entry = insn_at(p, p->elf->entry, p->elf->entry, "entry at");

	starts[0] = starts[entry] = true;
	cut(starts, sized, names, p);
	mark_targets(p, starts);
	mark_labels(p);
	for (uint32_t i = 0; i < p->ninsns; i++) {
		bool after_gap = i && p->insns[i].code && !p->insns[i - 1].code;

		if (!starts[i] && !after_gap)
			continue;
		p->insns[i].leader = p->insns[i].opaque = true;
		add_unit(p, i, names[i], sized[i]);
	}
	mark_crossings(p);
	free(starts);
	free(sized);
	free(names);
}
