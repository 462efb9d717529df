// SPDX-License-Identifier: ISC
// Interrupt controller: see irq.h. Timing from the data sheets, "Interrupt Response Time".
#include "irq.h"

#include <simavr/sim_avr.h>
#include <stdlib.h>

#include "board.h"

#include <simavr/sim_core.h>

struct chained {
	struct board *board;
	avr_io_write_t fn;
	void *arg;
};

static void write_enable(avr_t *avr, avr_io_addr_t addr, uint8_t v, void *arg)
{
	struct chained *next = arg;
	if (next->fn)
		next->fn(avr, addr, v, next->arg);
	else
		avr->data[addr] = v;
	irq_check(next->board);
}

static void hook_enable(struct board *b, uint16_t reg)
{
	avr_t *avr = b->avr;
	unsigned io = AVR_DATA_TO_IO(reg);
	if (!reg || avr->io[io].w.c == write_enable)
		return;
	struct chained *c = board_alloc(b, sizeof *c);
	if (!c)
		return;
	*c = (struct chained){ b, avr->io[io].w.c, avr->io[io].w.param };
	board_on_write(b, reg, write_enable, c);
}

// Receive complete and data register empty are levels: reading or writing data clears them.
static bool is_level(const struct irq_source *s)
{
	bool uart = s->flag_reg == REG_UART0 || s->flag_reg == REG_UART1;
	return uart && s->flag_mask & 0xa0;
}

static struct irq_source make_source(avr_int_vector_t *v)
{
	struct irq_source s = {
		.vector = v,
		.enable_reg = v->enable.reg,
		.enable_mask = (uint8_t)(v->enable.mask << v->enable.bit),
		.flag_reg = v->raised.reg,
		.flag_mask = (uint8_t)(v->raised.mask << v->raised.bit),
		.sticky = v->raise_sticky,
	};
	s.sticky |= is_level(&s);
	return s;
}

static int by_vector(const void *a, const void *b)
{
	const struct irq_source *x = a, *y = b;
	return x->vector->vector - y->vector->vector;
}

void irq_init(struct board *b)
{
	avr_int_table_t *table = &b->avr->interrupts;
	struct irqs *q = &b->irqs;
	for (int i = 0; i < table->vector_count && q->count < 64; i++)
		if (table->vector[i]->enable.reg)
			q->source[q->count++] = make_source(table->vector[i]);
	qsort(q->source, (size_t)q->count, sizeof q->source[0], by_vector);
	for (int i = 0; i < q->count; i++) {
		hook_enable(b, q->source[i].enable_reg);
		hook_enable(b, q->source[i].flag_reg);
	}
}

void irq_check(struct board *b)
{
	avr_t *avr = b->avr;
	if (avr->sreg[S_I] && avr->interrupt_state == 0)
		avr->interrupt_state = 1;
}

static bool is_pending(const struct board *b, const struct irq_source *s)
{
	const uint8_t *data = b->avr->data;
	if (!(data[s->enable_reg] & s->enable_mask))
		return false;
	return s->flag_reg ? data[s->flag_reg] & s->flag_mask : s->vector->pending;
}

static const struct irq_source *most_urgent(const struct board *b)
{
	for (int i = 0; i < b->irqs.count; i++)
		if (is_pending(b, &b->irqs.source[i]))
			return &b->irqs.source[i];
	return NULL;
}

void irq_drain(struct board *b)
{
	avr_int_pending_t *queue = &b->avr->interrupts.pending;
	while (queue->read != queue->write) {
		avr_int_vector_t *v = queue->buffer[queue->read];
		queue->read = (queue->read + 1) % avr_int_pending_fifo_size;
		if (v->raised.reg)
			v->pending = 0;
	}
}

bool irq_enter(struct board *b)
{
	avr_t *avr = b->avr;
	const struct irq_source *s = avr->sreg[S_I] ? most_urgent(b) : NULL;
	if (!s)
		return false;
	if (b->asleep) // also when it came together with the sleep instruction
		avr->cycle += b->chip->irq_cycles;
	b->asleep = false;
	_avr_push_addr(avr, avr->pc);
	avr_sreg_set(avr, S_I, 0);
	avr->pc = s->vector->vector * avr->vector_size;
	avr->cycle += b->chip->irq_cycles;
	avr_raise_irq(&s->vector->irq[AVR_INT_IRQ_RUNNING], 1);
	avr_raise_irq(&s->vector->irq[AVR_INT_IRQ_RUNNING], 0);
	s->vector->pending = 0;
	if (s->flag_reg && !s->sticky)
		avr->data[s->flag_reg] &= (uint8_t)~s->flag_mask;
	b->irqs.taken++;
	return true;
}

void irq_service(struct board *b)
{
	avr_t *avr = b->avr;
	if (avr->interrupt_state < 0 && ++avr->interrupt_state < 0)
		return;
	if (!irq_enter(b))
		avr->interrupt_state = 0;
}
