// SPDX-License-Identifier: ISC
//
// Reading the linked ELF file with libelf, and the checks of its layout.
#include "elfin.h"

#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CODE_END = 0x02000000 }; // text addresses end here, far above what 16,320 pages need

static void read_section(struct elf *e, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, size_t names)
{
	struct elf_section *s = &e->sections[elf_ndxscn(scn)];
	Elf_Data *data = elf_getdata(scn, NULL);

	s->name = elf_strptr(elf, names, sh->sh_name);
	s->name = s->name ? s->name : "?";
	s->addr = (uint32_t)sh->sh_addr;
	s->size = (uint32_t)sh->sh_size;
	s->alloc = sh->sh_flags & SHF_ALLOC;
	s->exec = sh->sh_flags & SHF_EXECINSTR;
	s->write = sh->sh_flags & SHF_WRITE;
	s->tls = sh->sh_flags & SHF_TLS;
	s->bits = sh->sh_type != SHT_NOBITS && s->size;
	s->bytes = data ? data->d_buf : NULL;
	if (s->alloc && s->bits && (!s->bytes || data->d_size < s->size))
		die("%s: section %s is cut off", e->path, s->name);
}

static void read_symbols(struct elf *e, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;

	e->nsymbols = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	e->symbols = xcalloc(e->nsymbols, sizeof *e->symbols);
	for (size_t i = 0; i < e->nsymbols; i++) {
		struct elf_symbol *s = &e->symbols[i];

		if (!gelf_getsym(data, (int)i, &sym))
			die("%s: symbol %zu is unreadable", e->path, i);
		s->name = elf_strptr(elf, sh->sh_link, sym.st_name);
		s->type = GELF_ST_TYPE(sym.st_info);
		s->value = (uint32_t)sym.st_value;
		s->size = (uint32_t)sym.st_size;
		s->code = sym.st_shndx < e->nsections && e->sections[sym.st_shndx].exec;
		s->func = s->type == STT_FUNC && s->code;
		s->global = GELF_ST_BIND(sym.st_info) != STB_LOCAL;
		s->absolute = sym.st_shndx == SHN_ABS;
		if (s->type == STT_SECTION && sym.st_shndx < e->nsections)
			s->name = e->sections[sym.st_shndx].name;
	}
}

static void read_relocs(struct elf *e, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Rela rela;

	if (sh->sh_info >= e->nsections || !e->sections[sh->sh_info].alloc)
		return;
	e->relocated |= e->sections[sh->sh_info].exec;
	e->relocs = xgrow(e->relocs, &e->relocs_cap, e->nrelocs + n, sizeof *e->relocs);
	for (size_t i = 0; i < n; i++) {
		struct elf_reloc *r = &e->relocs[e->nrelocs++];

		if (!gelf_getrela(data, (int)i, &rela) || GELF_R_SYM(rela.r_info) >= e->nsymbols)
			die("%s: relocation %zu of %s is unreadable", e->path, i, e->sections[sh->sh_info].name);
		r->addr = (uint32_t)rela.r_offset;
		r->symbol = (uint32_t)GELF_R_SYM(rela.r_info);
		r->type = (uint8_t)GELF_R_TYPE(rela.r_info);
		r->addend = (int32_t)rela.r_addend;
		r->value = e->symbols[r->symbol].value + (uint32_t)rela.r_addend;
		r->section = (uint16_t)sh->sh_info;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct elf_reloc *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x < y ? -1 : 1;
}

static void each_section(struct elf *e, Elf *elf, int pass)
{
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		die("%s: no section names: %s", e->path, elf_errmsg(-1));
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		if (!gelf_getshdr(scn, &sh))
			die("%s: unreadable section header: %s", e->path, elf_errmsg(-1));
		if (pass == 0)
			read_section(e, elf, scn, &sh, names);
		else if (pass == 1 && sh.sh_type == SHT_SYMTAB)
			read_symbols(e, elf, scn, &sh);
		else if (pass == 2 && sh.sh_type == SHT_RELA)
			read_relocs(e, scn, &sh);
	}
}

static void read_all(struct elf *e, Elf *elf)
{
	GElf_Ehdr eh;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh))
		die("%s: not an ELF file; link it with riscv64-unknown-elf-gcc", e->path);
	if (eh.e_ident[EI_CLASS] != ELFCLASS32 || eh.e_machine != EM_RISCV)
		die("%s: not a 32-bit RISC-V file; compile with -march=rv32em -mabi=ilp32e", e->path);
	if (eh.e_type != ET_EXEC)
		die("%s: not a linked program; link it statically first", e->path);
	e->entry = (uint32_t)eh.e_entry;
	if (elf_getshdrnum(elf, &e->nsections))
		die("%s: no sections: %s", e->path, elf_errmsg(-1));
	e->sections = xcalloc(e->nsections, sizeof *e->sections);
	for (int pass = 0; pass < 3; pass++)
		each_section(e, elf, pass);
	if (e->nrelocs)
		qsort(e->relocs, e->nrelocs, sizeof *e->relocs, by_address);
}

