// SPDX-License-Identifier: ISC
//
// Frame of the instruction tests, without a C library: start, output, a running hash. Each test prints a line
// "NAME COUNT HASH" for each instruction; with -DVERBOSE every result on a line of its own. The same source runs on
// Octix (bytecode and reference interpreter) and, with -DLINUX, as a Linux program under qemu-riscv32, which gives
// the expectations.
#ifndef INSN_H
#define INSN_H

#include <stdint.h>

enum {
#define SYSCALL(name, ...) SYS_##name,
#include <octix/syscalls.def>
#undef SYSCALL
};

#ifdef LINUX
#define CALL_NUMBER "a7"
#define NUMBER_WRITE 64
#define NUMBER_EXIT 93
#else
#define CALL_NUMBER "t0"
#define NUMBER_WRITE SYS_write
#define NUMBER_EXIT SYS__exit
#endif

// On Linux the number goes into a7, a register that RV32E does not have.
static inline int32_t call(int32_t number, int32_t x, const void *y, uint32_t z)
{
	register int32_t a0 __asm__("a0") = x;
	register const void *a1 __asm__("a1") = y;
	register uint32_t a2 __asm__("a2") = z;
	register int32_t t0 __asm__("t0") = number;

#ifdef LINUX
	__asm__ volatile(".option push\n .option arch, rv32im\n mv x17, %3\n .option pop\n ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(t0)
			 : "memory");
#else
	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(t0) : "memory");
#endif
	return a0;
}

static uint32_t hash, count;

static void put(const char *text, uint32_t n)
{
	call(NUMBER_WRITE, 1, text, n);
}

static char *hex(char *to, uint32_t v)
{
	for (int shift = 28; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[v >> shift & 15];
	return to;
}

static void line(const char *name, uint32_t a, uint32_t b)
{
	char text[48], *to = text;

	while (*name && to < text + 24)
		*to++ = *name++;
	*to++ = ' ';
	to = hex(to, a);
	*to++ = ' ';
	to = hex(to, b);
	*to++ = '\n';
	put(text, (uint32_t)(to - text));
}

// Adds one result.
static __attribute__((noinline)) void mix(uint32_t v)
{
	hash = (hash << 5 | hash >> 27) + (v ^ 0x9e3779b9);
	count++;
#ifdef VERBOSE
	line(" ", count, v);
#endif
}

// Prints the line of an instruction and begins anew.
static void result(const char *name)
{
	line(name, count, hash);
	hash = count = 0;
}

static const uint32_t edges[] = { 0, 1, 0xffffffff, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xff, 0x100, 0xffff, 0x10000,
				  0x00ffffff, 0x12345678, 0xfedcba98, 31, 32, 33, 0xfffffff0, 0x55555555, 0x8000, 7 };
enum { EDGES = sizeof edges / sizeof *edges };

static void test(void);

__attribute__((used)) static void begin(void)
{
	test();
	call(NUMBER_EXIT, 0, 0, 0);
	for (;;)
		;
}

__asm__(".section .text.start,\"ax\"\n.globl _start\n_start:\n call begin\n ebreak\n.text");

#endif
