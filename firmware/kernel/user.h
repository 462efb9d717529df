// SPDX-License-Identifier: ISC
//
// System call arguments and the memory of the calling process.
#ifndef OCTIX_USER_H
#define OCTIX_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/proc.h"

// Result of a system call that must wait: the call runs again when the process wakes.
#define AGAIN INT32_MIN

// The call leaves no result: another program or nobody would get it.
#define NO_RESULT (INT32_MIN + 1)

// High byte of these two, and of no result that a call gives.
#define SPECIAL 0x80

// Argument n (0..4) of the current system call.
uint32_t arg(uint8_t n);

// Argument n as a small number: a pid, a signal, a descriptor. What does not fit 16 bits is INT16_MAX, which is none of these.
int16_t arg_small(uint8_t n);

// Argument n as an address; false: above 64 KB (EFAULT).
bool arg_address(uint8_t n, uint16_t *va);

// Copies between kernel and user memory of space `space`. 0, -OX_EFAULT or -OX_EIO.
int8_t copy_in(uint8_t space, void *to, uint16_t va, uint16_t n);
int8_t copy_out(uint8_t space, uint16_t va, const void *from, uint16_t n);

// Copies a string of less than `size` bytes; -OX_ENAMETOOLONG when it is longer.
int8_t copy_in_string(uint8_t space, char *to, uint16_t va, uint8_t size);

// Argument n, a path, into PATH_A or PATH_B (PATH_SIZE bytes).
int8_t arg_path(uint8_t n, char *to);

#endif
