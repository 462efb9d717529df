// SPDX-License-Identifier: ISC
//
// execve: reads the OXE header, builds a new data space with the arguments at its top, and only when all is there
// lets go of the old one. Nothing is loaded: the first instruction faults its page in.

#include "kernel/exec.h"

#include <string.h>

#include <util/crc16.h>

#include <octix/errno.h>
#include <octix/oxe.h>

#include "fs/fs.h"
#include "kernel/file.h"
#include "kernel/print.h"
#include "kernel/slots.h"
#include "kernel/user.h"
#include "vm/pager.h"
#include "vm/pool.h"

// ---- the file

// Says on the console what is wrong with the program in PATH_A.
static int8_t refuse(const char *why)
{
	print_ram(PATH_A);
	print(P(": "));
	print(why);
	print(P("\n"));
	return -OX_ENOEXEC;
}

// CRC16 as SD has it: 0 over bytes that end with their own.
static uint16_t crc16(const uint8_t *p, uint16_t n)
{
	uint16_t crc = 0;

	while (n--)
		crc = _crc_xmodem_update(crc, *p++);
	return crc;
}

static int8_t check(const struct oxe_header *h)
{
	if (memcmp_P(h->magic, P(OXE_MAGIC), 4) != 0)
		return refuse(P("not an Octix program"));
	if (h->format != OXE_FORMAT)
		return refuse(P("its file format is of another version: rebuild it"));
	if (!block_sealed((const uint8_t *)h) && crc16((const uint8_t *)h, OXE_SECTOR) != 0)
		return refuse(P("its header is damaged: install it again"));
	if (h->bytecode != OXE_BYTECODE || h->abi != OXE_ABI)
		return refuse(P("made for another version of Octix: rebuild it"));
	return 0;
}

// Is section n the one expected, within the file, and right behind the sector `at`? Returns the sector behind it, or 0.
static uint16_t section(const struct oxe_header *h, uint8_t n, uint8_t type, uint16_t at, uint32_t file_sectors)
{
	const struct oxe_section *s = &h->u.section[n];
	uint32_t end = s->sector + (s->bytes + OXE_SECTOR - 1) / OXE_SECTOR;

	if (n >= h->sections || s->type != type || s->sector != at || s->bytes > 0x200000 || end > file_sectors)
		return 0;
	return (uint16_t)end;
}

// High byte of the first page behind `bytes` bytes from `addr`, in whole sectors; 0: not in the data space.
static uint8_t image_end(uint16_t addr, uint32_t bytes)
{
	uint32_t end = addr + ((bytes + OXE_SECTOR - 1) & ~(uint32_t)(OXE_SECTOR - 1));

	return addr < OXE_DATA_BASE || addr % OXE_SECTOR || end > 0xfe00 ? 0 : (uint8_t)(end >> 8);
}

// Takes code, read-only data and data from the header's first sections; unknown types behind them are skipped.
static int8_t layout(struct space *s, const struct oxe_header *h, uint32_t file_sectors)
{
	uint8_t n = 0;
	uint16_t at = section(h, n, OXE_SEC_CODE, 1, file_sectors);

	if (!at || h->u.section[0].bytes % OXE_SECTOR)
		return refuse(P("truncated or without code: install it again"));
	s->code_sector = 1;
	s->code_pages = (uint16_t)(h->u.section[0].bytes / OXE_PAGE);
	s->image_sector = at;
	s->readonly_end = s->image_end = OXE_DATA_BASE >> 8;
	for (uint8_t type = OXE_SEC_RODATA; type <= OXE_SEC_DATA; type++) {
		const struct oxe_section *row = &h->u.section[n + 1];
		uint8_t end;

		if (n + 1 >= h->sections || row->type != type)
			continue;
		at = section(h, ++n, type, at, file_sectors);
		end = image_end(row->addr, row->bytes);
		if (!at || !end || row->addr >> 8 != s->image_end)
			return refuse(P("truncated, or its data lie wrong: install it again"));
		s->image_end = end;
		if (type == OXE_SEC_RODATA)
			s->readonly_end = end;
	}
	return 0;
}

