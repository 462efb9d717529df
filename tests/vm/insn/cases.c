// SPDX-License-Identifier: ISC
//
// What the case lists of riscv-tests and riscv-arch-test ask for and the other programs do not run: walking bits, every
// register in every place, every shift count, every bit of an immediate, an offset and a distance. See tests/vm/CASES.md.
#include "insn.h"

#define NOINLINE __attribute__((noinline))

// ---- values

static const uint32_t partners[] = { 3, 0xffffffff, 0x80000000, 0xb505, 0x66666666, 0xaaaaaaab, 0x0002fe7d, 0x81818181 };
static const uint32_t patterns[] = { 0x55555555, 0xaaaaaaaa, 0x33333333, 0xcccccccc, 0x66666666, 0x99999999, 0xb504, 0xb505,
				     0xffff4afc, 0xffff4afb, 0xff000000, 0xffff8000, 0x21212121, 0x00ff00ff, 0x0ff00ff0 };
enum { PARTNERS = sizeof partners / sizeof *partners, PATTERNS = sizeof patterns / sizeof *patterns, VALUES = 64 + PATTERNS };

// One bit set, one bit clear, patterns.
static uint32_t value(int i)
{
	if (i < 32)
		return 1u << i;
	return i < 64 ? ~(1u << (i - 32)) : patterns[i - 64];
}

