// SPDX-License-Identifier: ISC
//
// oxdump: shows an OXE file (header, sections, disassembly), or checks it.
#include "diag.h"
#include "disasm.h"
#include "oxefile.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: oxdump [--map FILE] [--header] FILE...\n"
	"       oxdump --check FILE...\n"
	"Shows the header, the sections and the bytecode of OXE files.\n"
	"  --map FILE  names of functions and ELF addresses, from oxpack --map\n"
	"  --header    header and sections only\n"
	"  --check     print nothing but what is wrong\n"
	"Exit status: 0 good, 1 a file is broken or cannot be read, 2 wrong usage.\n";

static void print_fault(void *path, const char *text)
{
	printf("%s: %s\n", (const char *)path, text);
}

static const char *section_name(unsigned type)
{
	static const char *const names[] = { "end", "code", "rodata", "data" };

	return type <= OXE_SEC_DATA ? names[type] : "unknown";
}

static void show_sections(const struct oxe_header *h)
{
	printf("  # type     address sector   bytes\n");
	for (unsigned i = 0; i < h->sections; i++) {
		const struct oxe_section *s = &h->u.section[i];

		printf(" %2u %-8s  0x%04x %6u %7u\n", i, section_name(s->type), s->addr, s->sector, (unsigned)s->bytes);
	}
}

static void show_header(const struct oxe_file *f, const char *path)
{
	const struct oxe_header *h = f->header;

	printf("%s: OXE format %u, bytecode %u, abi %u, build ", path, h->format, h->bytecode, h->abi);
	for (int i = 7; i >= 0; i--)
		printf("%02x", h->build_id[i]);
	if (h->type == OXE_ALIAS) {
		printf("\nalias of %s\n", h->u.alias);
		return;
	}
	printf("\nentry %04x:%02x, data end 0x%04x, stack %u, heap %u\n", codeptr_page(h->entry), codeptr_offset(h->entry),
	       h->data_end, h->stack, h->heap);
	show_sections(h);
}

static void show_bytes(const uint8_t *p, unsigned n)
{
	for (unsigned i = 0; i < OXE_OP_MAX; i++)
		printf(i < n ? "%02x " : "   ", p[i]);
}

static void show_target(const struct op_insn *insn, const struct symbols *map)
{
	const char *name = NULL;

	if (map && strchr(op_form(insn->op), 'F'))
		name = symbol_in(map, codeptr_page(insn->target), codeptr_offset(insn->target), NULL);
	if (name)
		printf("  <%s>", name);
}

static void show_insn(const uint8_t *p, unsigned page, unsigned offset, const struct op_insn *insn,
		      const struct symbols *map)
{
	char text[80];
	uint32_t addr = 0;
	const char *name = symbol_at(map, page, offset);

	if (name)
		printf("\n%s:\n", name);
	disassemble(insn, text, sizeof text);
	printf("%04x:%02x  ", page, offset);
	symbol_in(map, page, offset, &addr);
	if (map)
		printf("%08x  ", addr);
	show_bytes(p, insn->bytes);
	printf(" %s", text);
	show_target(insn, map);
	putchar('\n');
}

static void show_page(const uint8_t *p, unsigned page, const struct symbols *map)
{
	struct op_insn insn;

	for (unsigned offset = 0; offset < OXE_PAGE_USED && p[offset] != OP_pgend; offset += insn.bytes) {
		if (op_decode(p + offset, OXE_PAGE_USED - offset, &insn)) {
			printf("%04x:%02x  %02x: not an instruction\n", page, offset, p[offset]);
			return;
		}
		show_insn(p + offset, page, offset, &insn, map);
	}
}

static void show(const struct oxe_file *f, const char *path, const struct symbols *map, int header_only)
{
	show_header(f, path);
	if (f->header->type == OXE_ALIAS || header_only)
		return;
	for (unsigned page = 0; page < oxe_pages(f); page++)
		show_page(oxe_bytes(f, f->code) + page * OXE_PAGE, page, map);
}

static unsigned check(struct oxe_file *f, const char *path)
{
	unsigned faults = oxe_check_header(f, print_fault, (void *)path);

	if (!faults && f->code)
		faults = oxe_check_crcs(f, print_fault, (void *)path);
	if (!faults && f->code)
		faults = oxe_check_code(f, print_fault, (void *)path);
	return faults;
}

static int one(const char *path, const struct symbols *map, int header_only, int check_only)
{
	struct oxe_file f;
	const char *failed = oxe_read(path, &f);
	unsigned faults;

	if (failed) {
		warn("%s: %s", path, failed);
		return EXIT_FAILURE;
	}
	faults = check_only ? check(&f, path) : oxe_check_header(&f, print_fault, (void *)path);
	if (!faults && !check_only)
		show(&f, path, map, header_only);
	oxe_free(&f);
	return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "map", required_argument, NULL, 'm' }, { "header", no_argument, NULL, 'H' },
						 { "check", no_argument, NULL, 'c' }, { "help", no_argument, NULL, 'h' }, { 0 } };
	struct symbols *map = NULL;
	int header_only = 0, check_only = 0, status = 0, c;

	diag_name = "oxdump";
	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'm')
			map = symbols_read(optarg);
		else if (c == 'H')
			header_only = 1;
		else if (c == 'c')
			check_only = 1;
		else
			return fputs(usage, c == 'h' ? stdout : stderr), c == 'h' ? 0 : EXIT_USAGE;
	}
	if (optind == argc)
		return fputs(usage, stderr), EXIT_USAGE;
	for (int i = optind; i < argc; i++)
		status |= one(argv[i], map, header_only, check_only);
	return status;
}
