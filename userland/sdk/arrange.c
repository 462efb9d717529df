// SPDX-License-Identifier: ISC
//
// The order of the units that a profile knows, so that what runs together lies together. The runs are cut into stretches,
// short and long ones; for each the pages and the sectors that hold its units are counted. The order is changed at random to
// make the sum small; a little worse ones are taken too in the beginning. The random numbers are always the same, and
// so is the result.
#include "pack.h"

#include "diag.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_SCALE = 8,   // windows joined to stretches of 1, 2, 4 .. windows
	MAX_COUNT = 8,   // a stretch that came more often counts as often as this
	TRIES = 3000,    // changes tried for each unit
	START = 512,     // this part of the first cost is taken as worse in the beginning
	LOST = 2,        // bytes lost at the end of a page in a unit that lies in two
};

struct item {
	uint32_t unit;
	unsigned bytes;
	unsigned page, offset; // where it begins
	unsigned before;       // cost of the sectors before, when it begins one
	uint64_t *stretches;   // one bit for each that it is in
};

// A part of a run, by the units it uses.
struct stretch {
	uint64_t *units; // as bits
	unsigned count;
};

struct arrangement {
	struct item *items;
	size_t n;
	struct stretch *stretches; // no two are the same
	size_t nstretches, stretches_cap;
	size_t unit_words, words; // of bits for all units, all stretches
	uint64_t *page, *sector;  // stretches that use the present page, sector
	unsigned cost;
	struct item *was;         // items before a change
	uint32_t random;
};

// Moves the units that the profile knows to the front of the order.
static size_t hot_first(struct program *p)
{
	uint32_t *order = xcalloc(p->norder, sizeof *order);
	size_t n = 0, hot;

	for (size_t i = 0; i < p->norder; i++)
		if (p->units[p->order[i]].hot != PROFILE_NONE)
			order[n++] = p->order[i];
	hot = n;
	for (int cold = 0; cold < 2; cold++)
		for (size_t i = 0; i < p->norder; i++) {
			const struct unit *u = &p->units[p->order[i]];

			if (u->hot == PROFILE_NONE && u->cold == cold)
				order[n++] = p->order[i];
		}
	memcpy(p->order, order, n * sizeof *order);
	free(order);
	return hot;
}

// The units of a stretch of a run as bits.
static void add_units(const struct arrangement *a, const struct program *p, const struct profile_window *w, uint64_t *units)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < w->n; k++)
			if (p->units[a->items[i].unit].hot == w->functions[k])
				units[i / 64] |= (uint64_t)1 << i % 64;
}

// Counts a stretch.
static void add_stretch(struct arrangement *a, const uint64_t *units)
{
	struct stretch *s = a->stretches;

	for (size_t i = 0; i < a->nstretches; i++, s++)
		if (memcmp(s->units, units, a->unit_words * sizeof *units) == 0) {
			s->count += s->count < MAX_COUNT;
			return;
		}
	a->stretches = xgrow(a->stretches, &a->stretches_cap, a->nstretches + 1, sizeof *a->stretches);
	s = &a->stretches[a->nstretches++];
	*s = (struct stretch){ xcalloc(a->unit_words, sizeof *units), 1 };
	memcpy(s->units, units, a->unit_words * sizeof *units);
}

// Stretches of `scale` windows each.
static void add_run(struct arrangement *a, const struct profile_run *run, uint64_t *const *of_window, size_t scale)
{
	uint64_t *units = xcalloc(a->unit_words, sizeof *units);

	for (size_t i = 0; i < run->n; i++) {
		for (size_t k = 0; k < a->unit_words; k++)
			units[k] |= of_window[run->windows[i]][k];
		if ((i + 1) % scale && i + 1 < run->n)
			continue;
		add_stretch(a, units);
		memset(units, 0, a->unit_words * sizeof *units);
	}
	free(units);
}

static void find_stretches(struct arrangement *a, const struct program *p, const struct profile *f)
{
	uint64_t **of_window = xcalloc(f->nwindows, sizeof *of_window);

	a->unit_words = (a->n + 63) / 64;
	for (size_t i = 0; i < f->nwindows; i++) {
		of_window[i] = xcalloc(a->unit_words, sizeof **of_window);
		add_units(a, p, &f->windows[i], of_window[i]);
	}
	for (size_t i = 0; i < f->nruns; i++)
		for (size_t scale = 1; scale <= MAX_SCALE; scale *= 2)
			add_run(a, &f->runs[i], of_window, scale);
	for (size_t i = 0; i < f->nwindows; i++)
		free(of_window[i]);
	free(of_window);
}

// For each unit the stretches it is in.
static void transpose(struct arrangement *a)
{
	size_t bits = 0;

	for (size_t i = 0; i < a->nstretches; i++)
		bits += a->stretches[i].count;
	a->words = (bits + 63) / 64;
	for (size_t i = 0; i < a->n; i++) {
		a->items[i].stretches = xcalloc(a->words, sizeof(uint64_t));
		bits = 0;
		for (size_t k = 0; k < a->nstretches; k++)
			for (unsigned c = 0; c < a->stretches[k].count; c++, bits++)
				a->items[i].stretches[bits / 64] |= (a->stretches[k].units[i / 64] >> i % 64 & 1) << bits % 64;
	}
}

