// SPDX-License-Identifier: ISC
//
// Register-register instructions, in all ways in which their registers can coincide.
#include "insn.h"

#define ALU(op)                                                                               \
	static void test_##op(void)                                                           \
	{                                                                                     \
		for (int i = 0; i < EDGES; i++)                                               \
			for (int j = 0; j < EDGES; j++) {                                     \
				uint32_t a = edges[i], b = edges[j], r, s = a, t = b, u = a;  \
				__asm__ volatile(#op " %0, %1, %2" : "=&r"(r) : "r"(a), "r"(b)); \
				mix(r);                                                       \
				__asm__ volatile(#op " %0, %0, %1" : "+r"(s) : "r"(b));       \
				mix(s);                                                       \
				__asm__ volatile(#op " %0, %1, %0" : "+r"(t) : "r"(a));       \
				mix(t);                                                       \
				__asm__ volatile(#op " %0, %0, %0" : "+r"(u));                \
				mix(u);                                                       \
			}                                                                     \
		for (int i = 0; i < EDGES; i++) {                                             \
			uint32_t a = edges[i], r;                                             \
			__asm__ volatile(#op " %0, %1, %1" : "=&r"(r) : "r"(a));              \
			mix(r);                                                               \
			__asm__ volatile(#op " %0, x0, %1" : "=&r"(r) : "r"(a));              \
			mix(r);                                                               \
			__asm__ volatile(#op " %0, %1, x0" : "=&r"(r) : "r"(a));              \
			mix(r);                                                               \
			__asm__ volatile(#op " %0, %0, x0" : "+r"(a));                        \
			mix(a);                                                               \
			__asm__ volatile(#op " x0, %1, %1\n mv %0, x0" : "=&r"(r) : "r"(a));  \
			mix(r);                                                               \
		}                                                                             \
		result(#op);                                                                  \
	}

#define ALL(X) X(add) X(sub) X(sll) X(slt) X(sltu) X(xor) X(srl) X(sra) X(or) X(and) \
	X(mul) X(mulh) X(mulhsu) X(mulhu) X(div) X(divu) X(rem) X(remu)
ALL(ALU)

#define RUN(op) test_##op();

static void test(void)
{
	ALL(RUN)
}
