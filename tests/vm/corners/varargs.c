// SPDX-License-Identifier: ISC
//
// Variable arguments of every kind and order, their copies, and lists that are passed on.
#include <stdarg.h>
#include <string.h>

#include "corner.h"

struct three { uint8_t b[3]; };
struct eight { uint32_t x, y; };
struct large { uint16_t h[11]; uint64_t q; };

static uint64_t bits(double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof v);
	return v;
}

static void take(char kind, va_list *list)
{
	switch (kind) {
	case 'i': mix((uint64_t)va_arg(*list, int)); break;
	case 'u': mix(va_arg(*list, unsigned)); break;
	case 'q': mix(va_arg(*list, uint64_t)); break;
	case 'd': mix(bits(va_arg(*list, double))); break;
	case 's': mix(strlen(va_arg(*list, const char *))); break;
	case '3': {
		struct three t = va_arg(*list, struct three);
		mix((uint64_t)(t.b[0] + t.b[1] * 256 + t.b[2] * 65536));
		break;
	}
	case '8': {
		struct eight e = va_arg(*list, struct eight);
		mix((uint64_t)e.x << 32 | e.y);
		break;
	}
	case 'L': {
		struct large l = va_arg(*list, struct large);
		mix(l.q + l.h[0] + l.h[10]);
		break;
	}
	}
}

static NOINLINE void all(const char *kinds, ...)
{
	va_list list;

	va_start(list, kinds);
	for (const char *k = kinds; *k; k++)
		take(*k, &list);
	va_end(list);
}

static NOINLINE void twice_list(const char *kinds, va_list list)
{
	va_list copies[2];

	va_copy(copies[0], list);
	va_copy(copies[1], list);
	for (const char *k = kinds; *k; k++) {
		take(*k, &copies[0]);
		take(*k, &copies[1]);
	}
	mix((uint64_t)va_arg(list, int));
	va_end(copies[1]);
	va_end(copies[0]);
}

static NOINLINE void twice(int a, long long b, const char *kinds, ...)
{
	va_list list;

	mix((uint64_t)a + (uint64_t)b);
	va_start(list, kinds);
	twice_list(kinds, list);
	va_end(list);
}

static NOINLINE void text(char *to, size_t size, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	mix((uint64_t)vsnprintf(to, size, format, list));
	va_end(list);
}

int main(void)
{
	struct three t = { { 1, 2, 3 } };
	struct eight e = { 0xfedcba98, 0x76543210 };
	struct large l = { { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xffff }, 0x1122334455667788 };
	char line[40];

	all("iiiiiiiiii", 1, -2, 3, -4, 5, -6, 0x7fffffff, -0x7fffffff - 1, 9, 10);
	result("ints");
	all("q", UINT64_C(0x8000000000000001));
	all("iq", 1, UINT64_C(0x123456789abcdef0));
	all("iiq", 1, 2, UINT64_C(0x0fedcba987654321));
	all("iiiq", 1, 2, 3, UINT64_C(0xffffffff00000000));
	all("iiiiqiqi", 1, 2, 3, 4, UINT64_C(0xffffffff), 5, UINT64_C(0x100000000), 6);
	result("long longs");
	all("d", 1.5);
	all("iddid", 1, -0.0, 1e300, 2, (double)3.25f);
	all("didqs", 0.1, 7, 1.0 / 3, UINT64_C(9), "nine");
	result("doubles");
	all("3", t);
	all("8i", e, 3);
	all("i8q3Lid8s", 1, e, UINT64_C(5), t, l, -9, 2.5, e, "end");
	all("LLi", l, l, 4);
	result("structures");
	twice(1, 2, "iqdsL8", -11, UINT64_C(77), 4.75, "seven", l, e);
	twice(-1, -2, "", 3);
	result("copies");
	text(line, sizeof line, "%d %s %c %x", -12, "word", 'y', 0xbeefu);
	mix(strcmp(line, "-12 word y beef") == 0);
	text(line, 8, "%05d%08lx", 42, 0x89abcdeful);
	mix(strcmp(line, "0004289") == 0);
	result("vsnprintf");
	return 0;
}
