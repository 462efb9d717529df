// SPDX-License-Identifier: ISC
//
// The finished file looked at once more: whatever this finds is a fault of the packer.
#include "diag.h"
#include "oxefile.h"
#include "pack.h"

static void report(void *path, const char *text)
{
	warn("%s: internal: %s", (const char *)path, text);
}

static unsigned straddling(const struct program *p)
{
	unsigned faults = 0;

	for (size_t n = 0; n < p->norder; n++) {
		const struct unit *u = &p->units[p->order[n]];
		unsigned bytes = 0;

		if (!u->nouts)
			continue;
		for (size_t i = 0; i < u->nouts; i++)
			bytes += out_bytes(&p->outs[u->out + i]);
		if (bytes > OXE_PAGE_USED || p->outs[u->out].page == p->outs[u->out + u->nouts - 1].page)
			continue;
		warn("%s: internal: %s (%u bytes) straddles two pages", p->elf->path, u->name, bytes);
		faults++;
	}
	return faults;
}

void verify(struct program *p)
{
	struct oxe_file f = { .bytes = p->file, .size = p->file_size, .header = (const struct oxe_header *)p->file };
	char *path = (char *)p->elf->path;
	unsigned faults = oxe_check_header(&f, report, path);

	if (!faults)
		faults = oxe_check_crcs(&f, report, path) + oxe_check_code(&f, report, path) + straddling(p);
	if (faults)
		die("%s: the packed file has %u faults; this is a bug of oxpack", path, faults);
}
