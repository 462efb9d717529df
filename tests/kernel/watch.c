// SPDX-License-Identifier: ISC
//
// What a process may reach while the core runs for it: its register page (and three bytes behind, which belong to nobody), its
// maps (to read), the frames that they name. Interrupts may write what they like.
#include "watch.h"

#include <fcntl.h>
#include <gelf.h>
#include <octix/oxe.h>
#include <string.h>
#include <unistd.h>

#include "../../firmware/vm/vm.h"

enum { READ = 1, WRITE = 2, PAGE = 256, SLOT = 3 * PAGE, MAP_READ_ONLY = 0x80, REG_X = 26, REG_Y = 28, REG_Z = 30 };

// ---- symbols

static uint16_t symbol_in(Elf *elf, const char *name)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
		GElf_Shdr header;
		Elf_Data *data = elf_getdata(s, NULL);

		if (!gelf_getshdr(s, &header) || header.sh_type != SHT_SYMTAB || !data)
			continue;
		for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
			GElf_Sym symbol;
			const char *found = gelf_getsym(data, (int)i, &symbol) ? elf_strptr(elf, header.sh_link, symbol.st_name) : NULL;

			if (found && !strcmp(found, name))
				return (uint16_t)symbol.st_value;
		}
	}
	return 0;
}

