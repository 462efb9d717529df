// SPDX-License-Identifier: ISC
//
// The cheapest bytecodes for each block: of all ways to come to an instruction, the cheapest one for each thing that the
// accumulator may hold there.
#include "select.h"

#include "acc.h"
#include "diag.h"
#include "opset.h"

#include <stdlib.h>

// What a handler's cycle and a byte of code cost: speed counts most, but pages are read from the card.
enum { PER_CYCLE = 7, PER_BYTE = 6 };

// The cost of an opcode that is left out.
enum { NOT_TO_BE = 1 << 30 };

struct out *offer(struct choices *c, unsigned insns, unsigned op)
{
	struct choice *new = &c->list[c->n++];

	if (c->n > MAX_CHOICES)
		die("internal: more than %d choices", MAX_CHOICES);
	*new = (struct choice){ .insns = (uint8_t)insns };
	new->out.op = (uint8_t)op;
	new->out.from = insn_addr(c->p, (size_t)(c->in[0] - c->p->insns));
	return &new->out;
}

void offer_r(struct choices *c, unsigned insns, unsigned op, unsigned a, unsigned b, unsigned d, uint32_t value)
{
	struct out *o = offer(c, insns, op);

	o->r[0] = (uint8_t)a;
	o->r[1] = (uint8_t)b;
	o->r[2] = (uint8_t)d;
	o->value = value;
}

void offer_branch(struct choices *c, unsigned insns, unsigned op, unsigned a, unsigned b, uint32_t value, uint32_t target)
{
	offer_r(c, insns, op, a, b, 0, value);
	c->list[c->n - 1].out.target = target;
}

void offer_nothing(struct choices *c, unsigned insns)
{
	offer(c, insns, OP_trap);
	c->list[c->n - 1].nothing = true;
}

static unsigned cost(const struct out *o)
{
	if (!op_usable(o->op))
		return NOT_TO_BE;
	return op_favoured(o->op) ? 1 : PER_CYCLE * op_cycles(o->op) + PER_BYTE * op_bytes(o->op);
}

static void put(struct program *p, const struct out *o)
{
	p->outs = xgrow(p->outs, &p->outs_cap, p->nouts + 1, sizeof *p->outs);
	p->outs[p->nouts++] = *o;
}

// The cheapest way to a state of the accumulator before an instruction: its last step.
struct way {
	unsigned cost;  // from the block's start
	uint16_t state; // before the step
	struct choice step;
};

enum { UNREACHED = ~0u };

struct block {
	struct program *p;
	struct insn *const *in;
	size_t n;
	struct way *ways; // ACC_STATES for each instruction and for the end
};

static struct way *way_to(const struct block *b, size_t k, unsigned state)
{
	return &b->ways[k * ACC_STATES + state];
}

// A choice at the k-th instruction is a way to the one behind it, if the accumulator allows.
static void try_step(const struct block *b, size_t k, unsigned state, const struct choices *c, const struct choice *choice,
		     const struct acc_form *form)
{
	struct choice step = *choice;
	size_t next = k + choice->insns;
	unsigned sum = way_to(b, k, state)->cost;
	int after = acc_step(c, state, form, &step);
	struct way *w;

	if (after < 0)
		return;
	sum += step.nothing ? 0 : cost(&step.out);
	w = way_to(b, next, next == b->n ? 0 : (unsigned)after);
	if (sum >= w->cost)
		return;
	*w = (struct way){ sum, (uint16_t)state, step };
}

static void try_all(const struct block *b, size_t k)
{
	struct choices c = { .p = b->p, .in = b->in + k, .left = b->n - k };

	single_forms(&c);
	fused_forms(&c);
	for (unsigned state = 0; state < ACC_STATES; state++) {
		if (way_to(b, k, state)->cost >= NOT_TO_BE)
			continue;
		for (size_t i = 0; i < c.n; i++) {
			try_step(b, k, state, &c, &c.list[i], NULL);
			for (const struct acc_form *f = acc_forms; f->op; f++)
				if (f->base == c.list[i].out.op && !c.list[i].nothing)
					try_step(b, k, state, &c, &c.list[i], f);
		}
	}
}

static bool reached(const struct block *b, size_t k)
{
	for (unsigned state = 0; state < ACC_STATES; state++)
		if (way_to(b, k, state)->cost < NOT_TO_BE)
			return true;
	return false;
}

// Puts out the cheapest way through the block.
static void put_ways(const struct block *b)
{
	struct program *p = b->p;
	struct way **path = xcalloc(b->n, sizeof *path);
	size_t steps = 0;

	for (size_t k = b->n, state = 0; k > 0;) {
		struct way *w = way_to(b, k, (unsigned)state);

		path[steps++] = w;
		k -= w->step.insns;
		state = w->state;
	}
	for (size_t k = 0; steps > 0; k += path[steps]->step.insns) {
		const struct choice *step = &path[--steps]->step;

		for (size_t i = k; i < k + step->insns; i++)
			p->out_of[b->in[i] - p->insns] = (uint32_t)p->nouts;
		if (!step->nothing)
			put(p, &step->out);
	}
	free(path);
}

void select_block(struct program *p, struct insn *const *in, size_t n)
{
	struct block b = { p, in, n, xcalloc((n + 1) * ACC_STATES, sizeof(struct way)) };

	for (size_t i = 1; i < (n + 1) * ACC_STATES; i++)
		b.ways[i].cost = UNREACHED;
	for (size_t k = 0; k < n; k++)
		if (reached(&b, k))
			try_all(&b, k);
	if (way_to(&b, n, 0)->cost >= NOT_TO_BE)
		refuse(p, insn_addr(p, (size_t)(in[0] - p->insns)), "internal: the basic opcodes do not suffice");
	put_ways(&b);
	free(b.ways);
}

uint32_t block_at(struct program *p, uint32_t i, uint32_t end, struct insn **in, size_t *n)
{
	*n = 0;
	do {
		p->out_of[i] = (uint32_t)p->nouts;
		if (p->insns[i].code && p->insns[i].rv.op != RV_NONE)
			in[(*n)++] = &p->insns[i];
		i++;
	} while (i < end && !p->insns[i].leader);
	return i;
}

// Control that runs on behind the unit's end.
static void select_end(struct program *p, const struct unit *u)
{
	struct out o = { .from = insn_addr(p, u->end - 1) };
	bool trap;
	const struct unit *next = falls_into(p, u, &trap);

	o.op = next ? OP_j : OP_trap;
	o.target = next ? insn_addr(p, next->start) : 0;
	if (next || trap)
		put(p, &o);
}

void select_ops(struct program *p)
{
	p->out_of = xcalloc(p->ninsns, sizeof *p->out_of);
	for (size_t n = 0; n < p->norder; n++) {
		struct unit *u = &p->units[p->order[n]];
		struct insn **in = xcalloc(u->end - u->start, sizeof(struct insn *));
		size_t block;

		u->out = p->nouts;
		for (uint32_t i = u->start; i < u->end;) {
			i = block_at(p, i, u->end, in, &block);
			select_block(p, in, block);
		}
		select_end(p, u);
		u->nouts = p->nouts - u->out;
		free(in);
	}
}
