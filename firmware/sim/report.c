// SPDX-License-Identifier: ISC
// Reports of a run: see report.h.
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "areas.h"
#include "board.h"

int report_exit_code(const struct board *b)
{
	switch (b->stop) {
	case STOP_CRASH: return 3;
	case STOP_TIMEOUT: return 4;
	case STOP_CUT: return 6;
	default: return 0;
	}
}

static void totals(const struct board *b, struct area_totals *t)
{
	uint8_t *map = b->card ? areas_map(&b->image) : NULL;
	memset(t, 0, sizeof *t);
	if (map)
		areas_total(&b->image, map, t);
	free(map);
}

static uint64_t card_errors(const struct board *b)
{
	uint64_t n = b->spi.collisions + b->spi.mistakes;
	return b->card ? n + card_report(b->card)->violations : n;
}

// Areas in the order in which a person looks for them.
static const enum area order[AREA_COUNT] = { AREA_FAT, AREA_DIR, AREA_SWAP, AREA_FILE, AREA_OTHER };

static void print_areas(FILE *f, const char *what, uint64_t all, const uint64_t *by)
{
	fprintf(f, "  %-8s %" PRIu64 " blocks", what, all);
	for (int i = 0; i < AREA_COUNT && all; i++)
		fprintf(f, "%s %s %" PRIu64, i ? "," : ":", area_names[order[i]], by[order[i]]);
	fprintf(f, "\n");
}

static void print_card(const struct board *b, FILE *f)
{
	const struct card_report *r = card_report(b->card);
	struct area_totals t;
	totals(b, &t);
	print_areas(f, "read", t.all_reads, t.reads);
	print_areas(f, "written", t.all_writes, t.writes);
	fprintf(f, "  card     %" PRIu64 " commands, %" PRIu64 " protocol errors, %" PRIu64
		   " CRC errors\n", r->commands, r->violations, r->crc_errors);
	for (unsigned i = 0; i < r->notes; i++)
		fprintf(f, "           cycle %" PRIu64 ": %s\n", r->note[i].cycle, r->note[i].text);
}

// The program may have moved its stack away from the end of SRAM (symbol __stack).
static unsigned stack_used(const struct board *b)
{
	unsigned top = b->program.stack_top ? b->program.stack_top : b->avr->ramend;
	return top > b->sp_low ? top - b->sp_low : 0;
}

static void print_stack(const struct board *b, FILE *f)
{
	fprintf(f, "  stack    %u bytes at most (lowest SP 0x%04x)", stack_used(b), b->sp_low);
	if (b->program.data_end > b->chip->ram_start)
		fprintf(f, ", %d bytes left above static data",
			(int)b->sp_low + 1 - (int)b->program.data_end);
	fprintf(f, "\n");
}

static void print_mistakes(const struct board *b, FILE *f)
{
	if (b->spi.collisions)
		fprintf(f, "  spi      %" PRIu64 " write collisions\n", b->spi.collisions);
	if (b->spi.mistakes)
		fprintf(f, "  spi      %" PRIu64 " mistakes, first: %s\n", b->spi.mistakes,
			b->spi.mistake);
	if (b->resets)
		fprintf(f, "  resets   %u\n", b->resets);
	if (b->warning[0])
		fprintf(f, "  warning  %s\n", b->warning);
}

void report_summary(struct board *b, FILE *f)
{
	fprintf(f, "oxsim: %s\n", b->why);
	fprintf(f, "  time     %" PRIu64 " cycles, %.6f s at %g MHz, asleep %" PRIu64 " cycles\n",
		b->avr->cycle, board_seconds(b), b->chip->hz / 1e6, b->sleep_cycles);
	if (b->card)
		print_card(b, f);
	else
		fprintf(f, "  card     none in the slot\n");
	print_stack(b, f);
	for (int i = 0; i < 2; i++)
		if (i == 0 || b->uart[i].sent || b->uart[i].received)
			fprintf(f, "  uart%d    %" PRIu64 " bytes sent, %" PRIu64 " received, %" PRIu64
				   " overruns, %" PRIu64 " times stopped\n", i, b->uart[i].sent, b->uart[i].received,
				b->uart[i].overruns, b->uart[i].stops);
	print_mistakes(b, f);
}

// ---------------------------------------------------------------- JSON

static void json_string(FILE *f, const char *key, const char *s)
{
	fprintf(f, "  \"%s\": \"", key);
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s >= ' ')
			fputc(*s, f);
	fprintf(f, "\",\n");
}

