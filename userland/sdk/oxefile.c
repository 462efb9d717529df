// SPDX-License-Identifier: ISC
//
// OXE files as bytes: reading, the CRC, header and section checks.
#include "oxefile.h"

#include "diag.h"
#include "ops.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

uint16_t oxe_crc(const uint8_t *p, size_t n)
{
	uint16_t crc = 0;

	while (n--) {
		crc ^= (uint16_t)(*p++ << 8);
		for (int bit = 0; bit < 8; bit++)
			crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
	}
	return crc;
}

void oxe_seal(uint8_t *sector)
{
	uint16_t crc = oxe_crc(sector, OXE_SECTOR - 2);

	sector[OXE_SECTOR - 2] = (uint8_t)(crc >> 8);
	sector[OXE_SECTOR - 1] = (uint8_t)crc;
}

static const char *slurp(FILE *in, struct oxe_file *f)
{
	size_t cap = 0;

	for (size_t n = 1; n;) {
		f->bytes = xgrow(f->bytes, &cap, f->size + OXE_SECTOR, 1);
		n = fread(f->bytes + f->size, 1, cap - f->size, in);
		f->size += n;
	}
	return ferror(in) ? strerror(errno) : NULL;
}

const char *oxe_read(const char *path, struct oxe_file *f)
{
	struct stat st;
	const char *fault;
	FILE *in = fopen(path, "rb");

	*f = (struct oxe_file){ 0 };
	if (!in)
		return strerror(errno);
	if (!fstat(fileno(in), &st) && S_ISDIR(st.st_mode))
		fault = strerror(EISDIR);
	else
		fault = slurp(in, f);
	fclose(in);
	f->header = (const struct oxe_header *)f->bytes;
	return fault;
}

void oxe_free(struct oxe_file *f)
{
	free(f->bytes);
	*f = (struct oxe_file){ 0 };
}

const uint8_t *oxe_bytes(const struct oxe_file *f, const struct oxe_section *s)
{
	return f->bytes + (size_t)s->sector * OXE_SECTOR;
}

unsigned oxe_pages(const struct oxe_file *f)
{
	return f->code ? f->code->bytes / OXE_PAGE : 0;
}

// Faults are counted here and handed to the caller's report.
struct checker {
	oxe_report *report;
	void *arg;
	unsigned faults;
};

