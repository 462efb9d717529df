// SPDX-License-Identifier: ISC
#ifndef OCTIX_REQUEST_H
#define OCTIX_REQUEST_H

// For interrupts only: makes the running process enter the kernel at its next instruction (tick.S).
void kernel_request(void);

#endif
