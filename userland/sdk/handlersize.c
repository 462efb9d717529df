// SPDX-License-Identifier: ISC
//
// Sizes of handlers from the symbols of a kernel.
#include "handlersize.h"

#include "diag.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLASH_END = 0x800000 }; // of AVR addresses: SRAM lies above

struct place {
	uint32_t addr;
	unsigned op; // OP_COUNT: no handler
};

static unsigned op_of(const char *symbol)
{
	unsigned op = 0;

	if (!symbol || strncmp(symbol, "h_", 2) != 0)
		return OP_COUNT;
	while (op < OP_COUNT && strcmp(op_name(op), symbol + 2) != 0)
		op++;
	return op;
}

static int by_addr(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static size_t read_symbols(Elf *elf, struct place **places)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t n = 0, cap = 0;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Sym symbol;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE || symbol.st_value >= FLASH_END)
				continue;
			*places = xgrow(*places, &cap, n + 1, sizeof **places);
			(*places)[n++] = (struct place){ (uint32_t)symbol.st_value, op_of(elf_strptr(elf, header.sh_link, symbol.st_name)) };
		}
	}
	if (n)
		qsort(*places, n, sizeof **places, by_addr);
	return n;
}

void handler_sizes(const char *kernel, unsigned sizes[OP_COUNT])
{
	int fd = open(kernel, O_RDONLY | O_CLOEXEC);
	struct place *places = NULL;
	bool found[OP_COUNT] = { 0 };
	Elf *elf;
	size_t n;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		die("%s: cannot be read as an ELF file", kernel);
	n = read_symbols(elf, &places);
	for (size_t i = 0, next; i < n; i++) {
		if (places[i].op == OP_COUNT)
			continue;
		for (next = i; next < n && places[next].addr == places[i].addr; next++)
			;
		found[places[i].op] = true;
		sizes[places[i].op] = next < n ? places[next].addr - places[i].addr : 0;
	}
	for (unsigned op = 0; op < OP_COUNT; op++)
		if (!found[op])
			die("%s: has no handler h_%s; is it a kernel of these sources, with its symbols?", kernel, op_name(op));
	free(places);
	elf_end(elf);
	close(fd);
}
