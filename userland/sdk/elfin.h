// SPDX-License-Identifier: ISC
//
// The linked ELF file as the packer and the reference interpreter see it: text words, the 64 KB data image,
// symbols and relocations. Everything that Octix cannot run is refused here, with the reason.
#ifndef SDK_ELFIN_H
#define SDK_ELFIN_H

#include <octix/oxe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_section {
	const char *name;
	uint32_t addr, size;
	bool alloc, exec, write, tls, bits; // bits: has bytes in the file
	const uint8_t *bytes;
};

struct elf_symbol {
	const char *name;
	uint32_t value, size;
	bool code;     // defined in an executable section
	bool func;     // STT_FUNC
	bool global;   // global or weak
	bool absolute;
	uint8_t type;  // STT_*
};

struct elf_reloc {
	uint32_t addr;   // where it applies
	uint32_t symbol; // index
	uint32_t value;  // symbol + addend
	int32_t addend;
	uint8_t type;    // R_RISCV_*
	uint16_t section; // index of the section it applies to
};

struct elf {
	const char *path;
	struct elf_section *sections;
	size_t nsections;
	struct elf_symbol *symbols;
	size_t nsymbols;
	struct elf_reloc *relocs; // of allocated sections, by address
	size_t nrelocs, relocs_cap;
	uint32_t entry;
	uint32_t text, text_end;  // addresses
	uint8_t data[OXE_DATA_END]; // image of the data space
	uint32_t rodata_end;      // 0x200 when there is none
	uint32_t data_start, data_bytes; // initialised, start a multiple of 512; bytes 0 when there is none
	uint32_t data_end;        // behind bss, rounded up to 4
	uint32_t stack, heap;     // bytes
	bool relocated;           // the file holds relocations for its text
};

// Reads and checks a linked ELF file; dies with a message.
struct elf *elf_load(const char *path);

// The section that holds the text address, or NULL.
const struct elf_section *elf_text_section(const struct elf *e, uint32_t addr);

// Text word at an address that elf_text_section() knows.
uint32_t elf_word(const struct elf *e, uint32_t addr);

// Value of a symbol, or the fallback when it is missing.
uint32_t elf_value(const struct elf *e, const char *name, uint32_t fallback);

// "name+0x12" of the function that holds a text address; a static buffer.
const char *elf_where(const struct elf *e, uint32_t addr);

#endif