static void json_areas(FILE *f, const char *key, uint64_t all, const uint64_t *by, const char *end)
{
	fprintf(f, "    \"%s\": {\"total\": %" PRIu64, key, all);
	for (int i = 0; i < AREA_COUNT; i++)
		fprintf(f, ", \"%s\": %" PRIu64, area_names[order[i]], by[order[i]]);
	fprintf(f, "}%s\n", end);
}

static void json_blocks(const struct board *b, FILE *f)
{
	struct area_totals t;
	totals(b, &t);
	fprintf(f, "  \"blocks\": {\n");
	json_areas(f, "read", t.all_reads, t.reads, ",");
	json_areas(f, "written", t.all_writes, t.writes, "");
	fprintf(f, "  },\n");
}

static void json_card(const struct board *b, FILE *f)
{
	static const struct card_report none;
	const struct card_report *r = b->card ? card_report(b->card) : &none;
	fprintf(f, "  \"card\": {\"present\": %s, \"commands\": %" PRIu64
		   ", \"protocol_errors\": %" PRIu64 ", \"crc_errors\": %" PRIu64 "},\n",
		b->card ? "true" : "false", r->commands, r->violations, r->crc_errors);
	fprintf(f, "  \"spi\": {\"bytes\": %" PRIu64 ", \"collisions\": %" PRIu64
		   ", \"mistakes\": %" PRIu64 "},\n", b->spi.bytes, b->spi.collisions,
		b->spi.mistakes);
}

static void json_uarts(const struct board *b, FILE *f)
{
	fprintf(f, "  \"uart\": [\n");
	for (int i = 0; i < 2; i++)
		fprintf(f, "    {\"sent\": %" PRIu64 ", \"received\": %" PRIu64
			   ", \"overruns\": %" PRIu64 ", \"overwritten\": %" PRIu64 ", \"stops\": %" PRIu64 "}%s\n",
			b->uart[i].sent, b->uart[i].received, b->uart[i].overruns,
			b->uart[i].overwritten, b->uart[i].stops, i ? "" : ",");
	fprintf(f, "  ],\n");
}

// What the kernel counts about its pool: four 32-bit counters in its variable pool_counts.
static void json_paging(const struct board *b, FILE *f)
{
	static const char *const names[] = { "hard", "soft", "zero", "writebacks" };
	uint16_t at = elf_variable(&b->program, "pool_counts");
	fprintf(f, "  \"paging\": {");
	for (int i = 0; i < 4 && at; i++, at += 4) {
		const uint8_t *p = b->avr->data + at;
		fprintf(f, "%s\"%s\": %u", i ? ", " : "", names[i],
			p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 | (unsigned)p[3] << 24);
	}
	fprintf(f, "},\n");
}

static const char *stop_word(const struct board *b)
{
	static const char *const words[] = { "none", "halt", "crash", "timeout", "quit", "cut" };
	return words[b->stop];
}

static void json_body(struct board *b, FILE *f)
{
	fprintf(f, "{\n");
	json_string(f, "board", b->chip->board);
	json_string(f, "stop", stop_word(b));
	json_string(f, "reason", b->why);
	fprintf(f, "  \"exit\": %d,\n", report_exit_code(b));
	fprintf(f, "  \"hz\": %" PRIu32 ",\n  \"cycles\": %" PRIu64 ",\n  \"seconds\": %.9f,\n"
		   "  \"sleep_cycles\": %" PRIu64 ",\n",
		b->chip->hz, b->avr->cycle, board_seconds(b), b->sleep_cycles);
	json_blocks(b, f);
	json_card(b, f);
	json_uarts(b, f);
	json_paging(b, f);
	fprintf(f, "  \"stack\": {\"lowest_sp\": %u, \"bytes\": %u, \"left\": %d},\n", b->sp_low,
		stack_used(b), (int)b->sp_low + 1 - (int)b->program.data_end);
	char where[80];
	elf_where(&b->program, b->irq_off.longest_pc, where, sizeof where);
	fprintf(f, "  \"irq_off\": {\"longest\": %" PRIu64 ", \"from\": \"%s\"},\n", b->irq_off.longest, b->irq_off.longest ? where : "");
	fprintf(f, "  \"interrupts\": %" PRIu64 ",\n  \"resets\": %u,\n  \"errors\": %" PRIu64
		   "\n}\n", b->irqs.taken, b->resets, card_errors(b));
}

static int close_file(FILE *f, const char *path)
{
	bool bad = ferror(f);
	if (fclose(f) || bad) {
		fprintf(stderr, "oxsim: %s: cannot be written: %m\n", path);
		return -1;
	}
	return 0;
}

static FILE *open_file(const char *path)
{
	FILE *f = fopen(path, "we");
	if (!f)
		fprintf(stderr, "oxsim: %s: cannot be created: %m\n", path);
	return f;
}

