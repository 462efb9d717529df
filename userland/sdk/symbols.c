// SPDX-License-Identifier: ISC
//
// Function names and ELF addresses from a map file of oxpack (OXE.md has the format).
#include "diag.h"
#include "disasm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
	unsigned place; // page << 8 | offset
	uint32_t elf_addr;
	const char *name;
	bool function;
	uint32_t start, size; // ELF address and size of the function
};

struct symbols {
	struct row *rows;
	size_t n, cap;
	uint64_t build;
};

static void add(struct symbols *s, struct row row)
{
	s->rows = xgrow(s->rows, &s->cap, s->n + 1, sizeof *s->rows);
	s->rows[s->n++] = row;
}

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return y->function - x->function;
}

static void read_line(struct symbols *s, const char *line, struct row *function)
{
	unsigned page, offset, addr, size;
	char name[256];

	if (sscanf(line, "F %x:%x %x %x %255s", &page, &offset, &addr, &size, name) == 5) {
		*function = (struct row){ page << 8 | offset, addr, xstrdup(name), true, addr, size };
		add(s, *function);
	} else if (sscanf(line, "I %x:%x %x", &page, &offset, &addr) == 3) {
		add(s, (struct row){ page << 8 | offset, addr, function->name, false, function->start, function->size });
	} else if (line[0] == 'B') {
		s->build = strtoull(line + 1, NULL, 16);
	}
}

struct symbols *symbols_read(const char *path)
{
	struct symbols *s = xcalloc(1, sizeof *s);
	FILE *in = fopen(path, "r");
	struct row function = { 0 };
	char *line = NULL;
	size_t size = 0;

	if (!in)
		die("%s: %s", path, strerror(errno));
	while (getline(&line, &size, in) >= 0)
		read_line(s, line, &function);
	free(line);
	fclose(in);
	if (!s->n)
		die("%s: not a map of oxpack", path);
	qsort(s->rows, s->n, sizeof *s->rows, by_place);
	return s;
}

void symbols_free(struct symbols *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->rows[i].function)
			free((char *)s->rows[i].name);
	free(s->rows);
	free(s);
}

uint64_t symbols_build(const struct symbols *s)
{
	return s->build;
}

// Last row at or before a place, the first of those at the same place; NULL when there is none.
static const struct row *find(const struct symbols *s, unsigned place)
{
	const struct row *best = NULL;

	for (size_t low = 0, high = s->n; low < high;) {
		size_t mid = (low + high) / 2;

		if (s->rows[mid].place <= place) {
			best = &s->rows[mid];
			low = mid + 1;
		} else {
			high = mid;
		}
	}
	while (best && best > s->rows && best[-1].place == best->place)
		best--;
	return best;
}

const char *symbol_at(const struct symbols *s, unsigned page, unsigned offset)
{
	const struct row *row = s ? find(s, page << 8 | offset) : NULL;

	return row && row->function && row->place == (page << 8 | offset) ? row->name : NULL;
}

const char *symbol_in(const struct symbols *s, unsigned page, unsigned offset, uint32_t *elf_addr)
{
	const struct row *row = s ? find(s, page << 8 | offset) : NULL;

	if (elf_addr)
		*elf_addr = row ? row->elf_addr : 0;
	return row ? row->name : NULL;
}

bool symbol_insn(const struct symbols *s, unsigned page, unsigned offset, uint32_t *elf_addr)
{
	const struct row *row = find(s, page << 8 | offset);

	if (!row || row->place != (page << 8 | offset))
		return false;
	*elf_addr = row->elf_addr;
	return true;
}

bool symbol_place(const struct symbols *s, unsigned page, unsigned offset, struct symbol_place *at)
{
	const struct row *row = s ? find(s, page << 8 | offset) : NULL, *next;

	if (!row || row->place != (page << 8 | offset) || !row->name)
		return false;
	for (next = row + 1; next < s->rows + s->n && next->place == row->place; next++)
		;
	*at = (struct symbol_place){ row->name, row->size, row->elf_addr - row->start, row->size };
	if (next < s->rows + s->n && next->start == row->start)
		at->insn_end = next->elf_addr > row->elf_addr ? next->elf_addr - row->start : at->insn + 4;
	return true;
}
