// SPDX-License-Identifier: ISC
//
// The reference string of a run. While it goes to and fro between two pages, nothing is written: that changes neither what is
// resident nor, when it ends, the order of last use. So the string is short, and exact for two frames and more.
#include "refs.h"

#include "diag.h"

#include <errno.h>
#include <octix/oxe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

struct ref {
	enum ref_kind kind;
	uint32_t page;
};

struct refs {
	const char *path;
	FILE *out;
	struct ref last, before; // the last two that are written
	bool swapped;            // the run is on `before` again
};

struct refs *refs_open(const char *path)
{
	struct refs *r = xcalloc(1, sizeof *r);

	r->path = path;
	r->out = fopen(path, "we");
	if (!r->out)
		die("%s: %s", path, strerror(errno));
	fputs("octix pages 1\n", r->out);
	return r;
}

static bool same(struct ref a, struct ref b)
{
	return a.kind == b.kind && a.page == b.page;
}

static void put(struct refs *r, struct ref ref)
{
	fprintf(r->out, "%c%x\n", ref.kind, ref.page);
	r->before = r->last;
	r->last = ref;
	r->swapped = false;
}

static void add(struct refs *r, struct ref ref)
{
	if (same(ref, r->last)) {
		r->swapped = false;
	} else if (same(ref, r->before)) {
		r->swapped = true;
	} else {
		if (r->swapped)
			put(r, r->before);
		put(r, ref);
	}
}

void refs_add(struct refs *r, enum ref_kind kind, uint32_t first, uint32_t last)
{
	for (uint32_t page = first / OXE_PAGE; r && page <= last / OXE_PAGE; page++)
		add(r, (struct ref){ kind, page });
}

void refs_leave(struct refs *r)
{
	__fpurge(r->out);
	fclose(r->out);
	free(r);
}

void refs_close(struct refs *r)
{
	bool failed = ferror(r->out);

	if (fclose(r->out) || failed)
		die("%s: %s", r->path, strerror(errno));
	free(r);
}
