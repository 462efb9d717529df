// SPDX-License-Identifier: ISC
//
// The cheapest bytecodes for each block: from its end backwards, the best of all choices at each instruction.
#include "select.h"

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

static unsigned cost(const struct choice *c)
{
	if (!op_usable(c->out.op))
		return NOT_TO_BE;
	return c->nothing ? 0 : PER_CYCLE * op_cycles(c->out.op) + PER_BYTE * op_bytes(c->out.op);
}

static void put(struct program *p, const struct out *o)
{
	p->outs = xgrow(p->outs, &p->outs_cap, p->nouts + 1, sizeof *p->outs);
	p->outs[p->nouts++] = *o;
}

// best[k], total[k]: the cheapest way on from instruction k of the block, and what it costs to the end.
static void choose(struct program *p, struct insn *const *in, size_t n, struct choice *best, unsigned *total)
{
	total[n] = 0;
	for (size_t k = n; k-- > 0;) {
		struct choices c = { .p = p, .in = in + k, .left = n - k };

		single_forms(&c);
		fused_forms(&c);
		total[k] = ~0u;
		for (size_t i = 0; i < c.n; i++) {
			unsigned sum = cost(&c.list[i]) + total[k + c.list[i].insns];

			if (sum >= total[k])
				continue;
			total[k] = sum;
			best[k] = c.list[i];
		}
		if (total[k] >= NOT_TO_BE)
			refuse(p, insn_addr(p, (size_t)(in[k] - p->insns)), "internal: the basic opcodes do not suffice");
	}
}

void select_block(struct program *p, struct insn *const *in, size_t n)
{
	struct choice *best = xcalloc(n + 1, sizeof *best);
	unsigned *total = xcalloc(n + 1, sizeof *total);

	choose(p, in, n, best, total);
	for (size_t k = 0; k < n;) {
		for (size_t i = k; i < k + best[k].insns; i++)
			p->out_of[in[i] - p->insns] = (uint32_t)p->nouts;
		if (!best[k].nothing)
			put(p, &best[k].out);
		k += best[k].insns;
	}
	free(best);
	free(total);
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