static void fault(struct checker *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void fault(struct checker *c, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	c->faults++;
	if (c->report)
		c->report(c->arg, text);
}

static int check_identity(const struct oxe_file *f, struct checker *c)
{
	const struct oxe_header *h = f->header;

	if (f->size < OXE_SECTOR) {
		fault(c, "file is %zu bytes, shorter than the 512-byte header", f->size);
		return -1;
	}
	if (memcmp(h->magic, OXE_MAGIC, 4)) {
		fault(c, "not an OXE file: it begins %02x %02x %02x %02x", h->magic[0], h->magic[1], h->magic[2], h->magic[3]);
		return -1;
	}
	if (oxe_crc(f->bytes, OXE_SECTOR))
		fault(c, "header CRC is %02x%02x, should be %04x", h->crc[0], h->crc[1], oxe_crc(f->bytes, OXE_SECTOR - 2));
	if (h->format != OXE_FORMAT)
		fault(c, "header format %u, this tool knows %u", h->format, OXE_FORMAT);
	if (h->bytecode != OXE_BYTECODE)
		fault(c, "bytecode version %u, this tool knows %u", h->bytecode, OXE_BYTECODE);
	if (h->abi != OXE_ABI)
		fault(c, "system call ABI %u, this tool knows %u", h->abi, OXE_ABI);
	if (h->type > OXE_ALIAS)
		fault(c, "file type %u is neither program nor alias", h->type);
	return 0;
}

static void check_alias(const struct oxe_header *h, struct checker *c)
{
	if (!memchr(h->u.alias, 0, OXE_ALIAS_MAX))
		fault(c, "alias target has no end");
	else if (h->u.alias[0] != '/')
		fault(c, "alias target \"%s\" is not an absolute path", h->u.alias);
}

static void check_extent(const struct oxe_file *f, unsigned i, struct checker *c)
{
	const struct oxe_section *s = &f->header->u.section[i];
	uint64_t end = (uint64_t)s->sector * OXE_SECTOR + (s->bytes + (uint64_t)OXE_SECTOR - 1) / OXE_SECTOR * OXE_SECTOR;

	if (!s->bytes || !s->sector)
		fault(c, "section %u: empty or in the header (sector %u, %u bytes)", i, s->sector, (unsigned)s->bytes);
	else if (end > f->size)
		fault(c, "section %u: ends at byte %llu, the file at %zu", i, (unsigned long long)end, f->size);
}

static void check_code_row(const struct oxe_section *s, struct checker *c)
{
	if (s->addr)
		fault(c, "code section: address 0x%x, should be 0", s->addr);
	if (s->bytes % OXE_SECTOR)
		fault(c, "code section: %u bytes, not a multiple of 512", (unsigned)s->bytes);
	if (s->bytes / OXE_PAGE > OXE_MAX_PAGES)
		fault(c, "code section: %u pages, the limit is %u", (unsigned)(s->bytes / OXE_PAGE), OXE_MAX_PAGES);
}

static void check_data_row(const struct oxe_header *h, const struct oxe_section *s, const char *name, struct checker *c)
{
	if (s->addr % OXE_SECTOR || s->addr < OXE_DATA_BASE)
		fault(c, "%s section: address 0x%x is not a multiple of 512 from 0x200", name, s->addr);
	if (s->bytes > OXE_DATA_END || s->addr + s->bytes > h->data_end)
		fault(c, "%s section: ends at 0x%llx, behind the data end 0x%x", name,
		      (unsigned long long)s->addr + s->bytes, h->data_end);
}

// Takes the row when it is the next of its kind in the fixed order code, rodata, data.
static void take(const struct oxe_section *s, const struct oxe_section **slot, const char *name, struct checker *c)
{
	if (*slot)
		fault(c, "two %s sections", name);
	*slot = s;
}

static void check_row(struct oxe_file *f, unsigned i, struct checker *c)
{
	const struct oxe_section *s = &f->header->u.section[i];

	if (s->type > OXE_SEC_DATA)
		return;
	if (s->flags || s->reserved)
		fault(c, "section %u: reserved bytes are not 0", i);
	check_extent(f, i, c);
	if (s->type == OXE_SEC_CODE) {
		take(s, &f->code, "code", c);
		check_code_row(s, c);
	} else if (s->type == OXE_SEC_RODATA) {
		take(s, &f->rodata, "rodata", c);
		check_data_row(f->header, s, "rodata", c);
	} else if (s->type == OXE_SEC_DATA) {
		take(s, &f->data, "data", c);
		check_data_row(f->header, s, "data", c);
	} else {
		fault(c, "section %u: type 0 within the table", i);
	}
}

// Code, rodata and data stand first, in this order, and follow each other in the file.
static void check_order(const struct oxe_file *f, struct checker *c)
{
	const struct oxe_section *row = f->header->u.section;
	unsigned next = 1, last = 0;

	for (unsigned i = 0; i < f->header->sections && row[i].type && row[i].type <= OXE_SEC_DATA; i++) {
		if (row[i].type <= last)
			fault(c, "section %u: code, rodata, data are not in this order", i);
		if (row[i].sector != next)
			fault(c, "section %u: at sector %u, should follow at %u", i, row[i].sector, next);
		last = row[i].type;
		next = row[i].sector + (row[i].bytes + OXE_SECTOR - 1) / OXE_SECTOR;
	}
	if (f->rodata && f->data && f->rodata->addr + f->rodata->bytes > f->data->addr)
		fault(c, "rodata and data sections overlap");
}

// True when p points into one of the pages.
static int codeptr_fits(uint32_t p, unsigned pages)
{
	return codeptr_valid(p) && codeptr_page(p) < pages && codeptr_offset(p) < OXE_PAGE_USED;
}

static void check_program(struct oxe_file *f, struct checker *c)
{
	const struct oxe_header *h = f->header;

	if (h->sections > OXE_MAX_SECTIONS) {
		fault(c, "%u sections, the limit is %u", h->sections, OXE_MAX_SECTIONS);
		return;
	}
	for (unsigned i = 0; i < h->sections; i++)
		check_row(f, i, c);
	check_order(f, c);
	if (!f->code)
		fault(c, "no code section");
	else if (!codeptr_fits(h->entry, oxe_pages(f)))
		fault(c, "entry 0x%x is outside of the code", (unsigned)h->entry);
	if (!h->stack || h->stack % OXE_SECTOR)
		fault(c, "stack of %u bytes is not a multiple of 512", h->stack);
	if (h->data_end < OXE_DATA_BASE || h->data_end % 4)
		fault(c, "data end 0x%x is below 0x200 or not a multiple of 4", h->data_end);
	else if ((unsigned long)h->data_end + h->heap + h->stack > OXE_DATA_END)
		fault(c, "data to 0x%x, heap %u and stack %u do not fit 64 KB", h->data_end, h->heap, h->stack);
}

unsigned oxe_check_header(struct oxe_file *f, oxe_report *report, void *arg)
{
	struct checker c = { report, arg, 0 };

	f->code = f->rodata = f->data = NULL;
	if (check_identity(f, &c))
		return c.faults;
	if (f->header->type == OXE_ALIAS)
		check_alias(f->header, &c);
	else
		check_program(f, &c);
	return c.faults;
}

unsigned oxe_check_crcs(const struct oxe_file *f, oxe_report *report, void *arg)
{
	struct checker c = { report, arg, 0 };
	const uint8_t *code = f->code ? oxe_bytes(f, f->code) : NULL;

	for (unsigned i = 0; i < oxe_pages(f) / 2; i++, code += OXE_SECTOR)
		if (oxe_crc(code, OXE_SECTOR))
			fault(&c, "code sector %u (pages %u, %u): CRC is %02x%02x, should be %04x", i, 2 * i, 2 * i + 1,
			      code[510], code[511], oxe_crc(code, OXE_SECTOR - 2));
	return c.faults;
}
