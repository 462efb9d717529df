// SPDX-License-Identifier: ISC
//
// Pages. All branches start as in-page ones; those whose target turns out to lie in another page become far, which
// makes the code longer, until nothing changes; then those that need not be far any more are made short again. A unit
// that fits a page never straddles two: the room that is left is filled by a later, smaller one, or by a unit that must
// straddle anyway. Where such a unit is cut, the cut goes through few branches, loops least of all.
#include "pack.h"

#include "diag.h"
#include "opset.h"

#include <stdlib.h>
#include <string.h>

enum {
	WINDOW = 48, // units looked through for one that fills the rest of a page
	CRUMBS = 6,  // bytes of a page not worth filling
	SLACK = 40,  // bytes given up at most for a better cut
	LOOP_WEIGHT = 6, // of a branch backwards, in branches forwards
	CUT_COST = 4,    // of a branch that is cut, in bytes given up
};

struct cursor {
	unsigned page, offset;
};

unsigned out_bytes(const struct out *o)
{
	if (!o->far)
		return op_bytes(o->op);
	if (o->op == OP_j)
		return op_bytes(OP_jf);
	if (op_is_branch(o->op))
		return op_bytes(o->op) + (op_opposite(o->op) ? 0 : op_bytes(OP_j)) + op_bytes(OP_jf);
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

unsigned unit_bytes(const struct program *p, const struct unit *u)
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

// For each instruction of a unit: the weight of the branches that a cut before it would make far.
static unsigned *cut_weights(const struct program *p, const struct unit *u)
{
	unsigned *weight = xcalloc(u->nouts + 1, sizeof *weight);

	for (size_t i = 0; i < u->nouts; i++) {
		const struct out *o = &p->outs[u->out + i];
		size_t t;

		if (!o->target || (o->op != OP_j && !op_is_branch(o->op)))
			continue;
		t = (size_t)(target_out(p, o->target) - p->outs) - u->out;
		if (t >= u->nouts)
			continue;
		for (size_t k = t < i ? t + 1 : i + 1; k <= (t < i ? i : t); k++)
			weight[k] += t <= i ? LOOP_WEIGHT : 1;
	}
	return weight;
}

// Where to cut before instruction i, the first that does not fit the page: i or one that lies a little before it.
static size_t best_cut(const struct program *p, const struct unit *u, const unsigned *weight, size_t i, unsigned page)
{
	const struct out *outs = &p->outs[u->out];
	unsigned end = i ? outs[i - 1].offset + out_bytes(&outs[i - 1]) : 0;
	unsigned best_cost = CUT_COST * weight[i];
	size_t best = i;

	for (size_t k = i; k-- > 1 && outs[k].page == page && end - outs[k].offset <= SLACK;) {
		unsigned cost = CUT_COST * weight[k] + end - outs[k].offset;

		if (outs[k - 1].page == page && cost < best_cost) {
			best_cost = cost;
			best = k;
		}
	}
	return best;
}

static void place_out(struct out *o, struct cursor *c)
{
	o->page = (uint16_t)c->page;
	o->offset = (uint8_t)c->offset;
	c->offset += out_bytes(o);
}

static void place_unit(struct program *p, const struct unit *u, struct cursor *c)
{
	unsigned *weight = NULL;

	for (size_t i = 0; i < u->nouts; i++) {
		struct out *o = &p->outs[u->out + i];

		if (c->offset + out_bytes(o) > OXE_PAGE_USED) {
			if (!weight)
				weight = cut_weights(p, u);
			i = best_cut(p, u, weight, i, c->page);
			o = &p->outs[u->out + i];
			next_page(c);
		}
		place_out(o, c);
	}
	free(weight);
}

static bool fits(unsigned bytes, unsigned room)
{
	return bytes <= room || bytes > OXE_PAGE_USED;
}

// Whether a unit begins here.
static bool may_begin(const struct unit *u, const struct cursor *c)
{
	return u->begins == BEGINS_ANYWHERE || (c->offset <= 1 && c->page % 2 == (u->begins == BEGINS_HALF));
}

// The largest of the units behind those that the profile has put in order that fits the room; `none` when there is none.
static size_t largest(const struct program *p, const bool *placed, const unsigned *bytes, unsigned room, size_t none)
{
	size_t best = none;

	for (size_t i = p->nhot; i < p->norder; i++)
		if (!placed[i] && bytes[i] <= room && (best == none || bytes[i] > bytes[best]))
			best = i;
	return best;
}

// The next unit to place: the first in order that may begin at the cursor without being torn. Units that the profile has
// put in order keep it; room between them is filled with others.
static size_t choose(const struct program *p, const bool *placed, const unsigned *bytes, size_t first, const struct cursor *c)
{
	unsigned room = OXE_PAGE_USED - c->offset;
	size_t seen = 0;

	if (room <= CRUMBS || (may_begin(&p->units[p->order[first]], c) && fits(bytes[first], room)))
		return first;
	if (first < p->nhot)
		return largest(p, placed, bytes, room, first);
	for (size_t i = first; i < p->norder && seen < WINDOW; i++) {
		if (placed[i])
			continue;
		if (fits(bytes[i], room))
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
		size_t i = choose(p, placed, bytes, first, &c);
		const struct unit *u = &p->units[p->order[i]];

		if (!may_begin(u, &c) || !fits(bytes[i], OXE_PAGE_USED - c.offset)) {
			next_page(&c);
			continue;
		}
		place_unit(p, u, &c);
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
			size_t t = o->target ? (size_t)(target_out(p, o->target) - p->outs) : 0;

			if (o->op == OP_j || op_is_branch(o->op))
				o->far = !o->target || t < u->out || t >= u->out + u->nouts;
		}
	}
}

