// SPDX-License-Identifier: ISC
// ELF loader on libelf. simavr's own takes only .text and .data; a kernel with more sections in
// flash would lose them. Segments go by physical address, as a programmer would write them.
#include "elfload.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SRAM_BASE = 0x800000 };

static int copy_segment(Elf *elf, const GElf_Phdr *ph, uint8_t *flash, uint32_t size,
			struct program *out, char *err, size_t errlen)
{
	size_t total;
	char *raw = elf_rawfile(elf, &total);
	if (ph->p_type != PT_LOAD || !ph->p_filesz || ph->p_paddr >= SRAM_BASE)
		return 0;
	if (!raw || ph->p_offset > total || ph->p_filesz > total - ph->p_offset) {
		snprintf(err, errlen, "a segment lies outside the file: it is cut short");
		return -1;
	}
	if (ph->p_filesz > size || ph->p_paddr > size - ph->p_filesz) {
		snprintf(err, errlen, "segment 0x%llx..0x%llx does not fit into %u bytes of flash",
			 (unsigned long long)ph->p_paddr,
			 (unsigned long long)(ph->p_paddr + ph->p_filesz), size);
		return -1;
	}
	memcpy(flash + ph->p_paddr, raw + ph->p_offset, ph->p_filesz);
	if (ph->p_paddr + ph->p_filesz > out->end)
		out->end = (uint32_t)(ph->p_paddr + ph->p_filesz);
	return 0;
}

static int load_segments(Elf *elf, uint8_t *flash, uint32_t size, struct program *out,
			 char *err, size_t errlen)
{
	size_t n;
	if (elf_getphdrnum(elf, &n)) {
		snprintf(err, errlen, "no program headers: is this a linked ELF file?");
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;
		if (gelf_getphdr(elf, (int)i, &ph) &&
		    copy_segment(elf, &ph, flash, size, out, err, errlen))
			return -1;
	}
	if (out->end)
		return 0;
	snprintf(err, errlen, "nothing in it goes to flash");
	return -1;
}

static void add_symbol(struct symbol **list, size_t *count, const char *name, uint32_t addr)
{
	if ((*count & (*count - 1)) == 0) {
		size_t room = *count ? *count * 2 : 1;
		struct symbol *grown = realloc(*list, room * sizeof *grown);
		if (!grown)
			return;
		*list = grown;
	}
	char *copy = strdup(name);
	if (copy)
		(*list)[(*count)++] = (struct symbol){ addr, copy };
}

static void take_symbol(struct program *p, const char *name, const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);
	if (!name || !*name)
		return;
	if (!strcmp(name, "__heap_start") || !strcmp(name, "_end"))
		p->data_end = (uint32_t)sym->st_value - SRAM_BASE;
	if (!strcmp(name, "__stack"))
		p->stack_top = (uint32_t)sym->st_value & 0xffff;
	if (sym->st_value < SRAM_BASE && sym->st_shndx != SHN_ABS && sym->st_shndx != SHN_UNDEF &&
	    (type == STT_FUNC || type == STT_NOTYPE) && name[0] != '.')
		add_symbol(&p->symbols, &p->count, name, (uint32_t)sym->st_value);
	if (sym->st_value > SRAM_BASE && sym->st_value < SRAM_BASE + 0x10000 && type != STT_SECTION)
		add_symbol(&p->data, &p->data_count, name, (uint32_t)sym->st_value - SRAM_BASE);
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void load_symbols(Elf *elf, struct program *p)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB || !sh.sh_entsize)
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		GElf_Sym sym;
		for (size_t i = 0; data && i < sh.sh_size / sh.sh_entsize; i++)
			if (gelf_getsym(data, (int)i, &sym))
				take_symbol(p, elf_strptr(elf, sh.sh_link, sym.st_name), &sym);
	}
	if (p->count)
		qsort(p->symbols, p->count, sizeof *p->symbols, by_address);
}

static int load_elf(Elf *elf, uint8_t *flash, uint32_t size, struct program *out,
		    char *err, size_t errlen)
{
	GElf_Ehdr eh;
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &eh)) {
		snprintf(err, errlen, "not an ELF file");
		return -1;
	}
	if (eh.e_machine != EM_AVR) {
		snprintf(err, errlen, "an ELF file, but not for AVR (machine %u)", eh.e_machine);
		return -1;
	}
	if (load_segments(elf, flash, size, out, err, errlen))
		return -1;
	load_symbols(elf, out);
	return 0;
}

int elf_load(const char *path, uint8_t *flash, uint32_t size, struct program *out,
	     char *err, size_t errlen)
{
	memset(out, 0, sizeof *out);
	elf_version(EV_CURRENT);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(err, errlen, "cannot be opened: %m");
		return -1;
	}
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int rc = load_elf(elf, flash, size, out, err, errlen);
	elf_end(elf);
	close(fd);
	return rc;
}

void elf_where(const struct program *p, uint32_t addr, char *buf, size_t len)
{
	const struct symbol *best = NULL;
	for (size_t i = 0; i < p->count && p->symbols[i].addr <= addr; i++)
		best = &p->symbols[i];
	if (!best || addr >= p->end)
		snprintf(buf, len, "outside the program");
	else
		snprintf(buf, len, "%s+0x%x", best->name, addr - best->addr);
}

static uint32_t find(const struct symbol *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(list[i].name, name))
			return list[i].addr;
	return 0;
}

uint32_t elf_code(const struct program *p, const char *name)
{
	return find(p->symbols, p->count, name);
}

uint16_t elf_variable(const struct program *p, const char *name)
{
	return (uint16_t)find(p->data, p->data_count, name);
}

static void free_symbols(struct symbol *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].name);
	free(list);
}

void elf_free(struct program *p)
{
	free_symbols(p->symbols, p->count);
	free_symbols(p->data, p->data_count);
	memset(p, 0, sizeof *p);
}
