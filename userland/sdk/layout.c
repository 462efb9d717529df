// SPDX-License-Identifier: ISC
//
// Pages. All branches start as in-page ones; those whose target turns out to lie in another page become far, which
// makes the code longer, until nothing changes. A unit that fits a page never straddles two: the room that is left is
// filled by a later, smaller one, or by a unit that must straddle anyway.
#include "pack.h"

#include "diag.h"

#include <stdlib.h>
#include <string.h>

enum {
	WINDOW = 48, // units looked through for one that fills the rest of a page
	CRUMBS = 6,  // bytes of a page not worth filling
};

struct cursor {
	unsigned page, offset;
};

static bool is_branch(unsigned op)
{
	return op >= OP_beq && op <= OP_bgez;
}

unsigned out_bytes(const struct out *o)
{
	if (!o->far)
		return op_bytes(o->op);
	if (o->op == OP_j)
		return op_bytes(OP_jf);
	if (is_branch(o->op))
		return op_bytes(o->op) + op_bytes(OP_jf);
	return op_bytes(OP_li32);
}

static const struct out *target_out(const struct program *p, uint32_t addr)
{
	return &p->outs[p->out_of[(addr - p->elf->text) / 4]];
}

uint32_t place_of(const struct program *p, uint32_t addr)
{
	const struct out *o;

	if (!addr)
		return 0; // an undefined weak symbol: the pointer that traps
	o = target_out(p, addr);
	return codeptr(o->page, o->offset);
}

static unsigned unit_bytes(const struct program *p, const struct unit *u)
{
	unsigned n = 0;

	for (size_t i = 0; i < u->nouts; i++)
		n += out_bytes(&p->outs[u->out + i]);
	return n;
}

static void next_page(struct cursor *c)
{
	c->page++;
	c->offset = 0;
}

static void place_unit(struct program *p, const struct unit *u, struct cursor *c)
{
	for (size_t i = 0; i < u->nouts; i++) {
		struct out *o = &p->outs[u->out + i];

		if (c->offset + out_bytes(o) > OXE_PAGE_USED)
			next_page(c);
		o->page = (uint16_t)c->page;
		o->offset = (uint8_t)c->offset;
		c->offset += out_bytes(o);
	}
}

// The next unit to place: the first in order that may begin at the cursor without being torn.
static size_t choose(const struct program *p, const bool *placed, const unsigned *bytes, size_t first, unsigned room)
{
	size_t seen = 0;

	if (room <= CRUMBS)
		return first;
	for (size_t i = first; i < p->norder && seen < WINDOW; i++) {
		if (placed[i])
			continue;
		if (bytes[i] <= room || bytes[i] > OXE_PAGE_USED)
			return i;
		seen++;
	}
	return first;
}

static void place_all(struct program *p)
{
	bool *placed = xcalloc(p->norder, sizeof *placed);
	unsigned *bytes = xcalloc(p->norder, sizeof *bytes);
	struct cursor c = { 0, 1 }; // page 0 begins with a trap

	for (size_t i = 0; i < p->norder; i++)
		bytes[i] = unit_bytes(p, &p->units[p->order[i]]);
	for (size_t first = 0; first < p->norder;) {
		size_t i = choose(p, placed, bytes, first, OXE_PAGE_USED - c.offset);

		if (bytes[i] <= OXE_PAGE_USED && c.offset + bytes[i] > OXE_PAGE_USED)
			next_page(&c);
		place_unit(p, &p->units[p->order[i]], &c);
		placed[i] = true;
		while (first < p->norder && placed[first])
			first++;
	}
	p->npages = (c.page + 2) & ~1u;
	free(placed);
	free(bytes);
}

static bool must_be_far(const struct program *p, const struct out *o)
{
	const struct out *t;

	if (o->far || !o->target || o->op == OP_jf || o->op == OP_call || o->op == OP_callx)
		return false;
	t = target_out(p, o->target);
	return o->code ? codeptr(t->page, 0) > 0xffff : t->page != o->page;
}

static bool grow(struct program *p)
{
	bool grown = false;

	for (size_t i = 0; i < p->nouts; i++) {
		if (!must_be_far(p, &p->outs[i]))
			continue;
		p->outs[i].far = true;
		grown = true;
	}
	return grown;
}

// What leaves its unit is far from the start: where the other one will lie is chance.
static void start_far(struct program *p)
{
	for (size_t n = 0; n < p->norder; n++) {
		const struct unit *u = &p->units[p->order[n]];

		for (size_t i = u->out; i < u->out + u->nouts; i++) {
			struct out *o = &p->outs[i];
			uint32_t t = (o->target - p->elf->text) / 4;

			if (o->op == OP_j || is_branch(o->op))
				o->far = !o->target || t < u->start || t >= u->end;
		}
	}
}

void layout(struct program *p)
{
	start_far(p);
	do
		place_all(p);
	while (grow(p));
	if (p->npages > OXE_MAX_PAGES)
		die("%s: %u pages of code, the limit is %u", p->elf->path, p->npages, OXE_MAX_PAGES);
	for (size_t i = 0; i < p->nouts; i++)
		p->code_bytes += out_bytes(&p->outs[i]);
}
