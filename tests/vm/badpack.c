// SPDX-License-Identifier: ISC
//
// oxpack with a fault built in, by the environment variable BREAK: "straddle" moves the last instruction of a function that fits a page
// into another one, "torn" makes an instruction of the last page's last byte. What it packs must be refused.
#include "../../userland/sdk/diag.h"
#include "../../userland/sdk/oxefile.h"
#include "../../userland/sdk/pack.h"

#include <stdlib.h>
#include <string.h>

void __real_layout(struct program *p, const struct profile *profile);
void __wrap_layout(struct program *p, const struct profile *profile);
void __real_emit(struct program *p);
void __wrap_emit(struct program *p);

static bool broken(const char *how)
{
	const char *wanted = getenv("BREAK");

	return wanted && strcmp(wanted, how) == 0;
}

static bool last_of_page(const struct program *p, const struct out *o)
{
	for (size_t i = 0; i < p->nouts; i++)
		if (p->outs[i].page == o->page && p->outs[i].offset > o->offset)
			return false;
	return true;
}

static bool is_target(const struct program *p, const struct out *o)
{
	for (size_t i = 0; i < p->nouts; i++)
		if (p->outs[i].target && place_of(p, p->outs[i].target) == codeptr(o->page, o->offset))
			return true;
	return false;
}

void __wrap_layout(struct program *p, const struct profile *profile)
{
	__real_layout(p, profile);
	for (size_t n = 0; broken("straddle") && n < p->norder; n++) {
		const struct unit *u = &p->units[p->order[n]];
		struct out *last = &p->outs[u->out + u->nouts - 1];

		if (u->nouts < 2 || p->outs[u->out].page != last->page || last->target || !last_of_page(p, last) || is_target(p, last))
			continue;
		last->page = (uint16_t)p->npages;
		last->offset = 0;
		p->npages += 2;
		return;
	}
	if (broken("straddle"))
		die("nothing to break");
}

void __wrap_emit(struct program *p)
{
	uint8_t *page;
	unsigned at = OXE_PAGE_USED;

	__real_emit(p);
	if (!broken("torn"))
		return;
	page = p->file + OXE_SECTOR + p->by_place[p->nouts - 1]->page * (size_t)OXE_PAGE;
	while (page[--at] == OP_pgend)
		page[at] = OP_ebreak;
	page[OXE_PAGE_USED - 1] = OP_lw16;
	oxe_seal(p->file + OXE_SECTOR + p->by_place[p->nouts - 1]->page / 2 * (size_t)OXE_SECTOR);
}