int report_json(struct board *b, const char *path)
{
	FILE *f = open_file(path);
	if (!f)
		return -1;
	json_body(b, f);
	return close_file(f, path);
}

// ---------------------------------------------------------------- profile

struct spent {
	const char *name;
	uint64_t cycles;
};

static int by_cycles(const void *a, const void *b)
{
	const struct spent *x = a, *y = b;
	return (x->cycles < y->cycles) - (x->cycles > y->cycles);
}

// Sums cycles by symbol into list, which has room for one more than there are symbols.
static size_t sum_profile(const struct board *b, struct spent *list)
{
	const struct program *p = &b->program;
	size_t n = 0;
	list[n].name = "?";
	for (uint32_t pc = 0; pc <= b->avr->flashend; pc += 2) {
		while (n < p->count && p->symbols[n].addr <= pc) {
			list[n + 1].name = p->symbols[n].name;
			n++;
		}
		list[n].cycles += b->profile[pc / 2];
	}
	return n + 1;
}

int report_profile(const struct board *b, const char *path)
{
	struct spent *list = calloc(b->program.count + 1, sizeof *list);
	FILE *f = list ? open_file(path) : NULL;
	if (!f) {
		free(list);
		return -1;
	}
	size_t n = sum_profile(b, list);
	qsort(list, n, sizeof *list, by_cycles);
	fprintf(f, "cycles\tpercent\tsymbol\n");
	for (size_t i = 0; i < n && list[i].cycles; i++)
		fprintf(f, "%" PRIu64 "\t%.2f\t%s\n", list[i].cycles,
			100.0 * (double)list[i].cycles / (double)b->avr->cycle, list[i].name);
	free(list);
	return close_file(f, path);
}

// ---------------------------------------------------------------- marks

static bool grow(void **p, size_t *room, size_t count, size_t size)
{
	if (count < *room)
		return true;
	size_t bigger = *room ? *room * 2 : 64;
	void *q = realloc(*p, bigger * size);
	if (!q)
		return false;
	*p = q;
	*room = bigger;
	return true;
}

void marks_add(struct marks *m, const struct board *b, uint8_t value)
{
	if (!grow((void **)&m->list, &m->room, m->count, sizeof *m->list))
		return;
	m->list[m->count++] = (struct mark){ value, b->avr->cycle, b->sleep_cycles,
					     b->core_cycles, b->uart[0].sent, m->log_count };
}

void marks_block(struct marks *m, uint64_t lba, bool write)
{
	if (grow((void **)&m->log, &m->log_room, m->log_count, sizeof *m->log))
		m->log[m->log_count++] = (uint32_t)lba * 2 + write;
}

static void count_log(const struct marks *m, size_t from, size_t to, const uint8_t *map,
		      struct area_totals *t)
{
	for (; from < to; from++) {
		uint32_t lba = m->log[from] / 2;
		enum area a = map ? map[lba] : AREA_OTHER;
		if (m->log[from] & 1)
			t->writes[a]++, t->all_writes++;
		else
			t->reads[a]++, t->all_reads++;
	}
}

static void write_mark_line(FILE *f, const struct mark *k, const struct area_totals *t)
{
	fprintf(f, "%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, k->value,
		k->cycle, k->sleep_cycles, k->sent, t->all_reads, t->all_writes);
	for (int i = 0; i < AREA_COUNT; i++)
		fprintf(f, "\t%" PRIu64 "\t%" PRIu64, t->reads[order[i]], t->writes[order[i]]);
	fprintf(f, "\t%" PRIu64 "\n", k->cycle - k->sleep_cycles - k->core_cycles);
}

int marks_write(const struct marks *m, const struct board *b, const char *path)
{
	FILE *f = open_file(path);
	uint8_t *map = b->card ? areas_map(&b->image) : NULL;
	struct area_totals t = { 0 };
	size_t from = 0;
	if (!f) {
		free(map);
		return -1;
	}
	fprintf(f, "mark\tcycle\tsleep\tsent\tread\twritten");
	for (int i = 0; i < AREA_COUNT; i++)
		fprintf(f, "\t%s_r\t%s_w", area_names[order[i]], area_names[order[i]]);
	fprintf(f, "\tkernel\n");
	for (size_t i = 0; i < m->count; i++) {
		count_log(m, from, m->list[i].blocks, map, &t);
		from = m->list[i].blocks;
		write_mark_line(f, &m->list[i], &t);
	}
	free(map);
	return close_file(f, path);
}

void marks_free(struct marks *m)
{
	free(m->list);
	free(m->log);
	memset(m, 0, sizeof *m);
}
