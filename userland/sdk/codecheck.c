// SPDX-License-Identifier: ISC
//
// The code of an OXE file checked: every page is instructions, then page ends; targets are starts of instructions.
#include "diag.h"
#include "ops.h"
#include "oxefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct code {
	const uint8_t *bytes;
	unsigned pages;
	uint8_t *starts; // for each byte: an instruction, or the page end behind the last one, begins here
	oxe_report *report;
	void *arg;
	unsigned faults;
};

static void fault(struct code *c, size_t at, const char *what, unsigned value)
{
	char text[160];

	c->faults++;
	snprintf(text, sizeof text, "page %zu offset 0x%02zx: %s 0x%x", at / OXE_PAGE, at % OXE_PAGE, what, value);
	if (c->report)
		c->report(c->arg, text);
}

// Page ends fill the page from `offset` up to the place of the CRC.
static void check_tail(struct code *c, size_t page, unsigned offset)
{
	unsigned end = page & 1 ? OXE_PAGE - 2 : OXE_PAGE;

	for (; offset < end; offset++)
		if (c->bytes[page * OXE_PAGE + offset] != OP_pgend)
			fault(c, page * OXE_PAGE + offset, "not a page end behind the last instruction: byte", c->bytes[page * OXE_PAGE + offset]);
}

static void sweep_page(struct code *c, size_t page)
{
	unsigned offset = 0;
	struct op_insn insn;

	while (offset < OXE_PAGE_USED) {
		size_t at = page * OXE_PAGE + offset;

		if (c->bytes[at] == OP_pgend)
			break;
		if (op_decode(c->bytes + at, OXE_PAGE_USED - offset, &insn)) {
			fault(c, at, "no instruction, or one that is torn by the page's end: opcode", c->bytes[at]);
			return;
		}
		c->starts[at] = 1;
		offset += insn.bytes;
	}
	c->starts[page * OXE_PAGE + offset] = 1;
	check_tail(c, page, offset);
}

static void check_target(struct code *c, size_t at, const struct op_insn *insn, char letter)
{
	uint32_t target = insn->target;

	if (letter == 'b')
		target = (uint32_t)(at / OXE_PAGE * OXE_PAGE) + insn->target;
	else if (letter != 'F')
		return;
	else if (!codeptr_valid(target) || codeptr_page(target) >= c->pages)
		target = UINT32_MAX;
	else
		target = codeptr_page(target) * OXE_PAGE + codeptr_offset(target);
	if (target == UINT32_MAX || !c->starts[target])
		fault(c, at, "jumps into the middle of something: target", insn->target);
}

static void check_insn(struct code *c, size_t at)
{
	struct op_insn insn;

	if (op_decode(c->bytes + at, OXE_PAGE_USED - at % OXE_PAGE, &insn))
		return;
	for (unsigned i = 0; i < insn.registers; i++)
		if (insn.r[i] == 255)
			fault(c, at, "operand is not a register in instruction with opcode", insn.op);
	if ((insn.op == OP_push || insn.op == OP_pop || insn.op == OP_popret) && (insn.value < 1 || insn.value > 3))
		fault(c, at, "registers pushed or popped are not 1 to 3:", insn.value);
	for (const char *f = op_form(insn.op); *f; f++)
		check_target(c, at, &insn, *f);
}

unsigned oxe_check_code(const struct oxe_file *f, oxe_report *report, void *arg)
{
	struct code c = { .pages = oxe_pages(f), .report = report, .arg = arg };

	if (!f->code)
		return 0;
	c.bytes = oxe_bytes(f, f->code);
	c.starts = xcalloc((size_t)c.pages * OXE_PAGE, 1);
	for (size_t page = 0; page < c.pages; page++)
		sweep_page(&c, page);
	for (size_t at = 0; at < (size_t)c.pages * OXE_PAGE; at++)
		if (c.starts[at])
			check_insn(&c, at);
	if (c.bytes[0] != OP_trap)
		fault(&c, 0, "code pointer 0 does not trap: opcode", c.bytes[0]);
	if (!c.starts[codeptr_page(f->header->entry) * OXE_PAGE + codeptr_offset(f->header->entry)])
		fault(&c, 0, "entry is not an instruction:", f->header->entry);
	free(c.starts);
	return c.faults;
}
