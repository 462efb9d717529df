// SPDX-License-Identifier: ISC
//
// Costs of programs by block. Leaving out one more opcode changes only the blocks that use it, and what other opcodes
// are worth only in blocks that would use it instead of them.
#include "worth.h"

#include "counts.h"
#include "diag.h"
#include "opset.h"
#include "select.h"

#include <stdlib.h>
#include <string.h>

enum { CYCLES_PART = 70, BYTES_PART = 30 };

bool op_removable(unsigned op)
{
	static const uint8_t together[] = { OP_push, OP_pop, OP_popret, OP_zexth, OP_beqb, OP_bneb, OP_bltub, OP_bgeub };

	return !op_basic(op) && !memchr(together, (int)op, sizeof together);
}

static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = xstrdup(slash ? slash + 1 : path), *dot = strrchr(name, '.');

	if (dot && strcmp(dot, ".elf") == 0)
		*dot = 0;
	return name;
}

void samples_add(struct samples *s, const char *elf, const char *counts, double weight)
{
	s->list = xgrow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	s->list[s->n++] = (struct sample){ .elf = elf, .counts = counts, .name = name_of(elf), .weight = weight };
}

// The most that an instruction from index i to `end` was counted.
static uint64_t most_of(const struct program *p, const struct counts *c, uint32_t i, uint32_t end)
{
	uint64_t most = 0;
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (c->list[mid].addr < insn_addr(p, i))
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < c->n && c->list[low].addr < insn_addr(p, end); low++)
		most = c->list[low].n > most ? c->list[low].n : most;
	return most;
}

// How often each instruction from index i to `end` ran, labels nowhere between: up to a branch all as often. Only the first of those
// that one bytecode stands for was counted.
static void set_runs(struct sample *s, const struct counts *c, uint32_t i, uint32_t end)
{
	for (uint32_t next; i < end; i = next) {
		uint64_t runs;

		for (next = i + 1; next < end && !rv_is_branch(s->program.insns[next - 1].rv.op); next++)
			;
		runs = most_of(&s->program, c, i, next);
		s->insns += runs * (next - i);
		while (i < next)
			s->runs[i++] = runs;
	}
}

static void add_block(struct samples *s, const struct block *b)
{
	s->blocks = xgrow(s->blocks, &s->blocks_cap, s->nblocks + 1, sizeof *s->blocks);
	s->blocks[s->nblocks++] = *b;
}

static void each_block(struct sample *sample, const struct unit *u, const struct counts *c, struct samples *s)
{
	struct program *p = &sample->program;
	struct insn **in = xcalloc(u->end - u->start, sizeof(struct insn *));

	for (uint32_t i = u->start, end; i < u->end; i = end) {
		struct block b = { .sample = (uint32_t)(sample - s->list) };
		size_t n;

		end = block_at(p, i, u->end, in, &n);
		set_runs(sample, c, i, end);
		if (!n)
			continue;
		b.n = (uint32_t)n;
		b.in = xcalloc(n, sizeof(struct insn *));
		memcpy(b.in, in, n * sizeof(struct insn *));
		add_block(s, &b);
	}
	free(in);
}

static void load(struct sample *sample, struct samples *s)
{
	static const struct profile none;
	struct program *p = &sample->program;
	struct counts c = { 0 };

	if (sample->counts)
		counts_read(&c, sample->counts);
	*p = (struct program){ .narrow = true };
	analyse(p, elf_load(sample->elf), &none);
	p->out_of = xcalloc(p->ninsns, sizeof *p->out_of);
	sample->runs = xcalloc(p->ninsns, sizeof *sample->runs);
	for (size_t i = 0; i < p->norder; i++)
		each_block(sample, &p->units[p->order[i]], &c, s);
	if (sample->counts && !sample->insns)
		die("%s: says that nothing of %s ran", sample->counts, sample->elf);
	free(c.list);
}

// The bytecodes of a block; they stand in the program's outs until the next call.
static size_t select_again(const struct samples *s, const struct block *b)
{
	struct program *p = &s->list[b->sample].program;

	p->nouts = 0;
	select_block(p, b->in, b->n);
	return p->nouts;
}

static struct cost cost_of(const struct samples *s, struct block *b)
{
	const struct sample *sample = &s->list[b->sample];
	const struct out *o;
	struct cost c = { 0 };
	size_t n = select_again(s, b);

	o = sample->program.outs;
	for (size_t i = 0; i < n; i++) {
		b->touched[o[i].op / 64] |= 1ull << o[i].op % 64;
		c.cycles += (double)sample->runs[(o[i].from - sample->program.elf->text) / 4] * op_cycles(o[i].op);
		c.bytes += op_bytes(o[i].op);
	}
	return c;
}