#define PAIR(op)                                                                             \
	static NOINLINE uint32_t pair_##op(uint32_t a, uint32_t b)                           \
	{                                                                                    \
		__asm__ volatile(#op " %0, %0, %1" : "+r"(a) : "r"(b));                      \
		return a;                                                                    \
	}                                                                                    \
	static void values_##op(void)                                                        \
	{                                                                                    \
		for (int i = 0; i < VALUES; i++)                                             \
			for (int j = 0; j < PARTNERS; j++) {                                 \
				mix(pair_##op(value(i), partners[j]));                       \
				mix(pair_##op(partners[j], value(i)));                       \
			}                                                                    \
		result(#op " values");                                                       \
	}

#define REGISTER_OPS(X) X(add) X(sub) X(sll) X(slt) X(sltu) X(xor) X(srl) X(sra) X(or) X(and) \
	X(mul) X(mulh) X(mulhsu) X(mulhu) X(div) X(divu) X(rem) X(remu)
REGISTER_OPS(PAIR)

// ---- immediates: each bit set, each bit clear, patterns; each shift count

#define IN_PLACE(op, imm)                                                                    \
	{                                                                                    \
		uint32_t r, s = a;                                                           \
		__asm__ volatile(#op " %0, %1, " #imm : "=&r"(r) : "r"(a));                  \
		mix(r);                                                                      \
		__asm__ volatile(#op " %0, %0, " #imm : "+r"(s));                            \
		mix(s);                                                                      \
	}
#define FOUR(op, i, j, k, l) IN_PLACE(op, i) IN_PLACE(op, j) IN_PLACE(op, k) IN_PLACE(op, l)
#define BITS(op) FOUR(op, 4, 8, 16, 32) FOUR(op, 64, 512, 1024, -2048) FOUR(op, -3, -5, -9, -17) FOUR(op, -33, -65, -513, -1025) \
	FOUR(op, 0x555, -0x556, 0x333, -0x334) FOUR(op, 0x666, -0x667, 45, 46) FOUR(op, -45, -46, 0x7fe, -2047)
#define COUNTS(op) FOUR(op, 0, 1, 2, 3) FOUR(op, 4, 5, 6, 7) FOUR(op, 8, 9, 10, 11) FOUR(op, 12, 13, 14, 15) \
	FOUR(op, 16, 17, 18, 19) FOUR(op, 20, 21, 22, 23) FOUR(op, 24, 25, 26, 27) FOUR(op, 28, 29, 30, 31)

#define IMMEDIATE(op, LIST)                                                                  \
	static NOINLINE void immediate_##op(uint32_t a)                                      \
	{                                                                                    \
		LIST(op)                                                                     \
	}                                                                                    \
	static void values_##op(void)                                                        \
	{                                                                                    \
		for (int i = 0; i < VALUES; i += 5)                                          \
			immediate_##op(value(i));                                            \
		for (int i = 0; i < PARTNERS; i++)                                           \
			immediate_##op(partners[i]);                                         \
		result(#op " bits");                                                         \
	}

#define BIT_OPS(X) X(addi) X(slti) X(sltiu) X(xori) X(ori) X(andi)
#define SHIFT_OPS(X) X(slli) X(srli) X(srai)
#define IMMEDIATE_BITS(op) IMMEDIATE(op, BITS)
#define IMMEDIATE_COUNTS(op) IMMEDIATE(op, COUNTS)
BIT_OPS(IMMEDIATE_BITS)
SHIFT_OPS(IMMEDIATE_COUNTS)

// A register count: only its low five bits count.
static void values_counts(void)
{
	for (uint32_t n = 0; n < 32; n++)
		for (int i = 0; i < PARTNERS; i++) {
			mix(pair_sll(partners[i], n));
			mix(pair_srl(partners[i], n | 0xffffffe0));
			mix(pair_sra(partners[i], n | 0x20));
		}
	result("register counts");
}

#define UPPER(v)                                                                             \
	{                                                                                    \
		uint32_t r;                                                                  \
		__asm__ volatile("lui %0, " #v "\n lui x0, " #v : "=r"(r));                  \
		mix(r);                                                                      \
	}

static void values_lui(void)
{
	UPPER(2) UPPER(4) UPPER(8) UPPER(0x20) UPPER(0x40) UPPER(0x80) UPPER(0x100) UPPER(0x200) UPPER(0x400) UPPER(0x800) UPPER(0x1000)
	UPPER(0x2000) UPPER(0x4000) UPPER(0x8000) UPPER(0x10000) UPPER(0x20000) UPPER(0x40000) UPPER(0xffffe) UPPER(0xffffd)
	UPPER(0xffff7) UPPER(0xfffef) UPPER(0xffeff) UPPER(0xfefff) UPPER(0xf7fff) UPPER(0xeffff) UPPER(0xbffff) UPPER(0x55555)
	UPPER(0xaaaaa) UPPER(0x33333) UPPER(0x66666)
	result("lui bits");
}

// ---- every register in every place. x1 to x15 stand in a ring; each macro gets four neighbours, the last for an address.

static volatile uint32_t out[60], saved[3];
__attribute__((used)) static uint32_t table[4] = { 0x8091a2b3, 0xc4d5e6f7, 0x17283940, 0xf1e2d3c4 };

__asm__(".macro ring m, op, arg\n"
	"\\m \\op, x1, x2, x3, x4, \\arg\n \\m \\op, x2, x3, x4, x5, \\arg\n \\m \\op, x3, x4, x5, x6, \\arg\n"
	"\\m \\op, x4, x5, x6, x7, \\arg\n \\m \\op, x5, x6, x7, x8, \\arg\n \\m \\op, x6, x7, x8, x9, \\arg\n"
	"\\m \\op, x7, x8, x9, x10, \\arg\n \\m \\op, x8, x9, x10, x11, \\arg\n \\m \\op, x9, x10, x11, x12, \\arg\n"
	"\\m \\op, x10, x11, x12, x13, \\arg\n \\m \\op, x11, x12, x13, x14, \\arg\n \\m \\op, x12, x13, x14, x15, \\arg\n"
	"\\m \\op, x13, x14, x15, x1, \\arg\n \\m \\op, x14, x15, x1, x2, \\arg\n \\m \\op, x15, x1, x2, x3, \\arg\n"
	".endm\n"
	".macro keep\n .set slot, 0\n lui t0, %hi(saved)\n sw sp, %lo(saved)(t0)\n sw gp, %lo(saved+4)(t0)\n sw tp, %lo(saved+8)(t0)\n .endm\n"
	".macro back\n lui t0, %hi(saved)\n lw sp, %lo(saved)(t0)\n lw gp, %lo(saved+4)(t0)\n lw tp, %lo(saved+8)(t0)\n .endm\n"
	".macro to d, b\n lui \\b, %hi(out+slot)\n sw \\d, %lo(out+slot)(\\b)\n .set slot, slot+4\n .endm\n"
	".macro two s, t\n li \\s, 0x89abcdef\n li \\t, 0x00012347\n .endm\n");

// Three registers; destination and first source the same; destination and second; all three.
__asm__(".macro register op, d, s, t, b, arg\n"
	"two \\s, \\t\n \\op \\d, \\s, \\t\n to \\d, \\b\n"
	"two \\d, \\t\n \\op \\d, \\d, \\t\n to \\d, \\b\n"
	"two \\d, \\s\n \\op \\d, \\s, \\d\n to \\d, \\b\n"
	"li \\d, 0x7654321\n \\op \\d, \\d, \\d\n to \\d, \\b\n .endm\n"
	".macro immediate op, d, s, t, b, arg\n"
	"two \\s, \\t\n \\op \\d, \\s, \\arg\n to \\d, \\b\n"
	"two \\d, \\t\n \\op \\d, \\d, \\arg\n to \\d, \\b\n .endm\n"
	".macro branch op, d, s, t, b, arg\n"
	"two \\s, \\t\n li \\d, 1\n \\op \\s, \\t, 1f\n li \\d, 2\n1: to \\d, \\b\n"
	"two \\s, \\t\n li \\d, 1\n \\op \\t, \\s, 1f\n li \\d, 2\n1: to \\d, \\b\n"
	"two \\s, \\t\n li \\d, 1\n \\op \\s, x0, 1f\n li \\d, 2\n1: to \\d, \\b\n .endm\n"
	".macro load op, d, s, t, b, arg\n"
	"lui \\s, %hi(table)\n addi \\s, \\s, %lo(table)\n \\op \\d, \\arg(\\s)\n to \\d, \\b\n"
	"lui \\d, %hi(table)\n addi \\d, \\d, %lo(table)\n \\op \\d, \\arg(\\d)\n to \\d, \\b\n .endm\n"
	".macro store op, d, s, t, b, arg\n"
	"li \\d, 0x8badf00d\n lui \\s, %hi(out+slot)\n addi \\s, \\s, %lo(out+slot)\n \\op \\d, \\arg(\\s)\n .set slot, slot+8\n .endm\n"
	".macro upper op, d, s, t, b, arg\n \\op \\d, \\arg\n to \\d, \\b\n .endm\n"
	".macro link op, d, s, t, b, arg\n"
	"li \\s, 1\n jal \\d, 1f\n j 2f\n1: addi \\s, \\s, 2\n jr \\d\n2: to \\s, \\b\n"
	"li \\t, 3\n lui \\d, %hi(1f)\n addi \\d, \\d, %lo(1f)\n jalr \\d, 0(\\d)\n j 2f\n1: addi \\t, \\t, 5\n jr \\d\n2: to \\t, \\b\n .endm\n");

#define RING(name, macro, op, arg)                                                            \
	static NOINLINE void name(void)                                                       \
	{                                                                                     \
		__asm__ volatile("keep\n ring " #macro ", " #op ", " #arg "\n back" : : :     \
				 "ra", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "memory"); \
		for (int i = 0; i < 60; i++) {                                                \
			mix(out[i]);                                                          \
			out[i] = 0;                                                           \
		}                                                                             \
		result(#op " " #arg " all");                                                  \
	}

#define RING_REGISTER(op) RING(ring_##op, register, op, )
#define RING_BITS(op) RING(ring_##op, immediate, op, 99) RING(ring2_##op, immediate, op, -999)
#define RING_COUNTS(op) RING(ring_##op, immediate, op, 1) RING(ring2_##op, immediate, op, 8) RING(ring3_##op, immediate, op, 13) \
	RING(ring4_##op, immediate, op, 16) RING(ring5_##op, immediate, op, 24)
#define RING_BRANCH(op) RING(ring_##op, branch, op, )
#define RING_LOAD(op) RING(ring_##op, load, op, 0) RING(ring2_##op, load, op, 4)
#define RING_STORE(op) RING(ring_##op, store, op, 0) RING(ring2_##op, store, op, 4)

#define BRANCH_OPS(X) X(beq) X(bne) X(blt) X(bge) X(bltu) X(bgeu)
#define LOAD_OPS(X) X(lb) X(lbu) X(lh) X(lhu) X(lw)
#define STORE_OPS(X) X(sb) X(sh) X(sw)
REGISTER_OPS(RING_REGISTER)
BIT_OPS(RING_BITS)
RING(ring_inc, immediate, addi, 1)
RING(ring_dec, immediate, addi, -1)
RING(ring_seqz, immediate, sltiu, 1)
RING(ring_not, immediate, xori, -1)
RING(ring_mv, immediate, addi, 0)
SHIFT_OPS(RING_COUNTS)
BRANCH_OPS(RING_BRANCH)
LOAD_OPS(RING_LOAD)
STORE_OPS(RING_STORE)
RING(ring_lui, upper, lui, 0x80001)
RING(ring_link, link, jal, )

// ---- memory: every bit of an offset; every width read behind every width written

static uint32_t area[1024];

#define AT(op, offset)                                                                        \
	{                                                                                     \
		uint32_t r;                                                                   \
		__asm__ volatile(#op " %0, " #offset "(%1)" : "=r"(r) : "r"(base) : "memory"); \
		mix(r);                                                                       \
	}
#define PUT(op, offset) __asm__ volatile(#op " %0, " #offset "(%1)" : : "r"(v += 0x01020304), "r"(base) : "memory");
#define OFFSETS(X, op) X(op, 0) X(op, 4) X(op, 8) X(op, 16) X(op, 32) X(op, 64) X(op, 128) X(op, 256) X(op, 512) X(op, 1024) \
	X(op, -2048) X(op, -4) X(op, -8) X(op, -20) X(op, -36) X(op, -68) X(op, -132) X(op, -516) X(op, -1028) X(op, 2044) X(op, -1368)

static void offsets(void)
{
	char *base = (char *)(area + 512);
	uint32_t v = 0x70809fa0;

	OFFSETS(PUT, sw)
	OFFSETS(AT, lw)
	base += 2;
	OFFSETS(PUT, sh)
	OFFSETS(AT, lh)
	OFFSETS(AT, lhu)
	base += 1;
	OFFSETS(PUT, sb)
	OFFSETS(AT, lb)
	OFFSETS(AT, lbu)
	result("offset bits");
}

#define READ_BACK(op, offset) AT(op, offset) AT(lw, 0)
#define BEHIND(op, offset)                                                                    \
	for (int i = 0; i < VALUES; i += 3) {                                                 \
		area[512] = value(i + 1);                                                     \
		__asm__ volatile(#op " %0, " #offset "(%1)" : : "r"(value(i)), "r"(base) : "memory"); \
		READ_BACK(lb, 0) READ_BACK(lb, 1) READ_BACK(lb, 2) READ_BACK(lbu, 3) READ_BACK(lh, 0) READ_BACK(lhu, 2) \
	}

static void widths(void)
{
	uint32_t *base = area + 512;

	BEHIND(sb, 0) BEHIND(sb, 1) BEHIND(sb, 2) BEHIND(sb, 3) BEHIND(sh, 0) BEHIND(sh, 2) BEHIND(sw, 0)
	result("store, load");
}

// ---- jumps: every bit of a distance, both ways; fences (pause and fence.i last) and other instructions without effect

#define DISTANCE(op, n)                                                                       \
	__asm__ volatile(op "1f\n .rept " #n "\n addi %0, %0, 1\n .endr\n1: slli %0, %0, 1\n"       \
			 "j 3f\n2: addi %0, %0, 5\n j 4f\n .rept " #n "\n addi %0, %0, 1\n .endr\n3: " op "2b\n4:" \
			 : "+r"(r) : "r"(a));                                                 \
	mix(r);
#define DISTANCES(op) DISTANCE(op, 1) DISTANCE(op, 3) DISTANCE(op, 7) DISTANCE(op, 15) DISTANCE(op, 31) DISTANCE(op, 63) \
	DISTANCE(op, 127) DISTANCE(op, 255) DISTANCE(op, 511)

static NOINLINE void distances(uint32_t a)
{
	uint32_t r = a;

	DISTANCES("j ") DISTANCE("j ", 1023) DISTANCE("j ", 2047)
	DISTANCES("bnez %1, ") DISTANCES("beqz %1, ")
	DISTANCES("blt x0, %1, ") DISTANCES("bgeu x0, %1, ")
	result("distances");
}

static void hints(void)
{
	uint32_t r = 77;

	__asm__ volatile("fence\n fence r, r\n fence w, w\n fence rw, rw\n fence i, o\n fence iorw, iorw\n fence.tso\n .word 0x0100000f\n .word 0x0000100f\n"
			 "addi x0, %0, 5\n slli x0, %0, 3\n srai x0, x0, 7\n lui x0, 1\n andi x0, x0, -1\n slt x0, %0, %0\n add x0, x0, x0\n"
			 "mul x0, %0, %0\n div x0, %0, x0\n addi %0, %0, 1" : "+r"(r));
	mix(r);
	result("hints");
}

#define RUN_VALUES(op) values_##op();
#define RUN_RING(op) ring_##op();
#define RUN_RING2(op) ring_##op(); ring2_##op();
#define RUN_RING5(op) ring_##op(); ring2_##op(); ring3_##op(); ring4_##op(); ring5_##op();

static void test(void)
{
	REGISTER_OPS(RUN_VALUES) BIT_OPS(RUN_VALUES) SHIFT_OPS(RUN_VALUES)
	values_counts();
	values_lui();
	REGISTER_OPS(RUN_RING) BIT_OPS(RUN_RING2) SHIFT_OPS(RUN_RING5) BRANCH_OPS(RUN_RING) LOAD_OPS(RUN_RING2) STORE_OPS(RUN_RING2)
	ring_inc(), ring_dec(), ring_seqz(), ring_not(), ring_mv(), ring_lui(), ring_link();
	offsets();
	widths();
	distances(0);
	distances(9);
	hints();
}
