// SPDX-License-Identifier: ISC
//
// Messages and memory for the host tools: every failure is one line on stderr and an exit status.
#ifndef SDK_DIAG_H
#define SDK_DIAG_H

#include <stddef.h>

enum { EXIT_USAGE = 2 };

// Name printed before each message; set once by main().
extern const char *diag_name;

// Prints "name: message" and exits with status 1.
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

// Prints "name: message" and goes on.
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

// Memory that is never short: zeroed n * size bytes, or die().
void *xcalloc(size_t n, size_t size);

// Grows an array to at least n members of the given size; *cap is in members. New members are not cleared.
void *xgrow(void *p, size_t *cap, size_t n, size_t size);

char *xstrdup(const char *s);

#endif
