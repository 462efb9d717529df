// SPDX-License-Identifier: ISC
//
// setjmp and longjmp over frames, from nested calls and callbacks; computed gotos; alloca and arrays of variable length.
#include <alloca.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "corner.h"

static jmp_buf outer, inner;

static NOINLINE int dive(int depth, int value)
{
	volatile char frame[40];

	if (depth < 0)
		return value;
	if (!depth)
		longjmp(outer, value);
	frame[depth] = (char)depth;
	return dive(depth - 1, value) + frame[depth];
}

static NOINLINE void over_frames(int value, int a, int b)
{
	volatile int times = 0;
	int r = setjmp(outer), kept = a * b;

	mix((uint64_t)r);
	mix((uint64_t)(a + b + kept));
	if (++times == 1)
		mix((uint64_t)dive(20, value));
	mix((uint64_t)times);
}

static NOINLINE void both(int n)
{
	volatile int i = 0;

	if (setjmp(inner) < n) {
		i++;
		longjmp(inner, i);
	}
	mix((uint64_t)i);
	longjmp(outer, n + 100);
}

static void nested(void)
{
	volatile int n = 0;
	int r = setjmp(outer);

	mix((uint64_t)r);
	if (++n < 6)
		both(n);
	result("nested setjmp");
}

static int calls;

static int compare(const void *a, const void *b)
{
	if (++calls == 9)
		longjmp(outer, 9);
	return *(const int32_t *)a - *(const int32_t *)b;
}

static void from_callback(void)
{
	int32_t v[] = { 9, 1, 8, 2, 7, 3, 6, 4, 5, 0, 11, 10 };

	if (!setjmp(outer))
		qsort(v, 12, sizeof *v, compare);
	else
		mix((uint64_t)calls);
	result("longjmp from a callback");
}

// A machine of computed gotos: its programs are strings.
static NOINLINE int32_t interpret(const char *p)
{
	static const void *const labels[] = { &&add, &&twice, &&negate, &&square, &&end };
	int32_t x = 1;

	goto *labels[*p++ - '0'];
add:
	x += 7;
	goto *labels[*p++ - '0'];
twice:
	x *= 2;
	goto *labels[*p++ - '0'];
negate:
	x = -x;
	goto *labels[*p++ - '0'];
square:
	x = (x & 0xff) * (x & 0xff);
	goto *labels[*p++ - '0'];
end:
	return x;
}

static NOINLINE uint32_t variable(int n)
{
	uint16_t line[n], square[n][n + 1];
	uint32_t sum = 0;

	for (int i = 0; i < n; i++) {
		line[i] = (uint16_t)(i * 257);
		for (int j = 0; j <= n; j++)
			square[i][j] = (uint16_t)(i * j + line[i]);
	}
	for (int i = 0; i < n; i++)
		sum = sum * 3 + square[i][n - i] + (uint32_t)(sizeof square / sizeof *square);
	return sum;
}

static NOINLINE uint32_t on_stack(int n)
{
	char *last = NULL;
	uint32_t sum = 0;

	for (int i = 1; i <= n; i++) {
		char *p = alloca((size_t)i * 3);

		memset(p, i, (size_t)i * 3);
		if (last)
			sum = sum * 5 + (uint32_t)last[(i - 1) * 3 - 1];
		last = p;
	}
	return sum;
}

int main(void)
{
	over_frames(1, 2, 3);
	over_frames(0, -4, 5);
	over_frames(-7, 1000, 1000);
	result("setjmp over frames");
	nested();
	from_callback();
	mix((uint64_t)interpret("0120314"));
	mix((uint64_t)interpret("333110111234"));
	mix((uint64_t)interpret("4"));
	result("computed gotos");
	for (int n = 1; n < 40; n += 7)
		mix(variable(n)), mix(on_stack(n));
	result("arrays of variable length, alloca");
	return 0;
}