static void add_loss(struct block *b, unsigned op)
{
	for (uint32_t i = 0; i < b->nlosses; i++)
		if (b->losses[i].op == op)
			return;
	b->losses = realloc(b->losses, (b->nlosses + 1) * sizeof *b->losses);
	if (!b->losses)
		die("out of memory");
	b->losses[b->nlosses++] = (struct loss){ .op = (uint8_t)op };
}

// The block's cost, and what it would lose by each removable opcode in it.
static void weigh(struct samples *s, struct block *b)
{
	size_t n = select_again(s, b);
	const struct out *o = s->list[b->sample].program.outs;

	b->nlosses = 0;
	memset(b->touched, 0, sizeof b->touched);
	for (size_t i = 0; i < n; i++)
		if (op_removable(o[i].op))
			add_loss(b, o[i].op);
	b->cost = cost_of(s, b);
	for (uint32_t i = 0; i < b->nlosses; i++) {
		struct loss *l = &b->losses[i];
		struct cost without;

		op_use(l->op, false);
		without = cost_of(s, b);
		op_use(l->op, true);
		l->cycles = (float)(without.cycles - b->cost.cycles);
		l->bytes = (float)(without.bytes - b->cost.bytes);
	}
}

// Adds a block's losses to what the opcodes are worth, or takes them away.
static void count_losses(struct samples *s, const struct block *b, double sign)
{
	const struct sample *sample = &s->list[b->sample];

	if (!sample->chosen_on)
		return;
	for (uint32_t i = 0; i < b->nlosses; i++) {
		const struct loss *l = &b->losses[i];

		s->worth[l->op].cycles += sign * sample->per_cycle * (double)l->cycles;
		s->worth[l->op].bytes += sign * sample->per_byte * (double)l->bytes;
	}
}

static struct cost sum(const struct samples *s, size_t sample)
{
	struct cost c = { 0 };

	for (size_t i = 0; i < s->nblocks; i++) {
		if (s->blocks[i].sample != sample)
			continue;
		c.cycles += s->blocks[i].cost.cycles;
		c.bytes += s->blocks[i].cost.bytes;
	}
	return c;
}

void samples_load(struct samples *s)
{
	for (size_t i = 0; i < s->n; i++)
		load(&s->list[i], s);
	for (size_t i = 0; i < s->nblocks; i++)
		s->blocks[i].cost = cost_of(s, &s->blocks[i]);
	for (size_t i = 0; i < s->n; i++) {
		s->list[i].whole = sum(s, i);
		s->list[i].chosen_on = true;
	}
}

// What a cycle and a byte of each sample cost, so that those that take part, or all others, come to 100 with the whole table.
static void set_prices(const struct samples *s, bool chosen_on)
{
	double for_cycles = 0, for_bytes = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->list[i].chosen_on != chosen_on)
			continue;
		for_cycles += s->list[i].counts ? s->list[i].weight : 0;
		for_bytes += s->list[i].weight;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct sample *sample = &s->list[i];

		if (sample->chosen_on != chosen_on)
			continue;
		sample->per_cycle = sample->counts ? CYCLES_PART * sample->weight / for_cycles / sample->whole.cycles : 0;
		sample->per_byte = BYTES_PART * sample->weight / for_bytes / sample->whole.bytes;
	}
}

void samples_weigh(struct samples *s)
{
	set_prices(s, true);
	set_prices(s, false);
	memset(s->worth, 0, sizeof s->worth);
	for (size_t i = 0; i < s->nblocks; i++) {
		weigh(s, &s->blocks[i]);
		count_losses(s, &s->blocks[i], 1);
	}
}

void samples_remove(struct samples *s, unsigned op)
{
	op_use(op, false);
	for (size_t i = 0; i < s->nblocks; i++) {
		if (!(s->blocks[i].touched[op / 64] >> op % 64 & 1))
			continue;
		count_losses(s, &s->blocks[i], -1);
		weigh(s, &s->blocks[i]);
		count_losses(s, &s->blocks[i], 1);
	}
	s->worth[op] = (struct cost){ 0 };
}

struct cost sample_cost(const struct samples *s, size_t i)
{
	return sum(s, i);
}

struct cost samples_cost(const struct samples *s, bool chosen_on)
{
	struct cost all = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		struct cost c = { 0 };

		if (s->list[i].chosen_on != chosen_on)
			continue;
		c = sum(s, i);
		all.cycles += c.cycles * s->list[i].per_cycle;
		all.bytes += c.bytes * s->list[i].per_byte;
	}
	return all;
}

struct cost sample_again(const struct sample *s)
{
	struct samples one = { 0 };
	struct cost c;

	samples_add(&one, s->elf, s->counts, s->weight);
	samples_load(&one);
	c = one.list[0].whole;
	free(one.list[0].name);
	free(one.list[0].runs);
	free(one.list);
	free(one.blocks);
	return c;
}
