// SPDX-License-Identifier: ISC
//
// Jumps and calls: jal and jalr with every link register, function pointers, jump tables, tail calls, frames of every
// size, recursion, functions larger than a page.
#include "insn.h"

#define NOINLINE __attribute__((noinline))

static NOINLINE uint32_t leaf(uint32_t x)
{
	return x * 3 + 1;
}

static NOINLINE uint32_t one(uint32_t x)
{
	return leaf(x) + 1;
}

static NOINLINE uint32_t two(uint32_t x)
{
	return one(x) + leaf(x + 5);
}

static NOINLINE uint32_t three(uint32_t x, uint32_t y)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < y; i++)
		sum += two(x + i) ^ one(sum);
	return sum;
}

static NOINLINE uint32_t tail(uint32_t x)
{
	return x & 1 ? leaf(x + 7) : two(x);
}

static NOINLINE uint32_t large_frame(uint32_t x)
{
	volatile uint32_t local[80];

	for (uint32_t i = 0; i < 80; i++)
		local[i] = leaf(x + i);
	return local[3] + local[79] + two(local[40]);
}

static NOINLINE uint32_t fibonacci(uint32_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void test_calls(void)
{
	for (int i = 0; i < EDGES; i++) {
		mix(leaf(edges[i]));
		mix(one(edges[i]));
		mix(two(edges[i]));
		mix(three(edges[i], 5));
		mix(tail(edges[i]));
		mix(large_frame(edges[i]));
	}
	result("calls");
	mix(fibonacci(12));
	result("recursion");
}

static uint32_t (*const table[])(uint32_t) = { leaf, one, two, tail, large_frame };
static uint32_t (*variable)(uint32_t) = two;

static void test_pointers(void)
{
	for (int i = 0; i < EDGES; i++) {
		mix(table[i % 5](edges[i]));
		mix(variable(edges[i]));
		variable = table[(i + 3) % 5];
		mix(variable == leaf);
		mix(variable == table[i % 5]);
	}
	result("function pointers");
}

static NOINLINE uint32_t choose(uint32_t x)
{
	switch (x) {
	case 0: return leaf(1);
	case 1: return 0x1234;
	case 2: return one(x) + 5;
	case 3: x += 99; break;
	case 4: return two(x);
	case 5: x ^= 0xffff; // fall through
	case 6: x *= 17; break;
	case 7: return fibonacci(5);
	case 8: return x << 9;
	case 9: return 1;
	default: return 0xdead;
	}
	return leaf(x);
}

static void test_switch(void)
{
	for (uint32_t x = 0; x < 12; x++)
		mix(choose(x));
	result("jump table");
}

// Every link register, jumps to the next instruction, a tail jump through a register.
static void test_links(void)
{
	uint32_t r = 0, s;

	__asm__ volatile("jal ra, 1f\n addi %0, %0, 1\n j 2f\n1: addi %0, %0, 16\n ret\n2:" : "+r"(r) : : "ra");
	mix(r);
	__asm__ volatile("jal t0, 1f\n addi %0, %0, 2\n j 2f\n1: addi %0, %0, 32\n jr t0\n2:" : "+r"(r) : : "t0");
	mix(r);
	__asm__ volatile("la %1, 1f\n jalr ra, 0(%1)\n addi %0, %0, 4\n j 2f\n1: addi %0, %0, 64\n ret\n2:"
			 : "+r"(r), "=&r"(s) : : "ra");
	mix(r);
	__asm__ volatile("la %1, 1f\n jalr t0, 0(%1)\n addi %0, %0, 8\n j 2f\n1: addi %0, %0, 128\n jr t0\n2:"
			 : "+r"(r), "=&r"(s) : : "t0");
	mix(r);
	__asm__ volatile("lui ra, %%hi(1f)\n addi ra, ra, %%lo(1f)\n jalr ra, 0(ra)\n addi %0, %0, 1\n j 2f\n1: addi %0, %0, 256\n ret\n2:"
			 : "+r"(r) : : "ra");
	mix(r);
	__asm__ volatile("lui t1, %%hi(1f)\n jalr ra, %%lo(1f)(t1)\n addi %0, %0, 2\n j 2f\n1: addi %0, %0, 512\n ret\n2:"
			 : "+r"(r) : : "ra", "t1");
	mix(r);
	__asm__ volatile("la %1, 1f\n jr %1\n addi %0, %0, 1000\n1: jal x0, 2f\n2: addi %0, %0, 1" : "+r"(r), "=&r"(s));
	mix(r);
	result("jal jalr");
}

// Far jumps over more than a page, both ways.
static void test_far(void)
{
	uint32_t r = 5;

	__asm__ volatile("j 2f\n1: addi %0, %0, 3\n j 3f\n .rept 100\n addi %0, %0, 1000\n .endr\n2: slli %0, %0, 2\n j 1b\n"
			 ".rept 100\n addi %0, %0, 1001\n .endr\n3: addi %0, %0, 1" : "+r"(r));
	mix(r);
	result("far jump");
}

static void test(void)
{
	test_calls();
	test_pointers();
	test_switch();
	test_links();
	test_far();
}
