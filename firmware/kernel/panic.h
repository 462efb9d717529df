// SPDX-License-Identifier: ISC
//
// Panic: the kernel has found that what must be true is not. It says where, with the process and the registers, and stops the machine.
// Who calls it: assert() (kernel/avr/assert.h), interrupts without a handler.
#ifndef OCTIX_PANIC_H
#define OCTIX_PANIC_H

#include <stdint.h>

// `saved` is one below r0 to r31 and the return address, as panic_here (panic.S) has pushed them.
void panic(const uint8_t *saved) __attribute__((noreturn, used));

// The byte between static data and the stack: start.S sets it, and only a stack that is too large changes it.
extern const volatile uint8_t stack_guard;
#define STACK_GUARD 0xa5

#endif
