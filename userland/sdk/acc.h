// SPDX-License-Identifier: ISC
//
// The accumulator in the choice of bytecodes: which register's value it holds before an instruction, how many of its bytes, and
// whether the register itself holds it, too. Nothing is known at labels, and behind a block nothing is held in it alone.
#ifndef SDK_ACC_H
#define SDK_ACC_H

#include "select.h"

// States are numbers below ACC_STATES; 0: nothing is known.
enum { ACC_STATES = 1 + 16 * 3 * 2 };

enum { ACC_NO_SOURCE = 3 };

// A form on the accumulator.
struct acc_form {
	uint8_t op;     // OP_trap ends the table
	uint8_t base;   // what it does with registers
	uint8_t source; // which of the base's register operands comes from the accumulator, or ACC_NO_SOURCE
	uint8_t width;  // bytes of it that are used
};

extern const struct acc_form acc_forms[];

// Makes `step`, a choice at the first instruction of c, the form (NULL: leaves it as it is). Returns the state behind it, or -1 when
// the state before does not allow it.
int acc_step(const struct choices *c, unsigned state, const struct acc_form *form, struct choice *step);

#endif
