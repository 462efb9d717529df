// SPDX-License-Identifier: ISC
//
// What oxpack -v prints about a packed program.
#include "diag.h"
#include "oxefile.h"
#include "pack.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned words_reached(const struct program *p)
{
	unsigned words = 0;

	for (size_t i = 0; i < p->norder; i++)
		words += p->units[p->order[i]].words;
	return words;
}

static unsigned bss_bytes(const struct elf *e)
{
	unsigned bytes = 0;

	for (size_t i = 0; i < e->nsections; i++)
		if (e->sections[i].alloc && !e->sections[i].bits && !e->sections[i].exec && !e->sections[i].tls)
			bytes += e->sections[i].size;
	return bytes;
}

static void print_sizes(const struct program *p)
{
	const struct elf *e = p->elf;
	unsigned room = p->npages * OXE_PAGE, bytes = 4 * words_reached(p);

	printf("rv32 text %u bytes in %zu units (%u bytes left out)\n", bytes, p->norder, (unsigned)(4 * p->ninsns) - bytes);
	printf("bytecode %zu bytes, %u pages, padding %.1f %%, %.2f of the rv32 text\n", p->code_bytes, p->npages,
	       100.0 * (room - p->code_bytes) / room, bytes ? (double)p->code_bytes / bytes : 0);
	printf("rodata %u, data %u, bss %u, heap %u, stack %u bytes\n", e->rodata_end - OXE_DATA_BASE, e->data_bytes,
	       bss_bytes(e), e->heap, e->stack);
}

// Units in more than one page can only be those that fit none.
static void print_jumps(const struct program *p)
{
	unsigned branches = 0, far = 0, torn = 0;

	for (size_t i = 0; i < p->nouts; i++) {
		branches += p->outs[i].op == OP_j || op_is_branch(p->outs[i].op);
		far += (p->outs[i].op == OP_j || op_is_branch(p->outs[i].op)) && p->outs[i].far;
	}
	for (size_t i = 0; i < p->norder; i++) {
		const struct unit *u = &p->units[p->order[i]];

		torn += u->nouts && p->outs[u->out].page != p->outs[u->out + u->nouts - 1].page;
	}
	printf("jumps and branches %u, %u of them far; units in several pages %u\n", branches, far, torn);
}

static const unsigned *counted;

static int by_count(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	if (counted[x] != counted[y])
		return counted[x] < counted[y] ? 1 : -1;
	return x < y ? -1 : 1;
}

// Instructions as they stand in the file.
static void print_forms(const struct program *p)
{
	unsigned count[OP_COUNT] = { 0 }, ops[OP_COUNT];
	const uint8_t *code = p->file + OXE_SECTOR;

	for (unsigned page = 0; page < p->npages; page++) {
		struct op_insn insn;

		for (unsigned at = 0; at < OXE_PAGE_USED && code[page * OXE_PAGE + at] != OP_pgend; at += insn.bytes) {
			op_decode(&code[page * OXE_PAGE + at], OXE_PAGE_USED - at, &insn);
			count[insn.op]++;
		}
	}
	for (unsigned op = 0; op < OP_COUNT; op++)
		ops[op] = op;
	counted = count;
	qsort(ops, OP_COUNT, sizeof *ops, by_count);
	printf("instructions by form:\n");
	for (unsigned i = 0; i < OP_COUNT && count[ops[i]]; i++)
		printf("%8u %8u bytes  %s\n", count[ops[i]], count[ops[i]] * op_bytes(ops[i]), op_name(ops[i]));
}

void print_stats(const struct program *p)
{
	print_sizes(p);
	print_jumps(p);
	print_forms(p);
}
