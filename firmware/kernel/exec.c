// SPDX-License-Identifier: ISC
//
// execve: reads the OXE header, builds a new data space with the arguments at its top, and only when all is there
// lets go of the old one. Nothing is loaded: the first instruction faults its page in. What goes wrong ends the call by fail(), which
// frees the new space.

#include "kernel/exec.h"

#include <stddef.h>
#include <string.h>

#include <util/crc16.h>

#include <octix/errno.h>
#include <octix/oxe.h>

#include "fs/fat.h"
#include "fs/fs.h"
#include "kernel/file.h"
#include "kernel/ids.h"
#include "kernel/print.h"
#include "kernel/signal.h"
#include "kernel/slots.h"
#include "kernel/user.h"
#include "vm/pager.h"
#include "vm/pool.h"

// The part of a header that is looked at, kept in PATH_B: the first three sections, or an alias.
#define HEADER_BYTES (offsetof(struct oxe_header, u) + OXE_ALIAS_MAX)

uint8_t second_buffer[sizeof second_buffer];

static uint8_t building = NO_SPACE; // the new space

void exec_abandon(void)
{
	if (building != NO_SPACE)
		space_free(building);
	building = NO_SPACE;
}

// ---- the file

void complain(const char *text, uint8_t number)
{
	print_ram(PATH_A);
	print(P(": "));
	print_why(text, number);
	print(P("\n"));
}

static void __attribute__((noreturn)) refuse(enum why why)
{
	complain(why_text(why), why);
	fail(-OX_ENOEXEC);
}

// CRC16 as SD has it: 0 over bytes that end with their own.
static uint16_t crc16(const uint8_t *p, uint16_t n)
{
	uint16_t crc = 0;

	while (n--)
		crc = _crc_xmodem_update(crc, *p++);
	return crc;
}

// Sectors that hold so many bytes; 0xffff: or more.
static uint16_t sectors_of(uint32_t bytes)
{
	uint32_t n = (bytes + OXE_SECTOR - 1) / OXE_SECTOR;

	return n > 0xffff ? 0xffff : (uint16_t)n;
}

// Takes code, read-only data and data from the header's first sections, which lie one behind the other; unknown types behind them are
// skipped.
static void layout(struct space *s, const struct oxe_header *h, uint16_t file_sectors)
{
	const struct oxe_section *row = h->u.section;
	uint8_t left = h->sections;
	uint16_t at = 1;

	s->readonly_end = s->image_end = OXE_DATA_BASE >> 8;
	for (uint8_t type = OXE_SEC_CODE; type <= OXE_SEC_DATA; type++) {
		uint16_t n = sectors_of(row->bytes);
		bool good = row->sector == at && n <= (uint16_t)(file_sectors - at);

		if (!left || row->type != type) {
			good = type != OXE_SEC_CODE;
		} else {
			at += n;
			if (type == OXE_SEC_CODE) {
				good &= (uint16_t)row->bytes % OXE_SECTOR == 0;
				s->code_sectors = n;
			} else {
				good &= row->addr == (uint16_t)(s->image_end << 8) && n < (uint8_t)(0x80 - s->image_end / 2);
				s->image_end += (uint8_t)(n * 2);
				if (type == OXE_SEC_RODATA)
					s->readonly_end = s->image_end;
			}
			row++;
			left--;
		}
		if (!good)
			refuse(WHY_LAYOUT);
	}
}

// Returns the page where the stack may begin at the lowest.
static uint8_t limits(struct space *s, const struct oxe_header *h)
{
	uint16_t stack = h->stack, top = (uint16_t)(OXE_DATA_END - stack), heap_end = top;

	if (h->heap)
		heap_end = h->data_end + h->heap;
	if (stack < 1024 || stack % 512 || stack > 0xf000 || h->data_end > top || heap_end < h->data_end || heap_end > top
	    || (h->data_end + 255u) >> 8 < s->image_end - 1u)
		refuse(WHY_LIMITS);
	s->stack_start = (uint8_t)(top >> 8);
	s->heap_end = (uint8_t)((heap_end + 255u) >> 8);
	if (s->heap_end < s->image_end)
		s->heap_end = s->image_end;
	return h->heap ? s->heap_end : (uint8_t)((h->data_end + 255u) >> 8);
}

// Reads the header of the program in PATH_A.
static const struct oxe_header *read_header(struct space *s, const struct node *n)
{
	const struct oxe_header *h = (const void *)PATH_B;
	uint8_t *block;
	bool good;

	if (fs_writing(n->first))
		fail(-OX_ETXTBSY);
	if (n->size < OXE_SECTOR)
		refuse(WHY_NO_PROGRAM);
	if (fs_extent(n, &s->file) != 0)
		refuse(WHY_PIECES);
	block = block_get(s->file);
	if (!block)
		fail(-OX_EIO);
	good = block_sealed(block) || crc16(block, OXE_SECTOR) == 0;
	memcpy(PATH_B, block, HEADER_BYTES);
	block_put(block);
	if (memcmp_P(h->magic, P(OXE_MAGIC), 4) != 0)
		refuse(WHY_NO_PROGRAM);
	if (h->format != OXE_FORMAT)
		refuse(WHY_FORMAT);
	if (!good)
		refuse(WHY_HEADER);
	if (h->bytecode != OXE_BYTECODE || h->abi != OXE_ABI)
		refuse(WHY_VERSION);
	return h;
}

