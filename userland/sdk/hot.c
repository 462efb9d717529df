// SPDX-License-Identifier: ISC
//
// Where a run's instructions went, by function.
#include "diag.h"
#include "vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_SHOWN = 256 };

struct spot {
	char name[NAME_MAX_SHOWN];
	uint64_t insns;
};

struct spots {
	struct spot *list;
	size_t n, cap;
};

static void place_name(const struct vm *v, uint32_t pc, char *name)
{
	const char *function = symbol_in(v->map, pc / OXE_PAGE, pc % OXE_PAGE, NULL);

	if (function)
		snprintf(name, NAME_MAX_SHOWN, "%s", function);
	else
		snprintf(name, NAME_MAX_SHOWN, "page %04x", pc / OXE_PAGE);
}

static void count(struct spots *s, const char *name, uint64_t insns)
{
	struct spot *spot;

	for (size_t i = s->n; i--;)
		if (!strcmp(s->list[i].name, name)) {
			s->list[i].insns += insns;
			return;
		}
	s->list = xgrow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	spot = &s->list[s->n++];
	snprintf(spot->name, sizeof spot->name, "%s", name);
	spot->insns = insns;
}

static int by_insns(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->insns != y->insns)
		return x->insns < y->insns ? 1 : -1;
	return strcmp(x->name, y->name);
}

void vm_hot(const struct vm *v)
{
	struct spots s = { 0 };
	char name[NAME_MAX_SHOWN];

	for (uint32_t pc = 0; pc < v->pages * (uint32_t)OXE_PAGE; pc++) {
		if (!v->per_place[pc])
			continue;
		place_name(v, pc, name);
		count(&s, name, v->per_place[pc]);
	}
	if (s.n)
		qsort(s.list, s.n, sizeof *s.list, by_insns);
	fprintf(stderr, "instructions   share  %s\n", v->map ? "function" : "code page (for functions: --map)");
	for (size_t i = 0; i < s.n; i++)
		fprintf(stderr, "%12llu %5.1f %%  %s\n", (unsigned long long)s.list[i].insns,
			100.0 * (double)s.list[i].insns / (double)v->insns, s.list[i].name);
	free(s.list);
}
