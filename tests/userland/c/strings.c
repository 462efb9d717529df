// SPDX-License-Identifier: ISC
//
// The string functions against loops written here: all alignments, lengths up to and across data pages, overlaps,
// bytes above 127.
#include "check.h"

#include <stdint.h>
#include <string.h>

enum { SPAN = 40, AREA = 700 };

static unsigned char a[AREA], b[AREA], c[AREA];

static void fill(unsigned char *p, unsigned seed)
{
	for (int i = 0; i < AREA; i++) {
		seed = seed * 1103515245u + 12345u;
		p[i] = (unsigned char)(seed >> 16 | 1); // no NUL
	}
}

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static int same(void)
{
	for (int i = 0; i < AREA; i++)
		if (b[i] != c[i])
			return 0;
	return 1;
}

static void copy_one(int to, int from, int n)
{
	fill(a, 1);
	fill(b, 2);
	fill(c, 2);
	for (int i = 0; i < n; i++)
		c[to + i] = a[from + i];
	CHECK(memcpy(b + to, a + from, (size_t)n) == b + to);
	CHECK(same());
}

static void move_one(int to, int from, int n)
{
	fill(b, 3);
	fill(c, 3);
	for (int i = 0; i < n; i++)
		a[i] = c[from + i];
	for (int i = 0; i < n; i++)
		c[to + i] = a[i];
	CHECK(memmove(b + to, b + from, (size_t)n) == b + to);
	CHECK(same());
}

static void set_one(int to, int n)
{
	fill(b, 4);
	fill(c, 4);
	for (int i = 0; i < n; i++)
		c[to + i] = 0xa5;
	CHECK(memset(b + to, 0x1a5, (size_t)n) == b + to);
	CHECK(same());
}

static void compare_one(int x, int y, int n, int differ)
{
	int expected = 0;

	for (int i = 0; i < n; i++)
		b[x + i] = c[y + i] = (unsigned char)(i * 7 + 1);
	if (differ < n) {
		b[x + differ] = 0xf0;
		c[y + differ] = 0x10;
		expected = 1;
	}
	CHECK(sign(memcmp(b + x, c + y, (size_t)n)) == expected);
	CHECK(sign(memcmp(c + y, b + x, (size_t)n)) == -expected);
	b[x + n] = c[y + n] = 0;
	for (int i = 0; i < n; i++)
		b[x + i] |= 1, c[y + i] |= 1;
	if (differ < n)
		c[y + differ] = 0x11;
	CHECK(sign(strcmp((char *)b + x, (char *)c + y)) == expected);
	CHECK(sign(strcmp((char *)c + y, (char *)b + x)) == -expected);
}

static void string_one(int x, int y, int n)
{
	char *s = (char *)a + x, *t = (char *)b + y;

	fill(a, 5);
	fill(b, 6);
	s[n] = 0;
	CHECK(strlen(s) == (size_t)n);
	CHECK(strcpy(t, s) == t && memcmp(s, t, (size_t)n + 1) == 0);
	CHECK(stpcpy(t, s) == t + n);
	CHECK(strchr(s, 0) == s + n);
	CHECK(strchr(s, 0x100 + 0) == s + n);
	if (n > 2) {
		for (int i = 0; i < n; i++)
			s[i] = 1;
		s[n / 2] = (char)0xee;
		s[n - 1] = (char)0xee;
		CHECK(strchr(s, 0xee) == s + n / 2);
		CHECK(strrchr(s, 0xee) == s + n - 1);
		CHECK(strchr(s, 2) == NULL);
		CHECK(memchr(s, 0xee, (size_t)n) == s + n / 2);
	}
	t[0] = 0;
	CHECK(strcat(strcat(t, s), "xy") == t && strlen(t) == (size_t)n + 2);
}

static const int lengths[] = { 0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 255, 256, 257, 300, 511, 513 };

int main(void)
{
	for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
		for (int to = 0; to < 4; to++)
			for (int from = 0; from < 4; from++) {
				copy_one(to, from, lengths[i]);
				move_one(10 + to, 10 + from * 3, lengths[i]);
				compare_one(to, from, lengths[i], lengths[i] / 2);
				compare_one(to, from, lengths[i], lengths[i]);
				string_one(to, from, lengths[i]);
				if (from == 0)
					set_one(to, lengths[i]);
			}
	for (int gap = 1; gap < SPAN; gap += 6) {
		move_one(gap, 0, 300);
		move_one(0, gap, 300);
	}
	CHECK(strcmp("", "") == 0 && strcmp("a", "") > 0 && strcmp("\xff", "a") > 0);
	CHECK(strncmp("abc", "abd", 2) == 0 && strstr("one two", "two") != NULL && strcspn("ab:c", ":") == 2);
	return report();
}
