// SPDX-License-Identifier: ISC
//
// The 64 KB data space of a process on the host.
#include "space.h"

#include "diag.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void allow(struct space *s, uint32_t from, uint32_t to, unsigned how)
{
	for (uint32_t page = from / SPACE_PAGE; page < (to + SPACE_PAGE - 1) / SPACE_PAGE; page++)
		s->may[page] = (uint8_t)how;
}

void space_open(struct space *s, const struct space_sizes *z)
{
	*s = (struct space){ .heap_start = z->data_end, .heap_end = z->data_end + z->heap, .stack_low = OXE_DATA_END - z->stack };
	s->mem = mmap(NULL, OXE_DATA_END, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->mem == MAP_FAILED)
		die("no memory for the data space");
	allow(s, OXE_DATA_BASE, z->heap ? z->data_end + z->heap : s->stack_low, SPACE_READ | SPACE_WRITE);
	allow(s, OXE_DATA_BASE, z->rodata_end, SPACE_READ);
	allow(s, s->stack_low, OXE_DATA_END, SPACE_READ | SPACE_WRITE);
}

void space_unshare(struct space *s)
{
	uint8_t *copy = xcalloc(1, OXE_DATA_END);

	memcpy(copy, s->mem, OXE_DATA_END);
	if (mmap(s->mem, OXE_DATA_END, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		die("no memory for the data space");
	memcpy(s->mem, copy, OXE_DATA_END);
	free(copy);
}

int space_brk(struct space *s, uint32_t end)
{
	uint32_t from = (s->heap_start + SPACE_PAGE - 1) / SPACE_PAGE * SPACE_PAGE;

	if (end < s->heap_start || end > s->stack_low)
		return -1;
	allow(s, from, s->stack_low, 0);
	if (end > from)
		allow(s, from, end, SPACE_READ | SPACE_WRITE);
	return 0;
}

bool space_allows(const struct space *s, uint32_t addr, uint32_t n, unsigned how)
{
	if (n == 0)
		return true;
	if (addr >= OXE_DATA_END || n > OXE_DATA_END - addr)
		return false;
	for (uint32_t page = addr / SPACE_PAGE; page <= (addr + n - 1) / SPACE_PAGE; page++)
		if ((s->may[page] & how) != how)
			return false;
	return true;
}

static uint32_t count(char *const list[], uint32_t *bytes)
{
	uint32_t n = 0;

	for (; list[n]; n++)
		*bytes += (uint32_t)strlen(list[n]) + 1;
	return n;
}

// Writes the pointers at *at and the strings at *text.
static void put_list(struct space *s, char *const list[], uint32_t *at, uint32_t *text)
{
	for (; *list; list++, *at += 4) {
		size_t n = strlen(*list) + 1;

		space_put_word(s, *at, *text);
		memcpy(s->mem + *text, *list, n);
		*text += (uint32_t)n;
	}
	space_put_word(s, *at, 0);
	*at += 4;
}

// The stack grows by what exceeds OXE_ARG_FREE, if what lies below it leaves room: as the kernel does.
static bool grow_stack(struct space *s, uint32_t total)
{
	uint32_t more = total > OXE_ARG_FREE ? (total - OXE_ARG_FREE + SPACE_PAGE - 1) / SPACE_PAGE * SPACE_PAGE : 0;

	if (s->stack_low < s->heap_end + more)
		return false;
	s->stack_low -= more;
	allow(s, s->stack_low, OXE_DATA_END, SPACE_READ | SPACE_WRITE);
	return true;
}

uint32_t space_arguments(struct space *s, char *const argv[], char *const envp[])
{
	uint32_t bytes = 0, argc = count(argv, &bytes), envc = count(envp, &bytes);
	uint32_t pointers = 4 * (1 + argc + 1 + envc + 1), total = pointers + ((bytes + 3) & ~3u);
	uint32_t sp = OXE_DATA_END - total, at = sp, text = sp + pointers;

	if (total > OXE_ARG_MAX || !grow_stack(s, total))
		return 0;
	refs_add(s->refs, REF_DATA, sp, OXE_DATA_END - 1);
	space_put_word(s, at, argc);
	at += 4;
	put_list(s, argv, &at, &text);
	put_list(s, envp, &at, &text);
	return sp;
}
