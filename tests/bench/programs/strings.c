// SPDX-License-Identifier: ISC
//
// String loops written in C: length, copy, compare, reverse.
#include "bench.h"

static char a[512], b[512];

__attribute__((noinline)) static unsigned length(const char *s)
{
	const char *p = s;

	while (*p)
		p++;
	return (unsigned)(p - s);
}

__attribute__((noinline)) static void copy(char *to, const char *from, unsigned n)
{
	while (n--) {
		*to++ = *from++;
		__asm__ volatile(""); // a loop, not a call of memcpy
	}
}

__attribute__((noinline)) static int compare(const char *x, const char *y)
{
	while (*x && *x == *y) {
		x++;
		y++;
	}
	return (uint8_t)*x - (uint8_t)*y;
}

__attribute__((noinline)) static void reverse(char *s, unsigned n)
{
	for (char *e = s + n - 1; s < e; s++, e--) {
		char c = *s;

		*s = *e;
		*e = c;
	}
}

uint32_t bench(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < 400; i++)
		a[i] = (char)('a' + i % 26);
	a[400] = 0;
	for (unsigned round = 0; round < 4; round++) {
		unsigned n = length(a);

		copy(b, a, n + 1);
		sum += (uint32_t)compare(a, b) + n;
		reverse(b, n);
		sum = sum * 31 + (uint32_t)(int32_t)compare(a, b);
		a[round] = 'z';
	}
	return sum;
}
