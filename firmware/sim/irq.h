// SPDX-License-Identifier: ISC
// Interrupt controller. simavr's own queues an interrupt when its flag rises; on the chip an
// interrupt is pending as long as flag and enable bit are both set. This one looks at the bits.
#ifndef SIM_IRQ_H
#define SIM_IRQ_H

#include <stdbool.h>
#include <stdint.h>

struct board;
struct avr_int_vector_t;

struct irq_source {
	struct avr_int_vector_t *vector;
	uint16_t enable_reg, flag_reg;          // flag_reg 0: simavr's "pending" counts
	uint8_t enable_mask, flag_mask;
	bool sticky;                            // flag is not cleared on entry
};

struct irqs {
	struct irq_source source[64];           // by vector number, lowest (most urgent) first
	int count;
	uint64_t taken;
};

// Takes over simavr's table of vectors; hooks the enable registers.
void irq_init(struct board *b);

// A flag or an enable bit may have risen: look after this instruction.
void irq_check(struct board *b);

// Called after an instruction while avr->interrupt_state is not 0: counts the one-instruction
// delay after SEI and RETI, then enters the most urgent pending interrupt.
void irq_service(struct board *b);

// Enters the most urgent pending interrupt now, awake from sleep, if there is one and interrupts are on.
bool irq_enter(struct board *b);

// Empties simavr's own queue, which would else suppress a second raise.
void irq_drain(struct board *b);

#endif
