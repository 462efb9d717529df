// SPDX-License-Identifier: ISC
//
// Tables of function pointers, static initialisers with addresses, constructors and destructors, switches of all
// shapes, callbacks.
#include <stdlib.h>
#include <string.h>

#include "corner.h"

static int32_t order;

__attribute__((constructor(201))) static void first(void) { order = order * 10 + 1; }
__attribute__((constructor(300))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor)) static void third(void) { order = order * 10 + 3; }
__attribute__((destructor)) static void last(void) { printf("destructor %d\n", (int)order); }

static int32_t add(int32_t a, int32_t b) { return a + b; }
static int32_t subtract(int32_t a, int32_t b) { return a - b; }
static int32_t multiply(int32_t a, int32_t b) { return (a & 0x7fff) * (b & 0x7fff); }

struct row {
	const char *name;
	int32_t (*f)(int32_t, int32_t);
	const struct row *next;
	const uint16_t *data;
	union { int32_t number; int32_t (*f)(int32_t, int32_t); } u;
};

static const uint16_t data[] = { 1, 10, 100, 1000, 10000 };
static const struct row rows[3];
static const struct row rows[3] = {
	{ "add", add, &rows[2], data + 1, { .f = multiply } },
	{ "subtract", subtract, rows, &data[4], { .f = add } },
	{ &"multiply"[3], multiply, rows + 1, data, { .f = subtract } },
};
static struct row changing = { "none", NULL, &rows[1], &data[2], { .number = -3 } };
static uint16_t values[] = { 7, 8, 9 };
static uint16_t *const middle = &values[1], **const no = NULL;
static int32_t (*const pairs[2][2])(int32_t, int32_t) = { { add, subtract }, { multiply, add } };

static void initialisers(void)
{
	const struct row *r = changing.next;

	for (int i = 0; i < 7; i++, r = r->next) {
		mix((uint64_t)(r->name[0] + (int)strlen(r->name)));
		mix((uint64_t)r->f(i * 1000, 77));
		mix((uint64_t)r->u.f(i * 1001, 78));
		mix(*r->data);
		mix(r->f == add);
	}
	mix((uint64_t)changing.u.number);
	changing.f = pairs[1][0];
	mix((uint64_t)changing.f(5, 6));
	++*middle;
	mix((uint64_t)(values[1] + (no == NULL)));
	for (int i = 0; i < 4; i++)
		mix((uint64_t)pairs[i / 2][i % 2](i + 50, 4));
	result("initialisers");
}

static NOINLINE int32_t dense(int32_t x)
{
	switch (x) {
	case -3: return add(x, 1);
	case -2: x += 9; break;
	case -1: return 5;
	case 0: return subtract(x, 1);
	case 1: x ^= 0x55; // fall through
	case 2: x += 2; break;
	case 3: return multiply(x, x);
	case 4: return 40;
	case 5: return -1;
	case 6: case 7: case 8: return add(x, x);
	default: return 99;
	}
	return x * 3;
}

static NOINLINE int32_t sparse(int32_t x)
{
	switch (x) {
	case -0x7fffffff - 1: return 1;
	case -100000: return add(x, 2);
	case -1: return 3;
	case 0: return 4;
	case 255: return subtract(x, 5);
	case 256: return 6;
	case 65535: return 7;
	case 65536: return 8;
	case 0x12345678: return multiply(x, 9);
	case 0x7fffffff: return 10;
	default: return 0;
	}
}

static NOINLINE int32_t wide(int64_t x)
{
	switch (x) {
	case -1: return 1;
	case 0xffffffff: return 2;
	case 0x100000000: return 3;
	case 0x7fffffffffffffff: return 4;
	case 5: return 5;
	default: return 6;
	}
}

static NOINLINE int32_t letter(const char *s)
{
	switch (*s) {
	case 'a' ... 'f': return *s - 'a' + 10;
	case 'A' ... 'F': return *s - 'A' + 110;
	case '0' ... '9': return *s - '0';
	case ' ': case '\t': case '\n': return 200;
	default: return -1;
	}
}

#define CASE(n) case n: return (n) % 3 ? add(x, (n) * 7) : (n) % 5 ? subtract(x, n) : multiply(x, n);
#define CASES10(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3) CASE(n + 4) CASE(n + 5) CASE(n + 6) CASE(n + 7) CASE(n + 8) CASE(n + 9)
#define CASES100(n) CASES10(n) CASES10(n + 10) CASES10(n + 20) CASES10(n + 30) CASES10(n + 40) CASES10(n + 50) CASES10(n + 60) \
	CASES10(n + 70) CASES10(n + 80) CASES10(n + 90)

static NOINLINE int32_t many(int32_t x)
{
	switch (x) {
	CASES100(100)
	CASES100(200)
	CASES100(300)
	default: return -x;
	}
}

static void switches(void)
{
	static const int32_t edges[] = { -0x7fffffff - 1, -0x7fffffff, -100000, -1, 0, 1, 255, 256, 257, 65535, 65536, 0x12345678, 0x7fffffff };
	static const int64_t wides[] = { -1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 5, 0x100000005, 0 };

	for (int32_t x = -5; x < 12; x++)
		mix((uint64_t)dense(x));
	for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++)
		mix((uint64_t)sparse(edges[i])), mix((uint64_t)dense(edges[i]));
	for (unsigned i = 0; i < sizeof wides / sizeof *wides; i++)
		mix((uint64_t)wide(wides[i]));
	for (const char *s = "afgAFG059: \n\t~"; *s; s++)
		mix((uint64_t)letter(s));
	result("switches");
	for (int32_t x = 90; x < 410; x++)
		mix((uint64_t)many(x));
	result("a switch of 300 cases");
}

struct item {
	uint32_t key;
	char text[6];
};

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static int by_text(const void *a, const void *b)
{
	return -strcmp(((const struct item *)a)->text, ((const struct item *)b)->text);
}

static void sorting(void)
{
	struct item items[50], *found;

	for (uint32_t i = 0; i < 50; i++)
		items[i] = (struct item){ i * 2654435761u, { (char)('a' + i % 26), (char)('z' - i / 26), 0 } };
	for (int round = 0; round < 2; round++) {
		qsort(items, 50, sizeof *items, round ? by_key : by_text);
		for (int i = 0; i < 50; i++)
			mix(items[i].key + (uint64_t)items[i].text[0]);
	}
	for (uint32_t i = 0; i < 60; i += 7) {
		struct item want = { i * 2654435761u, "" };

		found = bsearch(&want, items, 50, sizeof *items, by_key);
		mix(found ? (uint64_t)(found - items) : 1000);
	}
	result("qsort and bsearch");
}

int main(void)
{
	mix((uint64_t)order);
	result("constructors");
	initialisers();
	switches();
	sorting();
	order = 4;
	return 0;
}