static void place_text(struct elf *e, const struct elf_section *s)
{
	if (s->addr % 4 || s->size % 4)
		die("%s: section %s is not made of whole 4-byte instructions; is it compiled without the C extension?",
		    e->path, s->name);
	if (s->addr < OXE_DATA_END)
		die("%s: text section %s lies at 0x%x, in the data space; link with the SDK's linker script", e->path,
		    s->name, s->addr);
	if (s->addr > CODE_END || s->size > CODE_END - s->addr)
		die("%s: text section %s lies at 0x%x, above 0x%x; link with the SDK's linker script", e->path, s->name, s->addr,
		    CODE_END);
	if (!e->text || s->addr < e->text)
		e->text = s->addr;
	if (s->addr + s->size > e->text_end)
		e->text_end = s->addr + s->size;
}

static void place_data(struct elf *e, const struct elf_section *s)
{
	uint64_t end = (uint64_t)s->addr + s->size;

	if (s->addr < OXE_DATA_BASE || end > OXE_DATA_END)
		die("%s: section %s lies at 0x%x..0x%llx; the data space is 0x200..0x10000 (64 KB for read-only data, "
		    "data, bss, heap and stack together)", e->path, s->name, s->addr, (unsigned long long)end);
	if (s->bits)
		memcpy(e->data + s->addr, s->bytes, s->size);
	if (!s->write && end > e->rodata_end)
		e->rodata_end = (uint32_t)end;
	if (s->write && s->addr < e->data_start)
		e->data_start = s->addr;
	if (s->write && s->bits && end > e->data_bytes)
		e->data_bytes = (uint32_t)end;
	if (end > e->data_end)
		e->data_end = (uint32_t)end;
}

// A page is either read-only or writable.
static void check_pages(const struct elf *e)
{
	for (size_t i = 0; i < e->nsections; i++) {
		const struct elf_section *s = &e->sections[i];

		if (s->alloc && s->size && !s->exec && !s->write && s->addr + s->size > e->data_start / OXE_SECTOR * OXE_SECTOR)
			die("%s: read-only section %s (0x%x..0x%x) shares a 512-byte page with writable data, which begins at "
			    "0x%x", e->path, s->name, s->addr, s->addr + s->size, e->data_start);
	}
}

static void place_sections(struct elf *e)
{
	e->rodata_end = OXE_DATA_BASE;
	e->data_start = OXE_DATA_END;
	e->data_end = OXE_DATA_BASE;
	for (size_t i = 0; i < e->nsections; i++) {
		const struct elf_section *s = &e->sections[i];

		if (!s->alloc || !s->size || (s->tls && !s->bits))
			continue;
		if (s->exec)
			place_text(e, s);
		else
			place_data(e, s);
	}
	if (!e->text_end)
		die("%s: no executable section", e->path);
	check_pages(e);
	e->data_start = e->data_start / OXE_SECTOR * OXE_SECTOR;
	e->data_bytes = e->data_bytes > e->data_start ? e->data_bytes - e->data_start : 0;
}

static void size_memory(struct elf *e)
{
	uint32_t end = elf_value(e, "_end", 0);

	if (end > e->data_end && end <= OXE_DATA_END)
		e->data_end = end;
	e->data_end = (e->data_end + 3) & ~3u;
	e->stack = elf_value(e, "__stack_size", 4096);
	e->heap = elf_value(e, "__heap_size", 0);
	if (!e->stack || e->stack % OXE_SECTOR || e->stack >= OXE_DATA_END)
		die("%s: __stack_size is %u; it must be a multiple of 512 below 65536", e->path, e->stack);
	if ((uint64_t)e->data_end + e->heap + e->stack > OXE_DATA_END)
		die("%s: too big for 64 KB: read-only data %u, data and bss %u, heap %u, stack %u bytes", e->path,
		    e->rodata_end - OXE_DATA_BASE, e->data_end > e->data_start ? e->data_end - e->data_start : 0, e->heap,
		    e->stack);
}

struct elf *elf_load(const char *path)
{
	struct elf *e = xcalloc(1, sizeof *e);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	e->path = path;
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		die("%s: %s", path, elf_errmsg(-1));
	read_all(e, elf); // its strings and bytes stay in use: neither elf nor fd is closed
	place_sections(e);
	size_memory(e);
	return e;
}

const struct elf_section *elf_text_section(const struct elf *e, uint32_t addr)
{
	for (size_t i = 0; i < e->nsections; i++) {
		const struct elf_section *s = &e->sections[i];

		if (s->alloc && s->exec && s->bits && addr >= s->addr && addr - s->addr < s->size)
			return s;
	}
	return NULL;
}

uint32_t elf_word(const struct elf *e, uint32_t addr)
{
	const struct elf_section *s = elf_text_section(e, addr);
	const uint8_t *p = s->bytes + (addr - s->addr);

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t elf_value(const struct elf *e, const char *name, uint32_t fallback)
{
	for (size_t i = 0; i < e->nsymbols; i++)
		if (e->symbols[i].name && e->symbols[i].global && !strcmp(e->symbols[i].name, name))
			return e->symbols[i].value;
	return fallback;
}

const char *elf_where(const struct elf *e, uint32_t addr)
{
	static char text[160];
	const struct elf_symbol *best = NULL;

	for (size_t i = 0; i < e->nsymbols; i++) {
		const struct elf_symbol *s = &e->symbols[i];

		if (s->code && s->value <= addr && (s->func || s->global) && (!best || s->value > best->value))
			best = s;
	}
	if (best)
		snprintf(text, sizeof text, "%s+0x%x", best->name, addr - best->value);
	else
		snprintf(text, sizeof text, "0x%x", addr);
	return text;
}