uint16_t watch_symbol(const char *kernel, const char *name)
{
	int fd = open(kernel, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE || fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	uint16_t address = elf ? symbol_in(elf, name) : 0;

	elf_end(elf);
	close(fd);
	return address;
}

// ---- rights

static uint16_t word(const struct watch *w, uint16_t at)
{
	return (uint16_t)(w->board->avr->data[at] | w->board->avr->data[at + 1] << 8);
}

static struct slot *slot_at(const struct watch *w, uint16_t address)
{
	return (struct slot *)(w->board->avr->data + address);
}

static bool in_pool(const struct watch *w, uint8_t page)
{
	return page >= w->pool >> 8 && page <= w->board->avr->ramend >> 8;
}

static void grant(struct watch *w, uint8_t page, uint8_t rights, const char *map)
{
	if (!in_pool(w, page))
		board_crash(w->board, "the %s of the slot at 0x%04x names page 0x%02x, which is no frame", map, w->slot, page);
	w->rights[page] |= rights;
}

// Is a frame that this process may write in the maps of another one?
static void check_others(struct watch *w, uint16_t other)
{
	const struct slot *s = slot_at(w, other);

	for (unsigned i = 0; i < 256; i++)
		if (s->data[i] != MAP_ABSENT && w->rights[s->data[i] & 0x7f] & WRITE)
			board_crash(w->board, "slots at 0x%04x and 0x%04x share the frame page 0x%02x", w->slot, other, s->data[i] & 0x7f);
	for (unsigned i = 0; i < 64; i++)
		if (s->code[i].tag != CODE_TAG_NONE && w->rights[s->code[i].frame] & WRITE)
			board_crash(w->board, "the slot at 0x%04x may write code of 0x%04x", w->slot, other);
}

static void set_rights(struct watch *w)
{
	const struct slot *s = slot_at(w, w->slot);

	memset(w->rights, 0, sizeof w->rights);
	for (unsigned i = 0; i < OXE_DATA_BASE >> 8; i++)
		if (s->data[i] != MAP_ABSENT)
			board_crash(w->board, "data page %u of the slot at 0x%04x is mapped", i, w->slot);
	w->rights[w->slot >> 8] = READ | WRITE;
	w->rights[(w->slot >> 8) + 2] = READ;
	for (unsigned i = 0; i < 256; i++)
		if (s->data[i] != MAP_ABSENT)
			grant(w, s->data[i] & 0x7f, s->data[i] & MAP_READ_ONLY ? READ : READ | WRITE, "data map");
	for (unsigned i = 0; i < 64; i++)
		if (s->code[i].tag != CODE_TAG_NONE)
			grant(w, s->code[i].frame, READ, "code map");
	for (uint16_t other = w->slots; other + SLOT <= w->pool; other += SLOT)
		if (other != w->slot)
			check_others(w, other);
}

// May the core access the byte?
static bool allowed(const struct watch *w, uint16_t at, uint8_t right)
{
	uint16_t behind = (uint16_t)(at - w->slot - PAGE);

	if (w->rights[at >> 8] & right || behind < 3)
		return true;
	return right == READ && behind >= CODE_MAP_OFFSET && behind < PAGE;
}

// ---- each access

// The address that the load or store `op` is about to use.
static uint16_t access_address(const struct watch *w, uint16_t op)
{
	static const struct { uint8_t pointer, minus; } form[16] = {
		[1] = { REG_Z, 0 }, [2] = { REG_Z, 1 }, [9] = { REG_Y, 0 }, [10] = { REG_Y, 1 },
		[12] = { REG_X, 0 }, [13] = { REG_X, 0 }, [14] = { REG_X, 1 },
	};
	const uint8_t *flash = w->board->avr->flash + w->board->avr->pc + 2;

	if ((op & 0xd000) == 0x8000)
		return (uint16_t)(word(w, op & 8 ? REG_Y : REG_Z) + ((op & 7) | (op >> 7 & 0x18) | (op >> 8 & 0x20)));
	if (!(op & 15))
		return (uint16_t)(flash[0] | flash[1] << 8);
	return (uint16_t)(word(w, form[op & 15].pointer) - form[op & 15].minus);
}

static void on_access(void *arg, uint16_t op)
{
	struct watch *w = arg;
	uint8_t right = op & 0x200 ? WRITE : READ;
	bool absolute = (op & 0xd000) != 0x8000 && !(op & 15), interrupt = !w->board->avr->sreg[S_I];
	uint16_t at;

	if (!w->running)
		return;
	at = access_address(w, op);
	if (interrupt || absolute) {
		if (right == WRITE)
			w->touched[at] = w->run;
		return;
	}
	w->accesses++;
	if (!allowed(w, at, right))
		board_crash(w->board, "%s 0x%04x, slot 0x%04x, X 0x%04x", right == WRITE ? "write to" : "read of", at, w->slot, word(w, REG_X));
}

// ---- the core starts and stops

static uint8_t *resident_code(const struct watch *w)
{
	const struct pc *pc = (const struct pc *)(w->board->avr->data + w->pc);
	const struct slot *s = slot_at(w, w->slot);
	unsigned i = (pc->index & 0x7e) / 2;

	return s->code[i].tag == (pc->tag & 0x7f) ? w->board->avr->data + (s->code[i].frame << 8) : NULL;
}

static void enter(struct watch *w)
{
	avr_t *avr = w->board->avr;

	w->running = true;
	w->run++;
	w->entries++;
	w->asked_at = 0;
	w->entered_at = avr->cycle;
	w->slot = (uint16_t)(avr->data[w->slot_page] << 8);
	set_rights(w);
	w->entered(w->arg, w->slot, resident_code(w));
	memcpy(w->before, avr->data, avr->ramend + 1u);
}

static void compare(struct watch *w)
{
	const uint8_t *data = w->board->avr->data;
	uint16_t stack = w->board->sp_low;

	if (!memcmp(w->before + w->board->chip->ram_start, data + w->board->chip->ram_start, stack - w->board->chip->ram_start)
	    && !memcmp(w->before + w->slots, data + w->slots, w->board->avr->ramend + 1u - w->slots))
		return;
	for (unsigned at = w->board->chip->ram_start; at <= w->board->avr->ramend; at++)
		if (w->before[at] != data[at] && w->touched[at] != w->run && !allowed(w, (uint16_t)at, WRITE)
		    && (at < stack || at >= w->slots))
			board_crash(w->board, "0x%04x changed from 0x%02x to 0x%02x", at, w->before[at], data[at]);
}

static void leave(struct watch *w)
{
	uint64_t now = w->board->avr->cycle;

	if (!w->running)
		return;
	w->running = false;
	if (now - w->entered_at > w->longest) {
		w->longest = now - w->entered_at;
	}
	if (w->asked_at && now - w->asked_at > w->slowest)
		w->slowest = now - w->asked_at;
	compare(w);
	w->left(w->arg, w->slot);
}

static void write_flag(avr_t *avr, avr_io_addr_t at, uint8_t v, void *arg)
{
	avr->data[at] = v;
	if (v & VM_RUNNING)
		enter(arg);
	else
		leave(arg);
}

// Interrupts that want the kernel look at the flag.
static uint8_t read_flag(avr_t *avr, avr_io_addr_t at, void *arg)
{
	struct watch *w = arg;

	if (w->running && !w->asked_at)
		w->asked_at = avr->cycle;
	return avr->data[at];
}

const char *watch_start(struct watch *w, struct board *b)
{
	const struct { const char *name; uint16_t *to; } wanted[] = {
		{ "slots", &w->slots }, { "pool_memory", &w->pool }, { "vm_slot_page", &w->slot_page }, { "vm_pc", &w->pc },
		{ "vm_pending", &w->pending }, { "slice_left", &w->slice },
	};

	w->board = b;
	for (unsigned i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
		if (!(*wanted[i].to = watch_symbol(b->cfg.kernel, wanted[i].name)))
			return wanted[i].name;
	board_on_write(b, REG_GPIOR1, write_flag, w);
	board_on_read(b, REG_GPIOR1, read_flag, w);
	board_watch(b, on_access, w);
	return NULL;
}
