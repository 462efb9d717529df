// SPDX-License-Identifier: ISC
//
// The system calls of octix/syscalls.def, passed through to the host. A handler that is missing answers ENOSYS.
#ifndef SDK_SYS_H
#define SDK_SYS_H

#include "space.h"

enum {
#define SYSCALL(name, ...) SYS_##name,
#include <octix/syscalls.def>
#undef SYSCALL
	SYS_COUNT
};

// A process's side of the system calls.
struct sys {
	struct space *space;
	const char *root;     // directory that stands for /, or NULL
	bool strict;          // tell of calls that are not there
	char *const *self;    // host command that runs a program, up to its path; NULL: execve fails
	const uint64_t *clock; // what cycles() returns
	bool forked;          // the call was fork or vfork, and this is the child
	bool exited;
	int status;           // of _exit
};

// Name of a system call, or NULL.
const char *sys_name(uint32_t number);

// Does a system call: arguments a0..a4, result for a0. Sets exited for _exit.
uint32_t sys_call(struct sys *s, uint32_t number, const uint32_t *arg);

// What the handlers use.
typedef int32_t sys_handler(struct sys *s, const uint32_t *arg);
#define SYSCALL(name, ...) sys_handler sys_##name __attribute__((weak));
#include <octix/syscalls.def>
#undef SYSCALL

// -errno of the program for the host's errno.
int32_t sys_error(int error);

// result, or -errno when it is negative.
int32_t sys_result(long result);

// Host address of n bytes of the process, or NULL (EFAULT).
void *sys_bytes(const struct sys *s, uint32_t addr, uint32_t n, unsigned how);

// Copies a string of the process into at most n bytes. Returns 0 or -errno.
int32_t sys_string(const struct sys *s, uint32_t addr, char *to, size_t n);

// The same for a path, with `root` put before absolute ones.
int32_t sys_path(const struct sys *s, uint32_t addr, char *to, size_t n);

// An id of this machine as Octix has it: those that it has not are its highest.
uint8_t sys_small_id(unsigned id);

// Signal numbers of program and host; -1 for none.
int sys_host_signal(int sig);
int sys_octix_signal(int host);

#endif
