// SPDX-License-Identifier: ISC
//
// The map: where each function and each instruction went. OXE.md has its format.
#include "diag.h"
#include "pack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void map_unit(const struct program *p, const struct unit *u, FILE *out)
{
	uint32_t start = insn_addr(p, u->start), size = 4 * u->words;
	uint32_t place = place_of(p, start);

	fprintf(out, "F %04x:%02x %08x %x %s\n", codeptr_page(place), codeptr_offset(place), start, size,
		*u->name ? u->name : "?");
	for (size_t i = u->out; i < u->out + u->nouts; i++)
		fprintf(out, "I %04x:%02x %08x\n", p->outs[i].page, p->outs[i].offset, p->outs[i].from);
}

void write_map(const struct program *p, const char *path)
{
	FILE *out = fopen(path, "w");
	uint64_t id;

	if (!out)
		die("%s: %s", path, strerror(errno));
	fprintf(out, "# oxpack map: page:offset, ELF address, size, function\n");
	memcpy(&id, ((const struct oxe_header *)(const void *)p->file)->build_id, sizeof id);
	fprintf(out, "B %016" PRIx64 "\n", id);
	for (size_t i = 0; i < p->norder; i++)
		map_unit(p, &p->units[p->order[i]], out);
	if (fclose(out))
		die("%s: %s", path, strerror(errno));
}
