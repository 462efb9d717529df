// SPDX-License-Identifier: ISC
//
// Bytecode as text.
#ifndef SDK_DISASM_H
#define SDK_DISASM_H

#include "ops.h"

#include <stdbool.h>

// Writes an instruction as text ("addi8 a0, 5, a1") into at most n bytes.
void disassemble(const struct op_insn *insn, char *text, size_t n);

// Names of functions from a map file of oxpack.
struct symbols;

// Reads a map; dies when that fails.
struct symbols *symbols_read(const char *path);
void symbols_free(struct symbols *s);

// Build id of the program that the map is for, 0: the map does not say.
uint64_t symbols_build(const struct symbols *s);

// Name of the function that begins exactly at the place, or NULL.
const char *symbol_at(const struct symbols *s, unsigned page, unsigned offset);

// Name of the function that holds the place, or NULL; *elf_addr gets its instruction's ELF address, or 0.
const char *symbol_in(const struct symbols *s, unsigned page, unsigned offset, uint32_t *elf_addr);

// The ELF address of the instruction that begins exactly at the place; false when the map has none.
bool symbol_insn(const struct symbols *s, unsigned page, unsigned offset, uint32_t *elf_addr);

// Where an instruction comes from: its function, that one's size, and its own offsets in it, in bytes of RV32 code.
struct symbol_place {
	const char *name;
	uint32_t size, insn, insn_end;
};

// Fills *at for the instruction at exactly this place; false when the map has none.
bool symbol_place(const struct symbols *s, unsigned page, unsigned offset, struct symbol_place *at);

#endif
