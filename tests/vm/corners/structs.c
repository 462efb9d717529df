// SPDX-License-Identifier: ISC
//
// Structures by value, bitfields, unions, and offsets and frames that no immediate reaches.
#include <string.h>

#include "corner.h"

struct s1 { uint8_t a; };
struct s3 { uint8_t a[3]; };
struct s5 { uint32_t a; uint8_t b; };
struct s8 { uint16_t a, b; uint32_t c; };
struct s20 { double d; uint64_t q; int16_t h; };
struct big { uint32_t head, body[60]; struct s8 tail; };

static NOINLINE struct s1 pass1(struct s1 x, int n) { x.a = (uint8_t)(x.a + n); return x; }
static NOINLINE struct s3 pass3(int n, struct s3 x) { x.a[n % 3] ^= 0xff; return x; }
static NOINLINE struct s5 pass5(struct s5 x, struct s5 y) { return (struct s5){ x.a + y.a, (uint8_t)(x.b - y.b) }; }
static NOINLINE struct s8 pass8(struct s8 x, struct s1 y) { x.a++; x.b = (uint16_t)(x.b * 3); x.c ^= y.a; return x; }
static NOINLINE struct s20 pass20(struct s20 x) { x.d *= 2; x.q += 3; x.h = (int16_t)-x.h; return x; }

static NOINLINE struct big pass_big(struct big x, struct s8 y, int n)
{
	x.body[n] += x.head;
	x.head = x.body[(n + 7) % 60];
	x.tail = pass8(y, (struct s1){ (uint8_t)n });
	return n ? pass_big(x, x.tail, n - 1) : x;
}

static void by_value(void)
{
	struct s1 one = { 250 };
	struct s3 three = { { 1, 2, 3 } };
	struct s5 five = { 0x80000000, 5 };
	struct s8 eight = { 65535, 40000, 123456789 };
	struct s20 twenty = { 1.25, UINT64_C(0xfffffffffffffffe), 77 };
	struct s5 (*f)(struct s5, struct s5) = pass5;

	for (int i = 0; i < 9; i++) {
		one = pass1(one, i);
		three = pass3(i, three);
		five = f(five, pass5(five, (struct s5){ (uint32_t)i, one.a }));
		eight = pass8(pass8(eight, one), (struct s1){ three.a[i % 3] });
		twenty = pass20(twenty);
		mix(one.a), mix(three.a[0]), mix(three.a[2]), mix(five.a), mix(five.b), mix(eight.a), mix(eight.b), mix(eight.c);
		mix((uint64_t)twenty.d), mix(twenty.q), mix((uint64_t)twenty.h);
	}
	result("small structures");
}

static void large_by_value(void)
{
	struct big x = { .head = 3, .tail = { 1, 2, 3 } }, y;

	for (uint32_t i = 0; i < 60; i++)
		x.body[i] = i * 0x01010101u;
	y = pass_big(x, x.tail, 8);
	mix(memcmp(&x, &y, sizeof x) != 0);
	for (int i = 0; i < 60; i++)
		mix(y.body[i]);
	mix(y.head), mix(y.tail.a), mix(y.tail.b), mix(y.tail.c);
	y = x;
	mix(memcmp(&x, &y, sizeof x) != 0);
	result("large structures");
}

struct fields {
	uint32_t a : 1, b : 5, c : 11, d : 15;
	int32_t e : 3, f : 20, g : 9;
	uint16_t h : 7, i : 9;
	uint8_t j : 4, : 0, k : 8;
};

static NOINLINE void set_fields(struct fields *x, uint32_t v)
{
	x->a = v & 1, x->b = v & 31, x->c = v & 0x7ff, x->d = v & 0x7fff;
	x->e = (int32_t)(v & 3) - 2, x->f = (int32_t)(v & 0xfffff) - 0x80000, x->g = (int32_t)(v & 255) - 128;
	x->h = v & 127, x->i = v & 511, x->j = v & 15, x->k = v & 255;
}

static void bitfields(void)
{
	struct fields x;

	memset(&x, 0, sizeof x);
	for (uint32_t v = 1; v; v <<= 3) {
		set_fields(&x, v * 3 - 1);
		mix(x.a), mix(x.b), mix(x.c), mix(x.d), mix((uint64_t)x.e), mix((uint64_t)x.f), mix((uint64_t)x.g);
		mix(x.h), mix(x.i), mix(x.j), mix(x.k);
		x.c += 9, x.g++, x.f >>= 2, x.d ^= x.c;
		for (unsigned i = 0; i < sizeof x; i++)
			mix(((const uint8_t *)&x)[i]);
	}
	result("bitfields");
}

union mixed {
	uint64_t q;
	uint32_t w[2];
	uint8_t b[8];
	double d;
	struct { uint16_t low; int16_t next; } h;
};

static NOINLINE union mixed turn(union mixed u, int i)
{
	u.b[i % 8] ^= (uint8_t)(i * 37);
	u.w[i & 1] += 0x10001;
	return u;
}

static void unions(void)
{
	union mixed u = { .d = 1.0 };

	mix(u.q);
	for (int i = 0; i < 20; i++) {
		u = turn(u, i);
		mix(u.q), mix(u.w[1]), mix(u.b[3]), mix(u.h.low), mix((uint64_t)u.h.next);
	}
	result("unions");
}

struct wide {
	uint8_t first[2046];
	int16_t at2046;
	int32_t at2048;
	uint8_t gap[2040];
	uint32_t at4092, at4096;
	int16_t at4100;
	int8_t at4102, end[900];
};

static struct wide object;

static NOINLINE uint64_t offsets(struct wide *w, int32_t v)
{
	w->at2046 = (int16_t)v, w->at2048 = -v, w->at4092 = (uint32_t)v * 3, w->at4096 = (uint32_t)v * 5;
	w->at4100 = (int16_t)(v >> 3), w->at4102 = (int8_t)v, w->end[899] = (int8_t)(v >> 1), w->first[2045]++;
	w->gap[2039] = w->first[2045];
	return (uint64_t)(w->at2046 + (int64_t)w->at2048 * 3 + w->at4092 + w->at4096 + w->at4100 + w->at4102 + w->end[899] + w->gap[2039]);
}

// A frame of more than 5 KB: what lies at both of its ends.
static NOINLINE uint64_t frame(int32_t v, int depth)
{
	volatile int32_t low = v;
	struct wide w;
	volatile int32_t high = v * 2;

	memset(&w, depth, sizeof w);
	mix(offsets(&w, v + low));
	if (depth)
		mix(frame(v ^ 0x1234, depth - 1));
	return w.first[0] + w.first[2045] + (uint64_t)(high - low) + (uint64_t)w.at4102 + (uint8_t)w.end[5];
}

static void large_offsets(void)
{
	for (int32_t v = 1; v < 0x10000000; v *= 7) {
		mix(offsets(&object, v));
		mix(object.gap[0] + object.gap[2039] + (uint64_t)object.end[0]);
	}
	mix(sizeof object);
	result("large offsets");
	mix(frame(100, 1));
	result("large frames");
}

int main(void)
{
	by_value();
	large_by_value();
	bitfields();
	unions();
	large_offsets();
	return 0;
}
