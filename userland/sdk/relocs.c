// SPDX-License-Identifier: ISC
//
// Relocations attached to instructions. They alone say what is the address of code: constants are never guessed.
// After this pass: calls and tail calls are RV_CALL and RV_J; auipc of data is RV_LI of the full address and of code
// RV_LCODE, the low parts that belong to them add 0; lui and the low parts of absolute addresses are marked.
#include "pack.h"

#include "diag.h"

#include <elf.h>
#include <stdlib.h>

static struct insn *at(struct program *p, const struct elf_reloc *r)
{
	return &p->insns[insn_at(p, r->addr, r->addr, "relocation of")];
}

static const char *symbol_name(const struct program *p, const struct elf_reloc *r)
{
	const struct elf_symbol *s = &p->elf->symbols[r->symbol];

	return s->name && *s->name ? s->name : "(unnamed)";
}

static bool is_code(const struct program *p, const struct elf_reloc *r)
{
	return p->elf->symbols[r->symbol].code;
}

// auipc + jalr of one relocation: a call with a link register, else a tail call. Target 0 is an undefined weak symbol.
static void call(struct program *p, const struct elf_reloc *r)
{
	struct insn *hi = at(p, r), *jump = hi + 1;

	if (hi->rv.op != RV_AUIPC || insn_at(p, r->addr + 4, r->addr, "jump at") == 0 || jump->rv.op != RV_JALR)
		refuse(p, r->addr, "call of %s is not auipc and jalr", symbol_name(p, r));
	jump->rv.op = jump->rv.rd ? RV_CALL : RV_J;
	jump->rv.rs1 = 0;
	jump->rv.imm = 0;
	jump->target = r->value;
	hi->rv = (struct rv){ .op = RV_NONE };
}

static void mark(struct program *p, const struct elf_reloc *r)
{
	struct insn *in = at(p, r);

	in->reloc = is_code(p, r) ? HI_CODE : HI_DATA;
	in->value = r->value;
}

static void pcrel_hi(struct program *p, const struct elf_reloc *r)
{
	struct insn *in = at(p, r);

	if (is_code(p, r)) {
		in->rv = (struct rv){ .op = RV_LCODE, .rd = in->rv.rd };
		in->target = r->value;
	} else {
		in->rv = (struct rv){ .op = RV_LI, .rd = in->rv.rd, .imm = (int32_t)r->value };
		in->folded = true;
	}
}

// The symbol of a pcrel_lo is the label of its auipc, which already gives the whole address.
static void pcrel_lo(struct program *p, const struct elf_reloc *r)
{
	at(p, r)->rv.imm = r->addend;
}

// Words of data: the only relocation that may name code.
static void data_word(struct program *p, struct elf_reloc *r)
{
	const struct elf_section *s = &p->elf->sections[r->section];

	if (r->addr < s->addr || r->addr - s->addr > s->size || s->size - (r->addr - s->addr) < 4)
		die("%s: a relocation of section %s lies outside of it, at 0x%x", p->elf->path, s->name, r->addr);
	if (r->type == R_RISCV_32) {
		if (is_code(p, r))
			p->code_words[p->ncode_words++] = r;
	} else if (is_code(p, r)) {
		die("%s: section %s at 0x%x: relocation type %u computes with the code label %s (%s); Octix keeps code and data "
		    "apart, so only whole addresses work: compile with -fno-jump-tables, or leave .eh_frame out", p->elf->path,
		    s->name, r->addr, r->type, symbol_name(p, r), elf_where(p->elf, r->value));
	}
}

static void text_word(struct program *p, const struct elf_reloc *r)
{
	switch (r->type) {
	case R_RISCV_NONE:
	case R_RISCV_RELAX:
	case R_RISCV_ALIGN:
	case R_RISCV_BRANCH: // find_targets() has them
	case R_RISCV_JAL:
	case R_RISCV_TPREL_HI20: // numbers, not addresses
	case R_RISCV_TPREL_LO12_I:
	case R_RISCV_TPREL_LO12_S:
	case R_RISCV_TPREL_ADD:
	case R_RISCV_PCREL_LO12_I: // second pass
	case R_RISCV_PCREL_LO12_S:
		break;
	case R_RISCV_CALL:
	case R_RISCV_CALL_PLT:
		call(p, r);
		break;
	case R_RISCV_HI20:
	case R_RISCV_LO12_I:
	case R_RISCV_LO12_S:
		mark(p, r);
		break;
	case R_RISCV_PCREL_HI20:
		pcrel_hi(p, r);
		break;
	default:
		refuse(p, r->addr, "relocation type %u of %s is not supported; link statically, without PIC", r->type,
		       symbol_name(p, r));
	}
}

// auipc without a relocation would be a guess.
static void check_auipc(const struct program *p)
{
	for (size_t i = 0; i < p->ninsns; i++)
		if (p->insns[i].rv.op == RV_AUIPC)
			refuse(p, insn_addr(p, i), "auipc without a relocation; link with -Wl,--emit-relocs,--no-relax");
}

void relocate(struct program *p)
{
	struct elf *e = p->elf;

	if (!e->relocated)
		die("%s: no relocations for its text; link with -Wl,--emit-relocs,--no-relax", e->path);
	p->code_words = xcalloc(e->nrelocs, sizeof *p->code_words);
	for (size_t i = 0; i < e->nrelocs; i++) {
		if (e->sections[e->relocs[i].section].exec)
			text_word(p, &e->relocs[i]);
		else
			data_word(p, &e->relocs[i]);
	}
	for (size_t i = 0; i < e->nrelocs; i++) {
		unsigned type = e->relocs[i].type;

		if ((type == R_RISCV_PCREL_LO12_I || type == R_RISCV_PCREL_LO12_S) && e->sections[e->relocs[i].section].exec)
			pcrel_lo(p, &e->relocs[i]);
	}
	check_auipc(p);
}
