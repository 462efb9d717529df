// SPDX-License-Identifier: ISC
//
// Memory: heap, its limits, stack, pages that move to the card and back.
#include "systest.h"

static void breaking(void)
{
	char *old = sbrk(0), *start = sbrk(600);

	CHECK(start == old && sbrk(0) == old + 600);
	for (int i = 0; i < 600; i++)
		CHECK(start[i] == 0);
	memset(start, 'x', 600);
	CHECK(sbrk(-600) == old + 600 && sbrk(0) == old);
}

static void breaking_too_far(void)
{
	char *old = sbrk(0);

	CHECK(sbrk(0x7ffffffe) == (void *)-1 && errno == ENOMEM && sbrk(0) == old);
	CHECK(sbrk(0x10000) == (void *)-1 && errno == ENOMEM);
	CHECK(sbrk(-0x10000) == (void *)-1 && errno == ENOMEM && sbrk(0) == old);
}

static void heap_limits(void)
{
	unsigned long stack = stack_bottom();

	CHECK(raw_call(CALL_oct_brk, 0x10000, 0, 0) == -ENOMEM && raw_call(CALL_oct_brk, 0xffff, 0, 0) == -ENOMEM);
	CHECK(raw_call(CALL_oct_brk, 0xffffffff, 0, 0) == -ENOMEM && raw_call(CALL_oct_brk, 0x80001000, 0, 0) == -ENOMEM);
	CHECK(raw_call(CALL_oct_brk, stack + 1, 0, 0) == -ENOMEM && raw_call(CALL_oct_brk, 0, 0, 0) == 0);
	CHECK(raw_call(CALL_oct_brk, stack, 0, 0) == 0);
	memset((char *)(uintptr_t)(stack - 100), 1, 100); // is there now
}

static void all_of_it(void)
{
	static char *pieces[80];
	unsigned n = 0, again = 0;

	while (n < 80 && (pieces[n] = malloc(1000)))
		memset(pieces[n++], 'm', 1000);
	CHECK(n > 10 && n < 64 && errno == ENOMEM);
	for (unsigned i = 0; i < n; i++)
		free(pieces[i]);
	while (again < 80 && (pieces[again] = malloc(1000)))
		again++;
	CHECK(again == n);
}

static void too_much(void)
{
	volatile size_t huge = (size_t)-1 / 2 - 100;
	char *piece = malloc(100);

	CHECK(piece && malloc(huge) == NULL && errno == ENOMEM && realloc(piece, huge) == NULL);
	piece[99] = 1;
	free(piece);
}

static void resizing(void)
{
	unsigned char *p = malloc(10), *q;

	CHECK(p);
	pattern_fill(p, 10, 1, 0);
	CHECK((p = realloc(p, 3000)) && pattern_is(p, 10, 1, 0));
	pattern_fill(p, 3000, 2, 0);
	CHECK((q = calloc(100, 7)) && (p = realloc(p, 6000)) && pattern_is(p, 3000, 2, 0) && (p = realloc(p, 20)) && pattern_is(p, 20, 2, 0));
	for (int i = 0; i < 700; i++)
		CHECK(q[i] == 0);
	free(p);
	free(q);
}

static void moving_pages(void)
{
	CHECK(scratch[0] == 0 && scratch[sizeof scratch - 1] == 0);
	for (unsigned round = 0; round < 3; round++) {
		pattern_fill(scratch, sizeof scratch, round, 0);
		CHECK(pattern_is(scratch, sizeof scratch, round, 0));
	}
}

static void moving_through_calls(void)
{
	int fd;

	pattern_fill(scratch, sizeof scratch, 9, 0);
	fd = file_with("file", scratch, sizeof scratch);
	memset(scratch, 0, sizeof scratch);
	CHECK(read(fd, scratch, sizeof scratch) == (ssize_t)sizeof scratch && pattern_is(scratch, sizeof scratch, 9, 0));
}

static unsigned deeper(unsigned depth)
{
	volatile unsigned char frame[100];

	frame[0] = (unsigned char)depth;
	frame[99] = (unsigned char)(depth + 1);
	return depth ? deeper(depth - 1) + (frame[99] - frame[0] == 1) : 0;
}

static void stack_depth(void)
{
	CHECK(deeper(18) == 18);
}

static const struct test tests[] = {
	TEST(breaking, QUICK),
	TEST(breaking_too_far, OCTIX),
	TEST(heap_limits, OCTIX),
	TEST(all_of_it, OCTIX),
	TEST(too_much, QUICK),
	TEST(resizing, QUICK),
	TEST(moving_pages, QUICK),
	TEST(moving_through_calls, QUICK),
	TEST(stack_depth, QUICK),
};

AREA("memory", tests);