// Ends a page: what it and, behind every second one, its sector cost.
static unsigned end_page(struct arrangement *a, unsigned page)
{
	unsigned cost = 0;

	for (size_t i = 0; i < a->words; i++) {
		cost += (unsigned)__builtin_popcountll(a->page[i]);
		a->sector[i] |= a->page[i];
		a->page[i] = 0;
		if (page % 2) {
			cost += (unsigned)__builtin_popcountll(a->sector[i]);
			a->sector[i] = 0;
		}
	}
	return cost;
}

static void touch(struct arrangement *a, const struct item *item)
{
	for (size_t i = 0; i < a->words; i++)
		a->page[i] |= item->stretches[i];
}

// Where the next unit is laid out, and the cost of the pages before.
struct cursor {
	unsigned page, offset, cost;
};

// Lays out a unit as layout.c does it, more or less.
static void place(struct arrangement *a, struct item *item, struct cursor *c)
{
	unsigned bytes = item->bytes;

	if (c->offset + bytes > OXE_PAGE_USED && (bytes <= OXE_PAGE_USED || c->offset + LOST >= OXE_PAGE_USED)) {
		c->cost += end_page(a, c->page++);
		c->offset = 0;
	}
	item->page = c->page;
	item->offset = c->offset;
	item->before = c->cost;
	touch(a, item);
	while (c->offset + bytes > OXE_PAGE_USED) {
		bytes -= OXE_PAGE_USED - LOST - c->offset;
		c->cost += end_page(a, c->page++);
		c->offset = 0;
		touch(a, item);
	}
	c->offset += bytes;
}

static bool begins_sector(const struct item *item)
{
	return item->page % 2 == 0 && item->offset == 0;
}

// Lays out the units again whose places a change of items first to last may move, and finds the cost: pages and sectors
// used, over all stretches. What lies behind the first sector that begins with the same unit as before does not move.
static void place_from(struct arrangement *a, size_t first, size_t last)
{
	struct cursor c = { 0, 1, 0 };

	while (first && !begins_sector(&a->was[--first]))
		;
	if (first)
		c = (struct cursor){ a->was[first].page, 0, a->was[first].before };
	for (size_t i = first; i < a->n; i++) {
		place(a, &a->items[i], &c);
		if (i <= last || !begins_sector(&a->items[i]) || !begins_sector(&a->was[i]) || a->items[i].page != a->was[i].page)
			continue;
		a->cost += a->items[i].before - a->was[i].before;
		memset(a->page, 0, a->words * sizeof *a->page);
		for (unsigned more = a->items[i].before - a->was[i].before; more && i < a->n; i++)
			a->items[i].before = a->was[i].before + more;
		return;
	}
	c.cost += end_page(a, c.page++);
	a->cost = c.cost + (c.page % 2 ? end_page(a, c.page) : 0);
}

static void start(struct arrangement *a, const struct program *p, const struct profile *f)
{
	a->items = xcalloc(a->n, sizeof *a->items);
	a->was = xcalloc(a->n, sizeof *a->was);
	for (size_t i = 0; i < a->n; i++)
		a->items[i] = (struct item){ .unit = p->order[i], .bytes = unit_bytes(p, &p->units[p->order[i]]) };
	find_stretches(a, p, f);
	transpose(a);
	a->page = xcalloc(a->words, sizeof *a->page);
	a->sector = xcalloc(a->words, sizeof *a->sector);
	a->random = 1;
	place_from(a, 0, a->n);
}

static void finish(struct arrangement *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->items[i].stretches);
	for (size_t i = 0; i < a->nstretches; i++)
		free(a->stretches[i].units);
	free(a->stretches);
	free(a->items);
	free(a->was);
	free(a->page);
	free(a->sector);
}

static size_t pick(struct arrangement *a, size_t n)
{
	a->random = a->random * 1664525 + 1013904223;
	return (size_t)((uint64_t)a->random * n >> 32);
}

static void move(struct arrangement *a, size_t from, size_t to)
{
	struct item item = a->items[from];

	if (from < to)
		memmove(&a->items[from], &a->items[from + 1], (to - from) * sizeof item);
	else
		memmove(&a->items[to + 1], &a->items[to], (from - to) * sizeof item);
	a->items[to] = item;
}

static void swap(struct arrangement *a, size_t i, size_t k)
{
	struct item item = a->items[i];

	a->items[i] = a->items[k];
	a->items[k] = item;
}

// Tries a change; it stays when the cost does not grow by more than a limit.
static void try_change(struct arrangement *a, unsigned limit)
{
	size_t i = pick(a, a->n), k = pick(a, a->n);
	unsigned before = a->cost;

	memcpy(a->was, a->items, a->n * sizeof *a->items);
	(pick(a, 2) ? swap : move)(a, i, k);
	place_from(a, i < k ? i : k, i < k ? k : i);
	if (a->cost <= before + limit)
		return;
	memcpy(a->items, a->was, a->n * sizeof *a->items);
	a->cost = before;
}

static void improve(struct arrangement *a)
{
	size_t tries = a->n * TRIES;
	unsigned worst = a->cost / START;

	for (size_t t = 0; t < tries; t++)
		try_change(a, (unsigned)((uint64_t)worst * (tries - t) / tries));
}

void arrange(struct program *p, const struct profile *f)
{
	struct arrangement a = { 0 };

	p->nhot = a.n = hot_first(p);
	if (!a.n)
		return;
	start(&a, p, f);
	improve(&a);
	for (size_t i = 0; i < a.n; i++) {
		p->order[i] = a.items[i].unit;
		if (i && !a.items[i].offset)
			p->units[a.items[i].unit].begins = a.items[i].page % 2 ? BEGINS_HALF : BEGINS_SECTOR;
	}
	finish(&a);
}