static int8_t limits(struct space *s, const struct oxe_header *h)
{
	uint16_t stack = h->stack;
	uint32_t heap_end = h->heap ? (uint32_t)h->data_end + h->heap : OXE_DATA_END - stack;

	if (stack < 1024 || stack % 512 || stack > 0xf000 || h->data_end > OXE_DATA_END - stack
	    || heap_end > OXE_DATA_END - stack || (h->data_end + 255u) >> 8 < s->image_end - 1u)
		return refuse(P("its data and stack do not fit into 64 KB"));
	s->stack_start = (uint8_t)((OXE_DATA_END - stack) >> 8);
	s->heap_end = (uint8_t)((heap_end + 255) >> 8);
	if (s->heap_end < s->image_end)
		s->heap_end = s->image_end;
	return 0;
}

// Opens PATH_A; fills the space, or follows an alias by changing PATH_A (*alias).
static int8_t load_header(struct space *s, struct file *file, struct pc *entry, bool *alias)
{
	struct oxe_header *h;
	uint32_t lba;
	int8_t error;

	if (file->flags & FILE_DIR)
		return -OX_EACCES;
	if (file->size < OXE_SECTOR)
		return refuse(P("not an Octix program"));
	if (fs_extent(file, &lba) != 0)
		return refuse(P("its clusters are not contiguous: put it on the card with `octix image put`"));
	h = (struct oxe_header *)block_get(lba);
	if (!h)
		return -OX_EIO;
	error = check(h);
	if (error == 0 && h->type == OXE_ALIAS && !*alias) {
		*alias = true;
		memcpy(PATH_A, h->u.alias, OXE_ALIAS_MAX);
		PATH_A[OXE_ALIAS_MAX - 1] = 0;
	} else if (error == 0 && h->type != OXE_PROGRAM) {
		error = refuse(h->type == OXE_ALIAS ? P("an alias of an alias") : P("of an unknown kind: rebuild it"));
	} else if (error == 0) {
		*alias = false;
		error = layout(s, h, (file->size + OXE_SECTOR - 1) / OXE_SECTOR);
		if (error == 0)
			error = limits(s, h);
		s->file = lba;
		s->cluster = file->first;
		entry->offset = (uint8_t)h->entry;
		entry->index = (uint8_t)(h->entry >> 8);
		entry->tag = (uint8_t)(h->entry >> 16);
	}
	block_put((uint8_t *)h);
	return error;
}

static int8_t open_program(struct space *s, struct pc *entry)
{
	bool alias = false;

	do {
		struct file *file;
		int8_t error = fs_open(PATH_A, self()->cwd, OX_O_RDONLY, &file);

		if (error && alias)
			refuse(P("not there, but an alias names it"));
		if (error)
			return error;
		if (fs_writing(file->first)) {
			fs_close(file);
			return -OX_ETXTBSY;
		}
		error = load_header(s, file, entry, &alias);
		fs_close(file);
		if (error)
			return error;
	} while (alias);
	return block_flush(); // pages are read past the block cache
}

uint32_t exec_swap;

// Hook of the file system.
bool text_busy(uint32_t first)
{
	if (first == exec_swap)
		return true;
	for (uint8_t i = 0; i < SPACES; i++)
		if (spaces[i].file && spaces[i].cluster == first)
			return true;
	return false;
}

// ---- the arguments
//
// At the top of the stack: the strings, below them argc, argv[], NULL, envp[], NULL (OXE.md, Start).

struct args {
	uint8_t from;           // space of the arrays
	uint16_t vector[2];     // argv, envp: addresses in it, 0: none
	uint8_t count[2];
	uint16_t strings;       // bytes of all strings
};

// Length with NUL of the string at va.
static int16_t string_size(uint8_t from, uint16_t va)
{
	uint16_t n = 0;

	for (;;) {
		uint8_t why;
		const char *page = (const char *)space_page(from, (uint8_t)((va + n) >> 8), false, &why);

		if (!page)
			return why == PAGER_SEGV ? -OX_EFAULT : -OX_EIO;
		do {
			if (!page[(uint8_t)(va + n)])
				return (int16_t)(n + 1);
			if (++n >= OXE_ARG_MAX)
				return -OX_E2BIG;
		} while ((uint8_t)(va + n));
	}
}

