// SPDX-License-Identifier: ISC
//
// The 64 KB data space of a process on the host: which pages exist, which may be written, where the heap ends.
#ifndef SDK_SPACE_H
#define SDK_SPACE_H

#include "refs.h"

#include <octix/oxe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPACE_PAGE = 512, SPACE_PAGES = 65536 / SPACE_PAGE };

enum { SPACE_READ = 1, SPACE_WRITE = 2 };

struct space {
	uint8_t *mem;               // 64 KB, shared with a vfork child
	uint8_t may[SPACE_PAGES];   // SPACE_READ | SPACE_WRITE
	uint32_t heap_start;        // lowest heap address
	uint32_t heap_end;          // behind data and the heap that the header asks for
	uint32_t stack_low;         // lowest stack address
	struct refs *refs;          // what is used goes there, NULL: nowhere
};

// Sizes of a program, as its header or its ELF file gives them.
struct space_sizes {
	uint32_t rodata_end; // behind read-only data, 0x200 when there is none
	uint32_t data_end, heap, stack;
};

// Makes a zeroed space with the pages of such a program.
void space_open(struct space *s, const struct space_sizes *sizes);

// In a child process: a copy of its own instead of the memory that it shares, at the same address.
void space_unshare(struct space *s);

// Sets the end of the heap. Returns 0, or -1 when it meets the stack or lies below the heap's start.
int space_brk(struct space *s, uint32_t end);

// True when all n bytes at addr exist and allow `how`. n = 0 is always allowed.
bool space_allows(const struct space *s, uint32_t addr, uint32_t n, unsigned how);

// Puts argc, argv and envp (NULL-terminated lists) at the top of the stack as the kernel does.
// Returns the stack pointer, or 0 when they exceed OXE_ARG_MAX bytes or what there is room for.
uint32_t space_arguments(struct space *s, char *const argv[], char *const envp[]);

static inline uint32_t space_word(const struct space *s, uint32_t addr)
{
	const uint8_t *p = s->mem + addr;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void space_put_word(struct space *s, uint32_t addr, uint32_t v)
{
	for (int i = 0; i < 4; i++, v >>= 8)
		s->mem[addr + (uint32_t)i] = (uint8_t)v;
}

#endif
