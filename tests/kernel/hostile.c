// SPDX-License-Identifier: ISC
//
// Hostile code pages: each opcode with its operand bytes at edges, then random ones: random bytes, valid opcodes with hostile operands, pages of a real program with flipped bits.
#include "hostile.h"

#include <stdio.h>
#include <string.h>

#include <octix/oxe.h>

#include "../../userland/sdk/oxefile.h"
#include "../../userland/sdk/ops.h"

enum { RODATA_SECTORS = 4, CODE_SECTORS = HOSTILE_PAGES / 2, DATA_END = OXE_DATA_BASE + RODATA_SECTORS * OXE_SECTOR };

_Static_assert(DATA_END >> 8 == HOSTILE_READ_ONLY_END, "read-only data");

static uint64_t state = 1;
static struct oxe_file donor;

void hostile_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15 | 1;
}

uint32_t hostile_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static uint32_t below(uint32_t n)
{
	return hostile_random() % n;
}

const char *hostile_donor(const char *path)
{
	const char *failed = oxe_read(path, &donor);

	if (!failed && oxe_check_header(&donor, NULL, NULL))
		failed = "not a good OXE file";
	return failed;
}

// ---- operands

static uint8_t random_register(void)
{
	switch (below(8)) {
	case 0: return (uint8_t)(0xfd + below(3));      // reaches into the next page
	case 1: return (uint8_t)hostile_random();
	case 2: return 8;                               // sp
	}
	return (uint8_t)(4 * below(16));
}

static uint8_t random_byte(void)
{
	static const uint8_t edges[] = { 0, 1, 2, 3, 64, 127, 128, 254, 255 };

	return below(2) ? edges[below(sizeof edges)] : (uint8_t)hostile_random();
}

// Mostly a page of the program; index and tag may have their unused bits set.
static uint32_t random_code_pointer(void)
{
	uint32_t page = below(8) ? below(HOSTILE_PAGES) : below(0x10000), offset = below(8) ? below(250) : below(256);
	uint32_t odd = below(4) ? 0 : hostile_random() & 0xff808100;

	return (offset | (page & 63) << 9 | (page >> 6) << 16) ^ odd;
}

static uint16_t random_address(void)
{
	static const uint16_t edges[] = { 0, 1, 0x1fc, 0x1fd, 0x1ff, 0x200, DATA_END - 1, DATA_END, 0xfffc, 0xfffd, 0xffff };

	switch (below(8)) {
	case 0: return edges[below(sizeof edges / sizeof edges[0])];
	case 1: return (uint16_t)(hostile_random() | 0xfc); // the end of a page
	}
	return (uint16_t)(DATA_END + below(0x10000 - DATA_END));
}

uint32_t hostile_value(void)
{
	switch (below(6)) {
	case 0: return hostile_random();
	case 1: return random_code_pointer();
	case 2: return random_byte();
	}
	return random_address();
}

static uint8_t *random_operand(uint8_t *to, char letter)
{
	uint32_t v = 0;
	unsigned bytes = 1;

	switch (letter) {
	case 'r':
	case 'd': v = random_register(); break;
	case 'i': v = random_byte(); break;
	case 'b': v = below(16) ? 4 + below(246) : below(256); break;
	case 'a':
	case 'A': return to;
	case 'I': v = random_address(); bytes = 2; break;
	case 'F': v = random_code_pointer(); bytes = 3; break;
	case 'L': v = hostile_value(); bytes = 4; break;
	}
	for (; bytes--; v >>= 8)
		*to++ = (uint8_t)v;
	return to;
}

// ---- pages

static void random_bytes(uint8_t *page)
{
	for (unsigned i = 4; i < OXE_PAGE_USED; i++)
		page[i] = (uint8_t)hostile_random();
}

// Instructions with operands as a program's compiler would never choose them; the last one may hang over the end.
static void random_instructions(uint8_t *page)
{
	uint8_t bytes[OXE_PAGE_USED + OXE_OP_MAX], *to = bytes + 4;

	while (to < bytes + OXE_PAGE_USED) {
		unsigned op = below(200) ? below(4) ? OP_j + below(OP_COUNT - OP_j) : OP_nmemcpy + below(OP_COUNT - OP_nmemcpy) : below(256);

		*to++ = (uint8_t)op;
		for (const char *f = op < OP_COUNT ? op_form(op) : ""; *f; f++)
			to = random_operand(to, *f);
	}
	memcpy(page + 4, bytes + 4, OXE_PAGE_USED - 4);
}