static int8_t measure(struct args *a, uint8_t v)
{
	uint16_t at = a->vector[v];

	for (; at; at += 4) {
		uint32_t string;
		int16_t n = copy_in(a->from, &string, at, 4);

		if (n)
			return (int8_t)n;
		if (!string)
			return 0;
		if (string >> 16)
			return -OX_EFAULT;
		n = string_size(a->from, (uint16_t)string);
		if (n < 0)
			return (int8_t)n;
		a->strings += (uint16_t)n;
		if (a->strings + 4u * ++a->count[v] > OXE_ARG_MAX - 32)
			return -OX_E2BIG;
	}
	return 0;
}

// Copies one string to `to` in the new space; *to moves behind it.
static int8_t move_string(uint8_t from, uint16_t va, uint8_t space, uint16_t *to)
{
	for (;;) {
		int8_t error = copy_in_string(from, PATH_B, va, PATH_SIZE);
		uint8_t n = PATH_SIZE;

		if (error && error != -OX_ENAMETOOLONG)
			return error;
		if (!error)
			n = (uint8_t)strlen(PATH_B) + 1;
		if (copy_out(space, *to, PATH_B, n) != 0)
			return -OX_EIO;
		*to += n;
		va += n;
		if (!error)
			return 0;
	}
}

static int8_t move_vector(const struct args *a, uint8_t v, uint8_t space, uint16_t *sp, uint16_t *strings)
{
	uint32_t end = 0;

	for (uint8_t i = 0; i < a->count[v]; i++, *sp += 4) {
		uint32_t string, pointer = *strings;
		int8_t error = copy_in(a->from, &string, a->vector[v] + 4u * i, 4);

		if (error == 0)
			error = move_string(a->from, (uint16_t)string, space, strings);
		if (error == 0)
			error = copy_out(space, *sp, &pointer, 4);
		if (error)
			return error;
	}
	*sp += 4;
	return copy_out(space, *sp - 4, &end, 4);
}

// Builds the arguments in the new space; *sp is the stack pointer.
static int8_t build_args(struct args *a, uint8_t space, uint16_t *sp)
{
	uint16_t strings, at;
	uint32_t argc;
	int8_t error;

	for (uint8_t v = 0; v < 2; v++)
		if ((error = measure(a, v)) != 0)
			return error;
	strings = (uint16_t)(0u - a->strings) & ~3u;
	*sp = at = strings - 4 * (3 + a->count[0] + a->count[1]);
	argc = a->count[0];
	error = copy_out(space, at, &argc, 4);
	at += 4;
	for (uint8_t v = 0; v < 2 && error == 0; v++)
		error = move_vector(a, v, space, &at, &strings);
	return error;
}

// ---- the switch

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

// Builds the program in PATH_A with these arguments, and makes it the current process's.
static int8_t start(struct args *a)
{
	struct proc *p = self();
	char name[NAME_SIZE];
	struct pc entry;
	uint16_t sp = 0;
	uint8_t space = space_new();
	int8_t error;

	if (space == NO_SPACE)
		return -OX_ENOMEM;
	strlcpy(name, base_name(PATH_A), NAME_SIZE);
	error = open_program(&spaces[space], &entry);
	if (error == 0)
		error = build_args(a, space, &sp);
	if (error) {
		space_free(space);
		return error;
	}
	proc_leave_space(current);
	p->space = space;
	memset(p->regs, 0, sizeof p->regs);
	p->regs[2] = sp;
	p->pc = entry;
	memcpy(p->name, name, NAME_SIZE);
	files_close_on_exec(p);
	return 0;
}

int32_t sys_execve(void)
{
	struct args a = { self()->space, { (uint16_t)arg(1), (uint16_t)arg(2) }, { 0, 0 }, 0 };
	int8_t error = arg_path(0, PATH_A);

	if (error == 0 && (arg(1) >> 16 || arg(2) >> 16))
		error = -OX_EFAULT;
	if (error == 0)
		error = start(&a);
	return error ? error : NO_RESULT;
}

int8_t exec_first(void)
{
	struct args none = { NO_SPACE, { 0, 0 }, { 0, 0 }, 0 };

	return start(&none);
}
