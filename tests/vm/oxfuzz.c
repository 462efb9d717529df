// SPDX-License-Identifier: ISC
//
// oxfuzz: runs random code pages in oxrun's machine, which must only ever end in a clean way. Built with the
// sanitizers: a fault of the host shows as their report.
//
//   oxfuzz RUNS [SEED]    half of the runs are random bytes, half are random instructions with plausible operands
#include "diag.h"
#include "vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES = 8, MAX_INSNS = 2000 };

static uint64_t state;

static uint32_t random32(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

// Operands that are registers, targets in the code, and the rest random.
static uint8_t *random_operand(uint8_t *to, char letter)
{
	uint32_t v = letter == 'r' || letter == 'd' ? (random32() % 200 ? 4 + random32() % 15 * 4 : random32() % 256) : letter == 'b' ? random32() % 250 : random32();

	if (letter == 'F')
		v = codeptr(random32() % PAGES, random32() % 250);
	for (unsigned n = op_operand_bytes(letter); n--; v >>= 8)
		*to++ = (uint8_t)v;
	return to;
}

static void random_page(uint8_t *page)
{
	unsigned at = 0;
	uint8_t *to;

	while (at < OXE_PAGE_USED) {
		unsigned op = random32() % 100 < 98 ? OP_ebreak + random32() % (OP_COUNT - OP_ebreak) : random32() % 256;

		if (at + op_bytes(op) > OXE_PAGE_USED)
			break;
		page[at] = (uint8_t)op;
		to = page + at + 1;
		for (const char *f = op < OP_COUNT ? op_form(op) : ""; *f; f++)
			to = random_operand(to, *f);
		at += op_bytes(op);
	}
}

static void fill(uint8_t *code, unsigned plausible)
{
	for (unsigned i = 0; i < PAGES * OXE_PAGE; i++)
		code[i] = (uint8_t)random32();
	for (unsigned page = 0; plausible && page < PAGES; page++)
		random_page(code + page * OXE_PAGE);
}

// No system calls: they are the host's.
static void forbid_calls(uint8_t *code)
{
	for (unsigned i = 0; i < PAGES * OXE_PAGE; i++)
		if (code[i] == OP_ecall)
			code[i] = OP_ebreak;
}

static int one_run(unsigned plausible)
{
	static uint8_t bytes[OXE_SECTOR * (1 + PAGES / 2)];
	struct oxe_header h = { .magic = OXE_MAGIC, .format = OXE_FORMAT, .bytecode = OXE_BYTECODE, .abi = OXE_ABI,
				.entry = codeptr(0, 1), .data_end = 0x400, .stack = 4096, .sections = 1 };
	struct oxe_file f = { .bytes = bytes, .size = sizeof bytes, .header = (struct oxe_header *)bytes };
	struct vm v = { .name = "fuzz", .quiet = true, .max_insns = MAX_INSNS };
	int status;

	h.u.section[0] = (struct oxe_section){ .type = OXE_SEC_CODE, .sector = 1, .bytes = PAGES * OXE_PAGE };
	memcpy(bytes, &h, sizeof h);
	fill(bytes + OXE_SECTOR, plausible);
	forbid_calls(bytes + OXE_SECTOR);
	oxe_seal(bytes);
	if (oxe_check_header(&f, NULL, NULL))
		die("the fuzzer's header is wrong");
	vm_load(&v, &f);
	for (int r = 1; r < 16; r++)
		v.cpu.r[r] = random32() % 3 ? random32() & 0xffff : random32();
	v.cpu.r[2] = 0xff00;
	status = vm_run(&v);
	vm_free(&v);
	return status;
}

int main(int argc, char **argv)
{
	unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000, ended[256] = { 0 };

	diag_name = "oxfuzz";
	state = (argc > 2 ? strtoull(argv[2], NULL, 0) : 1) * 0x9e3779b97f4a7c15 | 1;
	for (unsigned long i = 0; i < runs; i++)
		ended[one_run(i & 1) & 255]++;
	for (unsigned status = 0; status < 256; status++)
		if (ended[status])
			printf("%lu runs ended with status %u\n", ended[status], status);
	return 0;
}
