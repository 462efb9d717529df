// SPDX-License-Identifier: ISC
//
// Short sequences on all pairs of edge values, and on all words of an area of memory.
#ifndef PAIRS_H
#define PAIRS_H

#include "insn.h"

// Runs `code` on all pairs of edges: %0 is the result, %1 and %2 the operands, t0 and t1 are free.
#define PAIRS(name, code)                                                                          \
	static void test_##name(void)                                                              \
	{                                                                                          \
		for (int i = 0; i < EDGES; i++)                                                    \
			for (int j = 0; j < EDGES; j++) {                                          \
				uint32_t r;                                                        \
				__asm__ volatile(code : "=&r"(r) : "r"(edges[i]), "r"(edges[j])    \
						 : "t0", "t1", "memory");                          \
				mix(r);                                                            \
			}                                                                          \
		result(#name);                                                                     \
	}

#define LOW "\n andi %0, t0, 255"
#define HALF "\n slli %0, t0, 16\n srli %0, %0, 16"

#define TAKEN(branch) "li %0, 1\n " branch ", 1f\n li %0, 2\n1:"

static uint32_t area[160]; // pointers into it carry into their second byte

#define AT "\n add t0, %3, %2\n"
#define MEMORY(name, code)                                                                                   \
	static void test_##name(void)                                                                        \
	{                                                                                                    \
		for (unsigned i = 0; i < sizeof area / sizeof *area; i++)                                    \
			area[i] = edges[i % EDGES] * (i % 3) + i / 100;                                      \
		for (uint32_t at = 0; at < sizeof area - 16; at += 4) {                                      \
			uint32_t r;                                                                          \
			__asm__ volatile(code : "=&r"(r) : "r"(edges[at % EDGES]), "r"(at), "r"(area) : "t0", "t1", "memory"); \
			mix(r);                                                                              \
		}                                                                                            \
		for (unsigned i = 0; i < sizeof area / sizeof *area; i++)                                    \
			mix(area[i]);                                                                        \
		result(#name);                                                                               \
	}

#endif
