// SPDX-License-Identifier: ISC
//
// ELF text taken apart: one struct insn a word, jump targets, and the units that are laid out as one piece.
#include "pack.h"

#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void refuse(const struct program *p, uint32_t addr, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	die("%s: at 0x%x (%s): %s", p->elf->path, addr, elf_where(p->elf, addr), text);
}

uint32_t insn_at(const struct program *p, uint32_t addr, uint32_t from, const char *what)
{
	uint32_t index = (addr - p->elf->text) / 4;

	if (addr % 4 || addr < p->elf->text || index >= p->ninsns || !p->insns[index].code)
		refuse(p, from, "%s 0x%x, which is not an instruction", what, addr);
	return index;
}

struct unit *unit_of(struct program *p, uint32_t index)
{
	size_t low = 0, high = p->nunits;

	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (p->units[mid].start <= index)
			low = mid;
		else
			high = mid;
	}
	return &p->units[low];
}

static void decode_all(struct program *p)
{
	for (size_t i = 0; i < p->ninsns; i++) {
		struct insn *in = &p->insns[i];
		uint32_t addr = insn_addr(p, i);

		in->code = elf_text_section(p->elf, addr);
		if (!in->code)
			continue;
		in->rv = rv_decode(elf_word(p->elf, addr));
		if (in->rv.op == RV_BAD)
			refuse(p, addr, "instruction 0x%08x is not of RV32EM; compile with -march=rv32em", elf_word(p->elf, addr));
	}
}

// Direct jumps and branches get their targets; RV_JAL becomes RV_CALL or RV_J.
static void find_targets(struct program *p)
{
	for (size_t i = 0; i < p->ninsns; i++) {
		struct insn *in = &p->insns[i];
		uint32_t addr = insn_addr(p, i);

		if (in->rv.op == RV_JAL)
			in->rv.op = in->rv.rd ? RV_CALL : RV_J;
		else if (!rv_is_branch(in->rv.op))
			continue;
		in->target = addr + (uint32_t)in->rv.imm;
	}
}

void text_load(struct program *p, struct elf *e)
{
	p->elf = e;
	p->ninsns = (e->text_end - e->text) / 4;
	p->insns = xcalloc(p->ninsns, sizeof *p->insns);
	decode_all(p);
	find_targets(p);
	relocate(p);
	find_units(p);
}
