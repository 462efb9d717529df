// SPDX-License-Identifier: ISC
#ifndef OCTIX_REQUEST_H
#define OCTIX_REQUEST_H

// For interrupts only: makes the running process enter the kernel at its next instruction (tick.S). As no C function is called, an
// interrupt saves only what it uses.
static inline void kernel_request(void)
{
	__asm__ volatile("%~call kernel_request" : : : "r24", "memory");
}

// The body of a loop that waits for an interrupt or the hardware.
static inline void busy(void)
{
}

#endif
