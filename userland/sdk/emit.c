// SPDX-License-Identifier: ISC
//
// The finished file: code pages with their CRCs, data with its code pointers, the header.
#include "pack.h"

#include "diag.h"
#include "opset.h"
#include "oxefile.h"

#include <string.h>

static void put_little(uint8_t *to, uint32_t v, unsigned n)
{
	while (n--) {
		*to++ = (uint8_t)v;
		v >>= 8;
	}
}

// One instruction without its far part. Returns the byte behind it.
static uint8_t *put_insn(uint8_t *to, unsigned op, const uint8_t *r, uint32_t value, uint32_t target)
{
	*to++ = (uint8_t)op;
	for (const char *f = op_form(op); *f; f++) {
		unsigned n = op_operand_bytes(*f);

		put_little(to, *f == 'r' || *f == 'd' ? 4u * *r++ : *f == 'b' || *f == 'F' ? target : value, n);
		to += n;
	}
	return to;
}

// A far branch: the opposite one over a far jump, or the branch itself to a far jump that a short one leads around.
static void put_far_branch(const struct out *o, uint8_t *to, uint32_t target)
{
	unsigned opposite = op_opposite(o->op), end = o->offset + out_bytes(o);

	if (opposite) {
		to = put_insn(to, opposite, o->r, o->value, end);
	} else {
		to = put_insn(to, o->op, o->r, o->value, end - op_bytes(OP_jf));
		to = put_insn(to, OP_j, NULL, 0, end);
	}
	put_insn(to, OP_jf, NULL, 0, target);
}

static void put_out(const struct program *p, const struct out *o, uint8_t *to)
{
	uint32_t target = place_of(p, o->target);

	if (o->code)
		put_insn(to, o->far ? OP_li32 : OP_li16, o->r, target, 0);
	else if (o->op == OP_j && o->far)
		put_insn(to, OP_jf, NULL, 0, target);
	else if (o->far)
		put_far_branch(o, to, target);
	else
		put_insn(to, o->op, o->r, o->value, target);
}

static void put_code(const struct program *p, uint8_t *code)
{
	memset(code, OP_pgend, (size_t)p->npages * OXE_PAGE);
	code[0] = OP_trap;
	for (size_t i = 0; i < p->nouts; i++)
		put_out(p, &p->outs[i], code + (size_t)p->outs[i].page * OXE_PAGE + p->outs[i].offset);
	for (unsigned page = 0; page < p->npages; page += 2)
		oxe_seal(code + (size_t)page * OXE_PAGE);
}

static void patch_data(const struct program *p)
{
	for (size_t i = 0; i < p->ncode_words; i++)
		put_little(p->elf->data + p->code_words[i]->addr, place_of(p, p->code_words[i]->value), 4);
}

// FNV-1a, 64 bits.
static uint64_t hash(uint64_t h, const void *bytes, size_t n)
{
	for (const uint8_t *p = bytes; n--; p++)
		h = (h ^ *p) * 0x100000001b3;
	return h;
}

static unsigned sectors(uint32_t bytes)
{
	return (bytes + OXE_SECTOR - 1) / OXE_SECTOR;
}

static void add_section(struct oxe_header *h, unsigned type, uint32_t addr, uint32_t bytes, unsigned *sector)
{
	if (!bytes)
		return;
	h->u.section[h->sections++] = (struct oxe_section){ .type = (uint8_t)type, .addr = (uint16_t)addr,
							    .sector = (uint16_t)*sector, .bytes = bytes };
	*sector += sectors(bytes);
}

static struct oxe_header *put_header(struct program *p)
{
	const struct elf *e = p->elf;
	unsigned sector = 1;
	struct oxe_header *h = xcalloc(1, sizeof *h);

	memcpy(h->magic, OXE_MAGIC, 4);
	h->format = OXE_FORMAT;
	h->bytecode = OXE_BYTECODE;
	h->abi = OXE_ABI;
	h->entry = place_of(p, e->entry);
	h->data_end = (uint16_t)e->data_end;
	h->stack = (uint16_t)e->stack;
	h->heap = (uint16_t)e->heap;
	h->type = OXE_PROGRAM;
	add_section(h, OXE_SEC_CODE, 0, p->npages * OXE_PAGE, &sector);
	add_section(h, OXE_SEC_RODATA, OXE_DATA_BASE, e->rodata_end - OXE_DATA_BASE, &sector);
	add_section(h, OXE_SEC_DATA, e->data_start, e->data_bytes, &sector);
	p->file_size = (size_t)sector * OXE_SECTOR;
	return h;
}

void emit(struct program *p)
{
	struct oxe_header *h = put_header(p);
	uint64_t id;

	patch_data(p);
	p->file = xcalloc(p->file_size, 1);
	put_code(p, p->file + OXE_SECTOR);
	for (unsigned i = 1; i < h->sections; i++)
		memcpy(p->file + (size_t)h->u.section[i].sector * OXE_SECTOR, p->elf->data + h->u.section[i].addr,
		       h->u.section[i].bytes);
	id = hash(0xcbf29ce484222325, h, sizeof *h);
	id = hash(id, p->file + OXE_SECTOR, p->file_size - OXE_SECTOR);
	memcpy(h->build_id, &id, sizeof id);
	memcpy(p->file, h, sizeof *h);
	oxe_seal(p->file);
}
