// SPDX-License-Identifier: ISC
//
// Profiles: which functions of a program run, which parts of them, and which run close together. oxrun records them,
// oxpack lays pages out by them; OXE.md has the format of the file.
#ifndef SDK_PROFILE_H
#define SDK_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROFILE_NONE = 0xffff };

struct profile_function {
	char *name;
	uint32_t size;    // bytes of RV32 code
	uint8_t *ran;     // for each word of it
};

// The functions that a stretch of a run uses, ascending.
struct profile_window {
	size_t n;
	uint16_t *functions;
};

// A run: numbers of its windows, in the order of time.
struct profile_run {
	size_t n;
	uint32_t *windows;
};

struct profile {
	struct profile_function *functions;
	size_t nfunctions, functions_cap;
	struct profile_window *windows; // no two are the same
	size_t nwindows, windows_cap;
	struct profile_run *runs;
	size_t nruns, runs_cap;
};

// Adds what a file says; dies with the place when it is no profile.
void profile_read(struct profile *p, const char *path);

// Opens the file, made if it is not there, for this process alone until it closes what is returned: processes that are recorded end together.
int profile_lock(const char *path);

void profile_write(const struct profile *p, const char *path);

// The function of this name and size, added when there is none yet.
uint16_t profile_function(struct profile *p, const char *name, uint32_t size);

// The number of the window with these functions, added when there is none yet. They are in any order, each once, and get sorted.
uint32_t profile_window(struct profile *p, uint16_t *functions, size_t n);

void profile_run(struct profile *p, const uint32_t *windows, size_t n);

// Adds another profile.
void profile_merge(struct profile *p, const struct profile *other);

#endif