// Fills the space for the program in PATH_A. An alias changes PATH_A; its set-uid and set-gid bits do not count, nor do those of the
// program it names: which of the commands runs is up to argv[0], and so to the caller. Returns as limits.
static uint8_t open_program(struct space *s, struct pc *entry, struct owner *o)
{
	const struct oxe_header *h;
	struct node n;
	int8_t error;
	uint8_t least;

	check(fs_file(PATH_A, self()->cwd, &n, o));
	h = read_header(s, &n);
	if (h->type == OXE_ALIAS) {
		strlcpy(PATH_A, h->u.alias, OXE_ALIAS_MAX);
		error = fs_file(PATH_A, 0, &n, o);
		o->mode = 0;
		if (error) {
			enum why why = error == -OX_EACCES ? WHY_ALIAS_ACCESS : WHY_ALIAS_MISSING;

			complain(why_text(why), why);
			fail(error);
		}
		h = read_header(s, &n);
		if (h->type == OXE_ALIAS)
			refuse(WHY_ALIAS);
	}
	if (h->type != OXE_PROGRAM)
		refuse(WHY_KIND);
	layout(s, h, sectors_of(n.size));
	least = limits(s, h);
	memcpy(entry, &h->entry, sizeof *entry);
	entry->index = (uint8_t)((entry->index & 0x7e) | 0x80);
	entry->tag &= 0x7f;
	check(block_flush()); // pages are read past the block cache
	return least;
}

uint32_t exec_swap;

// Hook of the file system.
bool text_busy(uint32_t first)
{
	uint32_t sector = fat_sector(first);

	if (is_node(first))
		return false;
	if (first == exec_swap)
		return true;
	for (uint8_t i = 0; i < SPACES; i++)
		if (spaces[i].file == sector)
			return true;
	return false;
}

// ---- the arguments
//
// At the top of the stack: the process's name, below it the strings, below them argc, argv[], NULL, envp[], NULL (OXE.md, Start). They are gone through twice:
// to measure, with no space to go to, and to copy.

struct args {
	uint8_t from;       // space of the arrays
	uint8_t to;         // the new one, or NO_SPACE
	uint16_t vector[2]; // argv, envp: addresses in `from`, 0: none
	uint16_t word;      // where the next word goes,
	uint16_t string;    //   and the next string
};

// Puts n bytes to *at, which moves behind them.
static void put(struct args *a, uint16_t *at, const void *bytes, uint8_t n)
{
	if (a->to != NO_SPACE)
		check(copy_out(a->to, *at, bytes, n));
	*at += n;
	if (a->to == NO_SPACE && a->word + a->string > OXE_ARG_MAX)
		fail(-OX_E2BIG);
}

static void put_string(struct args *a, uint16_t va)
{
	int8_t error;
	uint8_t n;

	do {
		error = copy_in_string(a->from, PATH_B, va, PATH_SIZE);
		n = PATH_SIZE;
		if (!error)
			n = (uint8_t)strlen(PATH_B) + 1;
		else if (error != -OX_ENAMETOOLONG)
			fail(error);
		put(a, &a->string, PATH_B, n);
		va += n;
	} while (error);
}

// The strings of a vector, and their addresses. Returns how many.
static uint16_t put_vector(struct args *a, uint16_t va)
{
	uint32_t string = 0;
	uint16_t n = 0;

	for (; va; va += 4, n++) {
		uint32_t at = a->string;

		check(copy_in(a->from, &string, va, 4));
		if (!string)
			break;
		if (string >> 16)
			fail(-OX_EFAULT);
		put(a, &a->word, &at, 4);
		put_string(a, (uint16_t)string);
	}
	string = 0;
	put(a, &a->word, &string, 4);
	return n;
}

static void put_args(struct args *a)
{
	uint16_t first = a->word;
	uint32_t argc;

	a->word += 4;
	argc = put_vector(a, a->vector[0]);
	put_vector(a, a->vector[1]);
	put(a, &first, &argc, 4);
}

// Arguments of so many bytes: the stack grows by what exceeds OXE_ARG_FREE.
static void make_room(struct space *s, uint8_t least, uint16_t bytes)
{
	uint8_t more = bytes > OXE_ARG_FREE ? (uint8_t)((bytes - OXE_ARG_FREE + 511) / 512 * 2) : 0;

	if (s->stack_start < least + more)
		fail(-OX_E2BIG);
	s->stack_start -= more;
	if (s->heap_end > s->stack_start)
		s->heap_end = s->stack_start;
}

// ---- the switch

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

// Builds the program in PATH_A with these arguments, and makes it the current process's.
static void start(struct args *a)
{
	struct proc *p = self();
	char name[NAME_SIZE];
	struct pc entry;
	struct owner o;
	uint16_t sp;
	uint8_t least;

	building = space_new();
	if (building == NO_SPACE)
		fail(-OX_ENOMEM);
	strlcpy(name, base_name(PATH_A), NAME_SIZE);
	least = open_program(&spaces[building], &entry, &o);
	a->to = NO_SPACE;
	put_args(a);
	make_room(&spaces[building], least, a->word + a->string);
	a->string = ((uint16_t)NAME_AT - a->string) & ~3u;
	a->word = sp = a->string - a->word;
	a->to = building;
	check(copy_out(building, (uint16_t)NAME_AT, name, NAME_SIZE));
	put_args(a);
	card_restart = false;
	building = NO_SPACE;
	proc_leave_space(p);
	p->space = a->to;
	memset(p->regs, 0, sizeof p->regs);
	p->regs[2] = sp;
	p->pc = entry;
	set_by_exec(&o);
	p->caught = 0;
	signals_note(p); // it may be stopped now
	files_close(p, false);
	p->sems = 0;
}

int16_t sys_execve(void)
{
	struct args a = { .from = self()->space };

	arg_path(0, PATH_A);
	a.vector[0] = arg_address(1);
	a.vector[1] = arg_address(2);
	start(&a);
	return NO_RESULT;
}

void exec_first(void)
{
	struct args none = { .from = NO_SPACE };

	start(&none);
}
