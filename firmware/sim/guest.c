// SPDX-License-Identifier: ISC
// Profiles of programs on the board: see guest.h.
//
// All cycles belong to the place of the bytecode instruction dispatched last: those of the core itself while it runs, and
// those of the kernel that it caused. A jump to a page that is not mapped belongs to its target.
#include "guest.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <octix/oxe.h>

#include "../../userland/sdk/disasm.h"
#include "board.h"

enum { VM_RUNNING = 1, OPTAB_BYTES = 512, REG_XL = 26, REG_INDEX = 24, REG_TAG = 25 };

struct cost {
	uint64_t core, kernel, insns;
	uint32_t hard, soft;            // pages brought in, pages that only had to be mapped
};

// A program that has run, found by the first sector of its code.
struct program_costs {
	uint32_t key;
	char name[64];
	const struct symbols *map;      // NULL: none is known
	uint32_t bytes;                 // of code
	struct cost *at;                // by page * 256 + offset; behind them one for places beyond the code
};

struct map_file {
	const char *path;
	struct symbols *symbols;
};

struct guest {
	struct board *board;
	uint32_t optab, code_soft;      // code of the kernel
	uint16_t space_at, counts;      // its variables
	uint32_t hard, soft;            // as last seen
	struct program_costs *programs;
	size_t count;
	struct program_costs *current;
	struct cost boot, *cost;        // before the first program; where costs go now
	struct map_file *maps;
	unsigned map_count;
};

static uint32_t word(const struct guest *g, uint16_t at)
{
	const uint8_t *p = g->board->avr->data + at;
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// ---------------------------------------------------------------- programs

static const struct oxe_header *header_at(const struct guest *g, uint32_t key)
{
	const uint8_t *sector = key ? image_sector(&g->board->image, key - 1) : NULL;
	const struct oxe_header *h = (const struct oxe_header *)(const void *)sector;
	return h && !memcmp(h->magic, OXE_MAGIC, sizeof h->magic) ? h : NULL;
}

// Name and map of a program: the map's, whose file is called NAME.map.
static void identify(const struct guest *g, struct program_costs *p, const struct oxe_header *h)
{
	uint64_t id;
	snprintf(p->name, sizeof p->name, "sector %" PRIu32, p->key - 1);
	if (!h)
		return;
	memcpy(&id, h->build_id, sizeof id);
	for (unsigned i = 0; i < g->map_count; i++) {
		const char *slash = strrchr(g->maps[i].path, '/');
		const char *base = slash ? slash + 1 : g->maps[i].path;
		if (symbols_build(g->maps[i].symbols) != id)
			continue;
		p->map = g->maps[i].symbols;
		snprintf(p->name, sizeof p->name, "%.*s", (int)strcspn(base, "."), base);
	}
}

static struct program_costs *add_program(struct guest *g, uint32_t key)
{
	const struct oxe_header *h = header_at(g, key);
	struct program_costs *grown = realloc(g->programs, (g->count + 1) * sizeof *grown);
	uint32_t bytes = h ? h->u.section[0].bytes : 0;
	if (!grown)
		return NULL;
	g->programs = grown;
	struct program_costs *p = &grown[g->count];
	memset(p, 0, sizeof *p);
	p->key = key;
	p->bytes = bytes <= OXE_MAX_PAGES * OXE_PAGE ? bytes : 0;
	p->at = calloc(p->bytes + 1, sizeof *p->at);
	if (!p->at)
		return NULL;
	identify(g, p, h);
	g->count++;
	return p;
}

static struct program_costs *find_program(struct guest *g, uint32_t key)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->programs[i].key == key)
			return &g->programs[i];
	return add_program(g, key);
}

// ---------------------------------------------------------------- while it runs

// Page faults since the last time go to where costs go now.
static void settle_faults(struct guest *g)
{
	uint32_t hard = word(g, g->counts), soft = word(g, g->counts + 4u);
	g->cost->hard += hard - g->hard;
	g->cost->soft += soft - g->soft;
	g->hard = hard;
	g->soft = soft;
}

// From now on costs go to the place of the core's registers, less `back` bytes.
static void go_to(struct guest *g, unsigned back)
{
	const uint8_t *r = g->board->avr->data;
	uint16_t space = (uint16_t)word(g, g->space_at);
	uint32_t key = space ? word(g, space) + 1 : 0; // the program's second sector
	uint32_t page = (r[REG_TAG] & 0x7fu) * 64 + (r[REG_INDEX] & 0x7fu) / 2;
	uint32_t place = page * OXE_PAGE + (uint8_t)(r[REG_XL] - back);
	settle_faults(g);
	if (!g->current || g->current->key != key)
		g->current = find_program(g, key);
	if (!g->current) {
		board_stop(g->board, STOP_QUIT, "out of memory for the profile");
		g->cost = &g->boot;
		return;
	}
	g->cost = &g->current->at[place < g->current->bytes ? place : g->current->bytes];
}

static void on_step(void *arg, uint32_t pc, uint64_t cycles)
{
	struct guest *g = arg;
	if (pc - g->optab < OPTAB_BYTES) {
		go_to(g, 1);
		g->cost->insns++;
	} else if (pc == g->code_soft) {
		go_to(g, 0);
	}
	if (g->board->avr->data[REG_GPIOR1] & VM_RUNNING)
		g->cost->core += cycles;
	else
		g->cost->kernel += cycles;
}