static void mutated(uint8_t *page)
{
	unsigned n = oxe_pages(&donor);

	memcpy(page + 4, oxe_bytes(&donor, donor.code) + below(n) * OXE_PAGE + 4, OXE_PAGE_USED - 4);
	for (unsigned flips = 1 + below(16); flips--;)
		page[4 + below(OXE_PAGE_USED - 4)] ^= (uint8_t)(1 << below(8));
}

// One opcode over and over; each operand byte is the one before plus `step`.
static void one_opcode(uint8_t *page, unsigned op, uint8_t first, uint8_t step)
{
	unsigned at = 4;

	while (at < OXE_PAGE_USED) {
		unsigned bytes = op_bytes(op);

		page[at++] = (uint8_t)op;
		for (uint8_t operand = first; --bytes && at < OXE_PAGE_USED; operand = (uint8_t)(operand + step))
			page[at++] = operand;
	}
}

void hostile_page(uint8_t *page, unsigned long n)
{
	static const uint8_t operands[] = { 0xff, 0xfd, 0xfe, 0, 8, 0x80 };
	unsigned how = below(8);

	if (n < OP_COUNT * sizeof operands)
		one_opcode(page, (unsigned)(n % OP_COUNT), operands[n / OP_COUNT], 0);
	else if (how > 5)
		one_opcode(page, below(2) ? below(OP_COUNT) : OP_nmemcpy + below(OP_COUNT - OP_nmemcpy), (uint8_t)(4 * below(16)), 4);
	else if (how == 0)
		random_bytes(page);
	else if (how < 3 && donor.code)
		mutated(page);
	else
		random_instructions(page);
}

void hostile_exit(uint8_t *page, uint8_t status)
{
	const uint8_t code[] = { OP_li8, 0, 4 * 5, OP_li8, status, 4 * 10, OP_ecall }; // _exit is call 0

	for (unsigned at = 4; at + sizeof code <= OXE_PAGE_USED; at += sizeof code)
		memcpy(page + at, code, sizeof code);
}

// ---- the file

static void make_header(struct oxe_header *h)
{
	*h = (struct oxe_header){ .magic = OXE_MAGIC, .format = OXE_FORMAT, .bytecode = OXE_BYTECODE, .abi = OXE_ABI,
				  .entry = HOSTILE_ENTRY, .data_end = DATA_END, .stack = 1024, .sections = 2 };
	h->u.section[0] = (struct oxe_section){ .type = OXE_SEC_CODE, .sector = 1, .bytes = CODE_SECTORS * OXE_SECTOR };
	h->u.section[1] = (struct oxe_section){ .type = OXE_SEC_RODATA, .addr = OXE_DATA_BASE, .sector = 1 + CODE_SECTORS,
						.bytes = RODATA_SECTORS * OXE_SECTOR };
}

int hostile_seal(const char *path)
{
	uint8_t header[OXE_SECTOR];
	FILE *f = fopen(path, "r+b");
	int bad;

	if (!f)
		return -1;
	bad = fread(header, sizeof header, 1, f) != 1 || fseek(f, 0, SEEK_SET);
	oxe_seal(header);
	bad = bad || fwrite(header, sizeof header, 1, f) != 1;
	return fclose(f) || bad ? -1 : 0;
}

int hostile_write(const char *path)
{
	static uint8_t bytes[(1 + CODE_SECTORS + RODATA_SECTORS) * OXE_SECTOR];
	uint8_t *code = bytes + OXE_SECTOR;
	FILE *f = fopen(path, "wb");
	size_t written;

	make_header((struct oxe_header *)bytes);
	oxe_seal(bytes);
	for (unsigned page = 0; page < HOSTILE_PAGES; page++) {
		memset(code + page * OXE_PAGE, OP_pgend, OXE_PAGE);
		memcpy(code + page * OXE_PAGE, HOSTILE_MARK, 4);
		hostile_page(code + page * OXE_PAGE, page);
		if (page & 1)
			oxe_seal(code + (page - 1) * OXE_PAGE);
	}
	if (!f)
		return -1;
	written = fwrite(bytes, sizeof bytes, 1, f);
	return fclose(f) || written != 1 ? -1 : 0;
}
