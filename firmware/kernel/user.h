// SPDX-License-Identifier: ISC
//
// System call arguments and the memory of the calling process.
#ifndef OCTIX_USER_H
#define OCTIX_USER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/proc.h"

// System calls return what the process finds in a0, sign-extended: -OX_E* or a count. Result of one that must wait: the
// call runs again when the process wakes.
#define AGAIN INT16_MIN

// The call leaves no result: it has set a0 itself, or another program or nobody would get it.
#define NO_RESULT (INT16_MIN + 1)

// High byte of these two, and of no result that a call gives.
#define SPECIAL 0x80

// Argument n (0..4) of the current system call.
uint32_t arg(uint8_t n);

// Argument n as a small number: a pid, a signal, a descriptor. What does not fit 16 bits is INT16_MAX, which is none of these.
int16_t arg_small(uint8_t n);

// Argument 2, a number of bytes: more than INT16_MAX is as much.
uint16_t arg_count(void);

// Argument n as an address. Fails with EFAULT above 64 KB.
uint16_t arg_address(uint8_t n);

// Ends the current system call at once with -OX_E*: the kernel stack is dropped. What the call holds must be let go before; only
// execve's new space is freed here.
void fail(int8_t error) __attribute__((noreturn));

// The same, unless error is 0.
void check(int8_t error);

// Gives a process any 32 bits as result of its call, also what looks like an error.
int16_t any_value(uint32_t value);

// Bytes from va to the end of its page, at most n.
uint16_t in_page(uint16_t va, uint16_t n);

// Copies between kernel and user memory of space `space`. 0, -OX_EFAULT or -OX_EIO.
int8_t copy_in(uint8_t space, void *to, uint16_t va, uint16_t n);
int8_t copy_out(uint8_t space, uint16_t va, const void *from, uint16_t n);

// Copies into the calling process; fails when that is not possible. 0.
int8_t give(uint16_t va, const void *from, uint16_t n);

// The kernel's address of a byte of user memory, good up to the end of its page; NULL: user_error says why, EFAULT or EIO.
uint8_t *user_byte(uint8_t space, uint16_t va, bool write);
int8_t user_error(void);

// The name of a process, or as much as it has left there, with what is not printable replaced; "-": it has no memory any more, or that cannot be read.
void proc_name(const struct proc *p, char name[NAME_SIZE]);

// Copies a string of less than `size` bytes; -OX_ENAMETOOLONG when it is longer.
int8_t copy_in_string(uint8_t space, char *to, uint16_t va, uint8_t size);

// The call may be left when the card makes it wait, until it changes something (card_restart): others run, and then the call runs again
// from its start. One that has been left a few times waits: it walks so far that what it needs may leave the pool before it gets there.
void may_leave(void);

// Argument n, a path, into PATH_A or PATH_B (PATH_SIZE bytes). Fails when that is not possible, or it is empty. The call may be left.
void arg_path(uint8_t n, char *to);

#endif