static int by_place(const void *a, const void *b)
{
	const struct out *x = *(struct out *const *)a, *y = *(struct out *const *)b;

	if (x->page != y->page)
		return x->page < y->page ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void sort_by_place(struct program *p)
{
	p->by_place = xcalloc(p->nouts, sizeof(struct out *));
	for (size_t i = 0; i < p->nouts; i++)
		p->by_place[i] = &p->outs[i];
	qsort(p->by_place, p->nouts, sizeof(struct out *), by_place);
}

static bool needs_not_be_far(const struct program *p, const struct out *o)
{
	return o->far && !o->code && o->target && target_out(p, o->target)->page == o->page;
}

// False for a unit that lies in two pages and would then fit one: it stays as it is.
static bool may_shrink(const struct program *p, const struct unit *u)
{
	const struct out *outs = &p->outs[u->out];
	unsigned bytes = 0;

	if (!u->nouts || outs[0].page == outs[u->nouts - 1].page)
		return true;
	for (size_t i = 0; i < u->nouts; i++) {
		struct out o = outs[i];

		o.far &= !needs_not_be_far(p, &outs[i]);
		bytes += out_bytes(&o);
	}
	return bytes > OXE_PAGE_USED;
}

// With every instruction staying in its page: jumps whose target is in it need not be far.
static void shrink(struct program *p)
{
	unsigned page = 0, offset = 1;

	for (size_t n = 0; n < p->norder; n++) {
		const struct unit *u = &p->units[p->order[n]];
		bool may = may_shrink(p, u);

		for (size_t i = u->out; may && i < u->out + u->nouts; i++)
			p->outs[i].far &= !needs_not_be_far(p, &p->outs[i]);
	}
	for (size_t n = 0; n < p->nouts; n++) {
		struct out *o = p->by_place[n];

		if (o->page != page)
			offset = 0;
		page = o->page;
		o->offset = (uint8_t)offset;
		offset += out_bytes(o);
	}
}

void layout(struct program *p, const struct profile *profile)
{
	start_far(p);
	arrange(p, profile);
	do
		place_all(p);
	while (grow(p));
	sort_by_place(p);
	shrink(p);
	if (p->npages > OXE_MAX_PAGES)
		die("%s: %u pages of code, the limit is %u", p->elf->path, p->npages, OXE_MAX_PAGES);
	for (size_t i = 0; i < p->nouts; i++)
		p->code_bytes += out_bytes(&p->outs[i]);
}
