// SPDX-License-Identifier: ISC
//
// What the parts of the Octix C library share. Not for programs.
#ifndef OCTIX_LIBC_PRIVATE_H
#define OCTIX_LIBC_PRIVATE_H

#include <octix/octix.h>
#include <sys/types.h>

// Hooks of exit(), filled in by what needs them.
enum { OCT_EXIT_FUNCTIONS, OCT_EXIT_STREAMS };
extern void (*__oct_at_exit[2])(void);

// Kernel calls under other names than the program's (syscalls.def).
int oct_fstat(int fd, struct oct_stat *st);
unsigned long oct_ids(int group);
int oct_utime(const char *path, unsigned long mtime);
int oct_sigmask(int how, unsigned long set, unsigned long *old);
int oct_sigsuspend(unsigned long mask);
unsigned long oct_sigpending(void);
unsigned long oct_alarm(unsigned long ms);
int oct_brk(unsigned end);
int oct_sleep(unsigned long ms);
unsigned long oct_time(void);
unsigned long oct_uptime(void);
int oct_clock(int clock, struct oct_time *t);
int oct_settime(const struct oct_time *t);
int oct_sem_open(unsigned long hash_low, unsigned long hash_high, int flags, unsigned value);
int oct_sem_close(int sem);
int oct_sem_unlink(unsigned long hash_low, unsigned long hash_high);
int oct_sem_wait(int sem, unsigned long ms);
int oct_sem_post(int sem);
int oct_sem_value(int sem);
int oct_nice(int which, int who, int value);

// A number in a text of /proc, and in that of a process, or -1 with errno.
long __oct_field(const char *path, const char *name);
long __oct_process(pid_t pid, const char *name);

// The argument vector, as the kernel has put it.
extern char **__oct_argv;

#endif