static int find_symbols(struct guest *g)
{
	const struct program *p = &g->board->program;
	g->optab = elf_code(p, "vm_optab");
	g->code_soft = elf_code(p, "vm_code_soft");
	g->space_at = elf_variable(p, "vm_space_at");
	g->counts = elf_variable(p, "pool_counts");
	return g->optab && g->code_soft && g->space_at && g->counts ? 0 : -1;
}

static int read_maps(struct guest *g, char *const maps[], unsigned count)
{
	g->maps = calloc(count ? count : 1, sizeof *g->maps);
	for (unsigned i = 0; g->maps && i < count; i++) {
		if (access(maps[i], R_OK)) {
			fprintf(stderr, "oxsim: %s: cannot be opened: %m\n", maps[i]);
			return -1;
		}
		g->maps[g->map_count++] = (struct map_file){ maps[i], symbols_read(maps[i]) };
	}
	return g->maps ? 0 : -1;
}

struct guest *guest_start(struct board *b, char *const maps[], unsigned count)
{
	struct guest *g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->board = b;
	g->cost = &g->boot;
	if (find_symbols(g)) {
		fprintf(stderr, "oxsim: %s: no kernel of Octix, --profile does not know where its programs are "
				"(--kernel-profile works with any)\n", b->cfg.kernel);
		guest_free(g);
		return NULL;
	}
	if (read_maps(g, maps, count)) {
		guest_free(g);
		return NULL;
	}
	board_after(b, on_step, g);
	return g;
}

// ---------------------------------------------------------------- the table

struct line {
	const char *program;
	char function[128];
	struct cost cost;
};

struct table {
	struct line *lines;
	size_t count;
};

static void add_cost(struct cost *to, const struct cost *c)
{
	to->core += c->core;
	to->kernel += c->kernel;
	to->insns += c->insns;
	to->hard += c->hard;
	to->soft += c->soft;
}

static bool nothing(const struct cost *c)
{
	return !c->core && !c->kernel && !c->hard && !c->soft;
}

// One line a function; those of a program stand together while the table is made, from line `first` on.
static int add_line(struct table *t, size_t first, const char *program, const char *function, const struct cost *c)
{
	for (size_t i = t->count; i-- > first;)
		if (!strcmp(t->lines[i].function, function)) {
			add_cost(&t->lines[i].cost, c);
			return 0;
		}
	struct line *grown = realloc(t->lines, (t->count + 1) * sizeof *grown);
	if (!grown)
		return -1;
	t->lines = grown;
	struct line *l = &grown[t->count++];
	*l = (struct line){ .program = program, .cost = *c };
	snprintf(l->function, sizeof l->function, "%s", function);
	return 0;
}

static int add_program_lines(struct table *t, const struct program_costs *p)
{
	size_t first = t->count;
	for (uint32_t place = 0; place <= p->bytes; place++) {
		const char *name = symbol_in(p->map, place / OXE_PAGE, place % OXE_PAGE, NULL);
		char page[32];
		snprintf(page, sizeof page, "page %04x", place / OXE_PAGE);
		if (place == p->bytes)
			name = "(outside its code)";
		if (!nothing(&p->at[place]) && add_line(t, first, p->name, name ? name : page, &p->at[place]))
			return -1;
	}
	return 0;
}

static int by_cycles(const void *a, const void *b)
{
	const struct cost *x = &((const struct line *)a)->cost, *y = &((const struct line *)b)->cost;
	uint64_t cx = x->core + x->kernel, cy = y->core + y->kernel;
	return (cx < cy) - (cx > cy);
}

static void print_table(const struct table *t, FILE *f)
{
	double all = 0;
	for (size_t i = 0; i < t->count; i++)
		all += (double)(t->lines[i].cost.core + t->lines[i].cost.kernel);
	fprintf(f, "cycles\tpercent\tcore\tkernel\tinsns\tfaults\tsoft\tprogram\tfunction\n");
	for (size_t i = 0; i < t->count; i++) {
		const struct line *l = &t->lines[i];
		uint64_t cycles = l->cost.core + l->cost.kernel;
		fprintf(f, "%" PRIu64 "\t%.2f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s\n",
			cycles, all > 0 ? 100 * (double)cycles / all : 0, l->cost.core, l->cost.kernel, l->cost.insns,
			l->cost.hard, l->cost.soft, l->program, l->function);
	}
}

static int make_table(struct guest *g, struct table *t)
{
	settle_faults(g);
	if (add_line(t, 0, "-", "(boot)", &g->boot))
		return -1;
	for (size_t i = 0; i < g->count; i++)
		if (add_program_lines(t, &g->programs[i]))
			return -1;
	qsort(t->lines, t->count, sizeof *t->lines, by_cycles);
	return 0;
}

int guest_write(struct guest *g, const char *path)
{
	struct table t = { 0 };
	FILE *f = fopen(path, "we");
	int bad = f ? make_table(g, &t) : -1;
	if (!bad)
		print_table(&t, f);
	if (f)
		bad |= ferror(f) | fclose(f);
	free(t.lines);
	if (bad)
		fprintf(stderr, "oxsim: %s: cannot be written: %m\n", path);
	return bad ? -1 : 0;
}

void guest_free(struct guest *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->count; i++)
		free(g->programs[i].at);
	for (unsigned i = 0; i < g->map_count; i++)
		symbols_free(g->maps[i].symbols);
	free(g->maps);
	free(g->programs);
	free(g);
}
