// SPDX-License-Identifier: ISC
//
// Counts in memory and as text.
#include "counts.h"

#include "diag.h"
#include "profile.h"

#include <errno.h>
#include <inttypes.h>
#include <octix/oxe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[] = "octix counts 1\n";

static void put(struct counts *c, uint32_t addr, uint64_t n)
{
	c->list = xgrow(c->list, &c->cap, c->n + 1, sizeof *c->list);
	c->list[c->n++] = (struct count){ addr, n };
}

static int by_addr(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

// Sorts, and adds up what has the same address.
static void settle(struct counts *c)
{
	size_t n = 0;

	if (c->n)
		qsort(c->list, c->n, sizeof *c->list, by_addr);
	for (size_t i = 0; i < c->n; i++) {
		if (n && c->list[n - 1].addr == c->list[i].addr)
			c->list[n - 1].n += c->list[i].n;
		else
			c->list[n++] = c->list[i];
	}
	c->n = n;
}

void counts_read(struct counts *c, const char *path)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	uint32_t addr;
	uint64_t n;
	char end;

	if (!in)
		die("%s: %s", path, strerror(errno));
	for (unsigned number = 1; getline(&line, &size, in) >= 0; number++) {
		if (number == 1 ? strcmp(line, magic) != 0 : sscanf(line, "%" SCNx32 " %" SCNx64 "%c", &addr, &n, &end) != 3 || end != '\n')
			die("%s:%u: not a line of counts", path, number);
		if (number > 1)
			put(c, addr, n);
	}
	if (ferror(in))
		die("%s: %s", path, strerror(errno));
	free(line);
	fclose(in);
	settle(c);
}

static void counts_write(const struct counts *c, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		die("%s: %s", path, strerror(errno));
	fputs(magic, out);
	for (size_t i = 0; i < c->n; i++)
		fprintf(out, "%" PRIx32 " %" PRIx64 "\n", c->list[i].addr, c->list[i].n);
	if (fclose(out))
		die("%s: %s", path, strerror(errno));
}

void counts_add(const char *path, const struct symbols *map, const uint64_t *runs, uint32_t bytes)
{
	struct counts c = { 0 };
	uint32_t addr;
	int lock = profile_lock(path);

	if (lseek(lock, 0, SEEK_END) > 0)
		counts_read(&c, path);
	for (uint32_t pc = 0; pc < bytes; pc++)
		if (runs[pc] && symbol_insn(map, pc / OXE_PAGE, pc % OXE_PAGE, &addr))
			put(&c, addr, runs[pc]);
	settle(&c);
	counts_write(&c, path);
	close(lock);
	free(c.list);
}
