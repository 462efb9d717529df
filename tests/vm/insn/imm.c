// SPDX-License-Identifier: ISC
//
// Register-immediate instructions: every form that the packer chooses by the immediate.
#include "insn.h"

#define ONE(op, imm)                                                                    \
	{                                                                               \
		uint32_t r, s = a;                                                      \
		__asm__ volatile(#op " %0, %1, " #imm : "=&r"(r) : "r"(a));             \
		mix(r);                                                                 \
		__asm__ volatile(#op " %0, %0, " #imm : "+r"(s));                       \
		mix(s);                                                                 \
		__asm__ volatile(#op " %0, x0, " #imm : "=r"(r));                       \
		mix(r);                                                                 \
		__asm__ volatile(#op " x0, %1, " #imm "\n mv %0, x0" : "=&r"(r) : "r"(a)); \
		mix(r);                                                                 \
	}

#define IMMEDIATES(op) ONE(op, 0) ONE(op, 1) ONE(op, -1) ONE(op, 2) ONE(op, -2) ONE(op, 5) ONE(op, 127) ONE(op, 128)  \
	ONE(op, 254) ONE(op, 255) ONE(op, 256) ONE(op, 257) ONE(op, -127) ONE(op, -128) ONE(op, -129) ONE(op, -255)   \
	ONE(op, -256) ONE(op, -257) ONE(op, 1023) ONE(op, 2047) ONE(op, -2048)

#define COUNTS(op) ONE(op, 0) ONE(op, 1) ONE(op, 2) ONE(op, 3) ONE(op, 4) ONE(op, 7) ONE(op, 8) ONE(op, 9) ONE(op, 15) \
	ONE(op, 16) ONE(op, 17) ONE(op, 23) ONE(op, 24) ONE(op, 25) ONE(op, 30) ONE(op, 31)

#define IMM(op, LIST)                                   \
	static void test_##op(void)                     \
	{                                               \
		for (int i = 0; i < EDGES; i++) {       \
			uint32_t a = edges[i];          \
			LIST(op)                        \
		}                                       \
		result(#op);                            \
	}

IMM(addi, IMMEDIATES)
IMM(slti, IMMEDIATES)
IMM(sltiu, IMMEDIATES)
IMM(xori, IMMEDIATES)
IMM(ori, IMMEDIATES)
IMM(andi, IMMEDIATES)
IMM(slli, COUNTS)
IMM(srli, COUNTS)
IMM(srai, COUNTS)

#define CONSTANT(v)                                            \
	{                                                      \
		uint32_t r;                                    \
		__asm__ volatile("li %0, " #v : "=r"(r));      \
		mix(r);                                        \
	}
#define UPPER(v)                                               \
	{                                                      \
		uint32_t r;                                    \
		__asm__ volatile("lui %0, " #v : "=r"(r));     \
		mix(r);                                        \
	}

static void test_constants(void)
{
	UPPER(0) UPPER(1) UPPER(7) UPPER(15) UPPER(16) UPPER(17) UPPER(0x7ffff) UPPER(0x80000) UPPER(0xfffff) UPPER(0x12345)
	result("lui");
	CONSTANT(0) CONSTANT(1) CONSTANT(255) CONSTANT(256) CONSTANT(-1) CONSTANT(-256) CONSTANT(-257) CONSTANT(65535)
	CONSTANT(65536) CONSTANT(65537) CONSTANT(-32768) CONSTANT(-65536) CONSTANT(0x7fffffff) CONSTANT(0x80000000)
	CONSTANT(0x12345678) CONSTANT(0xabcd0000) CONSTANT(2048) CONSTANT(0x7ff) CONSTANT(0x800) CONSTANT(0xfff)
	result("li");
	__asm__ volatile("fence\n fence rw, w");
	result("fence");
}

// A lui that is read more than once, and across branches.
static void test_shared_lui(void)
{
	for (int i = 0; i < EDGES; i++) {
		uint32_t r, s, t, a = edges[i];
		__asm__ volatile("lui %0, 0x12345\n addi %1, %0, 0x678\n addi %2, %0, -1\n beqz %3, 1f\n xor %0, %0, %3\n1: add %1, %1, %0"
				 : "=&r"(r), "=&r"(s), "=&r"(t) : "r"(a));
		mix(r);
		mix(s);
		mix(t);
	}
	result("lui+addi");
}

static void test(void)
{
	test_addi();
	test_slti();
	test_sltiu();
	test_xori();
	test_ori();
	test_andi();
	test_slli();
	test_srli();
	test_srai();
	test_constants();
	test_shared_lui();
}
