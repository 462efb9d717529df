// SPDX-License-Identifier: ISC
// Loads an AVR ELF file into a flash image and keeps its code symbols for messages.
#ifndef SIM_ELFLOAD_H
#define SIM_ELFLOAD_H

#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint32_t addr;          // byte address in flash, or in SRAM
	char *name;
};

struct program {
	struct symbol *symbols; // of code, sorted by address
	size_t count;
	struct symbol *data;    // of variables in SRAM
	size_t data_count;
	uint32_t end;           // one past the last byte loaded
	uint32_t data_end;      // end of .data and .bss in SRAM (symbol __heap_start or _end), 0 unknown
	uint32_t stack_top;     // where the stack begins (symbol __stack), 0 unknown
};

// Copies every PT_LOAD segment whose physical address lies below 0x800000 to flash[address].
// flash has size bytes, erased (0xFF) by the caller. Returns 0, or -1 with a message in err.
int elf_load(const char *path, uint8_t *flash, uint32_t size, struct program *out,
	     char *err, size_t errlen);

// Writes "name+0x12" for a byte address, or "outside the program".
void elf_where(const struct program *p, uint32_t addr, char *buf, size_t len);

// Address of a symbol of code or of a variable in SRAM; 0: there is none.
uint32_t elf_code(const struct program *p, const char *name);
uint16_t elf_variable(const struct program *p, const char *name);

void elf_free(struct program *p);

#endif
