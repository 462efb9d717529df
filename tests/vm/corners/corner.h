// SPDX-License-Identifier: ISC
//
// What the programs of this folder share. Each prints lines "WORDS HASH"; compiled for the host it prints what Octix must
// print. All values are defined by C and do not depend on the width of int, long and pointers. With -DVERBOSE each result
// stands on a line of its own.
#ifndef CORNER_H
#define CORNER_H

#include <stdint.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static uint64_t hash;

// Adds one result.
static NOINLINE void mix(uint64_t v)
{
	hash = (hash << 7 | hash >> 57) + (v ^ 0x9e3779b97f4a7c15);
#ifdef VERBOSE
	printf("  %08lx%08lx\n", (unsigned long)(v >> 32), (unsigned long)(v & 0xffffffff));
#endif
}

// Prints the line of what was mixed, and begins anew.
static NOINLINE void result(const char *words)
{
	printf("%s %08lx%08lx\n", words, (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffff));
	hash = 0;
}

#endif
