// SPDX-License-Identifier: ISC
// Cycles of bytecode handlers. See handlers.h.
#include "handlers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TABLE_BYTES = 512 };

static const char *const names[256] = {
#define OP(name, ...) #name,
#include <octix/opcodes.def>
#undef OP
};

static bool find(const struct program *p, const char *name, uint32_t *addr)
{
	for (size_t i = 0; i < p->count; i++) {
		if (strcmp(p->symbols[i].name, name))
			continue;
		*addr = p->symbols[i].addr;
		return true;
	}
	return false;
}

bool handlers_core(const struct program *p, uint32_t *start, uint32_t *end)
{
	return find(p, "vm_core_start", start) && find(p, "vm_core_end", end);
}

int handlers_find(struct handlers *h, const struct program *p)
{
	*h = (struct handlers){ .open = -1 };
	return handlers_core(p, &h->start, &h->end) && find(p, "vm_optab", &h->table) ? 0 : -1;
}

static void close_span(struct handlers *h, uint64_t cycle)
{
	struct handler *of = &h->of[h->open];
	uint64_t n = cycle - h->since;
	if (!of->count || n < of->least)
		of->least = n;
	if (n > of->most)
		of->most = n;
	of->count++;
	of->cycles += n;
}

void handlers_step(struct handlers *h, uint32_t pc, uint64_t cycle)
{
	if (pc < h->start || pc >= h->end) {
		h->open = -1;
		return;
	}
	if (pc < h->table || pc >= h->table + TABLE_BYTES)
		return;
	if (h->open >= 0)
		close_span(h, cycle);
	h->open = (int)(pc - h->table) / 2;
	h->since = cycle;
}

int handlers_write(const struct handlers *h, const char *path)
{
	FILE *f = fopen(path, "we");
	if (!f) {
		fprintf(stderr, "oxsim: %s: cannot be created: %m\n", path);
		return -1;
	}
	fprintf(f, "opcode\tcount\tmean\tleast\tmost\n");
	for (unsigned op = 0; op < 256; op++) {
		const struct handler *of = &h->of[op];
		if (of->count)
			fprintf(f, "%s\t%" PRIu64 "\t%.1f\t%" PRIu64 "\t%" PRIu64 "\n", names[op] ? names[op] : "?", of->count,
				(double)of->cycles / (double)of->count, of->least, of->most);
	}
	if (fclose(f)) {
		fprintf(stderr, "oxsim: %s: cannot be written: %m\n", path);
		return -1;
	}
	return 0;
}
