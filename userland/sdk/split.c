// SPDX-License-Identifier: ISC
//
// Functions cut by the profile: what never ran becomes a unit of its own, NAME.cold, when it is worth a far jump; what
// ran stays together as NAME. Only functions of the size that the profile knows are cut: others have changed since.
#include "pack.h"

#include "diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH = 6 }; // RV32 instructions that make a jump worth it

static bool ends_block(unsigned op)
{
	return rv_is_branch(op) || op == RV_J || op == RV_JALR || op == RV_POPRET || op == RV_UNIMP || op == RV_EBREAK;
}

// The end of the block that begins at an instruction.
static uint32_t block_end(const struct program *p, uint32_t i, uint32_t end)
{
	do
		i++;
	while (i < end && !p->insns[i].leader && !ends_block(p->insns[i - 1].rv.op));
	return i;
}

// Marks the instructions of blocks that ran; blocks without code belong to the one before.
static void mark_blocks(const struct program *p, const struct unit *u, const uint8_t *ran, bool *hot)
{
	bool before = true;

	for (uint32_t i = u->start, end; i < u->end; i = end) {
		bool any = false, code = false;

		end = block_end(p, i, u->end);
		for (uint32_t k = i; k < end; k++) {
			any |= ran[k - u->start];
			code |= p->insns[k].rv.op != RV_NONE;
		}
		before = code ? any : before;
		memset(hot + i - u->start, before, end - i);
	}
}

// Cold stretches not worth a jump stay; the first instruction always does.
static void fill_gaps(bool *hot, uint32_t n)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && hot[end] == hot[i]; end++)
			;
		if (!hot[i] && (!i || end - i < WORTH))
			memset(hot + i, true, end - i);
	}
}

static const char *cold_name(const char *name)
{
	size_t n = strlen(name) + sizeof ".cold";
	char *cold = xcalloc(n, 1);

	snprintf(cold, n, "%s.cold", name);
	return cold;
}

struct parts {
	struct unit *units;
	size_t n, cap;
};

static void add_part(struct parts *to, const struct unit *part)
{
	to->units = xgrow(to->units, &to->cap, to->n + 1, sizeof *to->units);
	to->units[to->n++] = *part;
}

static void cut_unit(struct program *p, const struct unit *u, const bool *hot, struct parts *to)
{
	const char *cold = NULL;

	for (uint32_t i = u->start, end; i < u->end; i = end) {
		struct unit part = *u;

		for (end = i; end < u->end && hot[end - u->start] == hot[i - u->start]; end++)
			;
		part.start = i;
		part.end = end;
		part.sized = u->sized && end == u->end;
		if (!hot[i - u->start]) {
			part.name = cold = cold ? cold : cold_name(u->name);
			part.cold = true;
			part.hot = PROFILE_NONE;
		}
		p->insns[i].leader = true;
		add_part(to, &part);
	}
}

// The function of the profile that a unit is: the one of its size, else the only one of its name.
static uint16_t find(const struct profile *f, const struct unit *u, bool *same)
{
	uint16_t found = PROFILE_NONE;
	unsigned n = 0;

	*same = false;
	for (size_t i = 0; i < f->nfunctions; i++) {
		if (!*u->name || strcmp(f->functions[i].name, u->name) != 0)
			continue;
		*same = f->functions[i].size == 4 * (u->end - u->start);
		found = (uint16_t)i;
		if (*same)
			return found;
		n++;
	}
	return n == 1 ? found : PROFILE_NONE;
}

void split(struct program *p, const struct profile *profile)
{
	struct parts parts = { 0 };

	for (size_t n = 0; n < p->nunits; n++) {
		struct unit *u = &p->units[n];
		bool *hot = xcalloc(u->end - u->start, sizeof *hot), same;

		u->function = u->start;
		u->hot = find(profile, u, &same);
		memset(hot, true, u->end - u->start);
		if (same) {
			mark_blocks(p, u, profile->functions[u->hot].ran, hot);
			fill_gaps(hot, u->end - u->start);
		}
		cut_unit(p, u, hot, &parts);
		free(hot);
	}
	free(p->units);
	p->units = parts.units;
	p->nunits = parts.n;
	p->units_cap = parts.cap;
}

// Parts of the same function and temperature one behind the other, where the first of them stands.
void gather(struct program *p)
{
	uint32_t *order = xcalloc(p->norder, sizeof *order);
	bool *placed = xcalloc(p->nunits, sizeof *placed);
	size_t n = 0;

	for (size_t i = 0; i < p->norder; i++) {
		const struct unit *u = &p->units[p->order[i]];
		size_t k = p->order[i];

		while (k && p->units[k - 1].function == u->function)
			k--;
		for (; k < p->nunits && p->units[k].function == u->function; k++) {
			if (placed[k] || !p->units[k].reached || p->units[k].cold != u->cold)
				continue;
			placed[k] = true;
			order[n++] = (uint32_t)k;
		}
	}
	free(placed);
	free(p->order);
	p->order = order;
}

// The bytecode of such parts becomes one unit.
void join(struct program *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->norder; i++) {
		struct unit *u = &p->units[p->order[i]], *last = n ? &p->units[p->order[n - 1]] : NULL;

		if (last && u->function == last->function && u->cold == last->cold) {
			last->nouts += u->nouts;
			last->words += u->end - u->start;
		} else {
			u->words = u->end - u->start;
			p->order[n++] = p->order[i];
		}
	}
	p->norder = n;
}
