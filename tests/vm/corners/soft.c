// SPDX-License-Identifier: ISC
//
// Floating point on edge values, as bits. NaNs count as one value: their sign and payload are the machine's.
#include <string.h>

#include "corner.h"

static const uint32_t singles[] = { 0, 0x80000000, 0x3f800000, 0xbf800001, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000,
				    0x7fc00000, 0x4b7fffff, 0x3eaaaaab, 0xc2f6e979, 0x34000000 };
static const uint64_t doubles[] = { 0, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000001, 1, 0x800fffffffffffff, 0x0010000000000000,
				    0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x433fffffffffffff,
				    0x3fd5555555555555, 0xc05edd2f1a9fbe77, 0x3ca0000000000000, 0x47efffffe0000000, 0x36a0000000000000 };
enum { SINGLES = sizeof singles / sizeof *singles, DOUBLES = sizeof doubles / sizeof *doubles };

static float single(int i)
{
	float f;

	memcpy(&f, &singles[i], sizeof f);
	return f;
}

static double wide(int i)
{
	double d;

	memcpy(&d, &doubles[i], sizeof d);
	return d;
}

static NOINLINE void mix_single(float f)
{
	uint32_t v;

	memcpy(&v, &f, sizeof v);
	mix(f != f ? 0x7fc00000 : v);
}

static NOINLINE void mix_double(double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof v);
	mix(d != d ? 0x7ff8000000000000 : v);
}

#define ARITHMETIC(name, op)                                                                            \
	static NOINLINE float single_##name(float a, float b) { return a op b; }                        \
	static NOINLINE double double_##name(double a, double b) { return a op b; }
#define OPERATIONS(X) X(add, +) X(subtract, -) X(multiply, *) X(divide, /)
OPERATIONS(ARITHMETIC)

#define COMPARE(type)                                                                                   \
	static NOINLINE unsigned compare_##type(type a, type b)                                         \
	{                                                                                               \
		return (unsigned)(a < b) | (unsigned)(a <= b) << 1 | (unsigned)(a == b) << 2 | (unsigned)(a != b) << 3 | \
		       (unsigned)(a > b) << 4 | (unsigned)(a >= b) << 5 | (unsigned)__builtin_isunordered(a, b) << 6 |   \
		       (unsigned)__builtin_islessgreater(a, b) << 7 | (unsigned)!(a < b) << 8;                            \
	}
COMPARE(float)
COMPARE(double)

#define RUN(name, op)                                                                                   \
	for (int i = 0; i < SINGLES; i++)                                                               \
		for (int j = 0; j < SINGLES; j++)                                                       \
			mix_single(single_##name(single(i), single(j)));                                \
	result("float " #name);                                                                         \
	for (int i = 0; i < DOUBLES; i++)                                                               \
		for (int j = 0; j < DOUBLES; j++)                                                       \
			mix_double(double_##name(wide(i), wide(j)));                                    \
	result("double " #name);

static void comparisons(void)
{
	for (int i = 0; i < SINGLES; i++)
		for (int j = 0; j < SINGLES; j++)
			mix(compare_float(single(i), single(j))), mix(compare_double(wide(i), wide(j)));
	result("comparisons");
}

static void between_formats(void)
{
	for (int i = 0; i < SINGLES; i++)
		mix_double((double)single(i)), mix_single(-single(i)), mix_single(__builtin_fabsf(single(i)));
	for (int i = 0; i < DOUBLES; i++)
		mix_single((float)wide(i)), mix_double(-wide(i)), mix_double(__builtin_fabs(wide(i)));
	result("float and double");
}

static void from_integers(void)
{
	static const uint64_t v[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x1000001, 0x1000003, 0x20000000000001, 0x20000000000003,
				      0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xfffffffffffffff9, 0x8000008000000001 };

	for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
		mix_single((float)v[i]), mix_single((float)(int64_t)v[i]), mix_single((float)(uint32_t)v[i]), mix_single((float)(int32_t)v[i]);
		mix_double((double)v[i]), mix_double((double)(int64_t)v[i]), mix_double((double)(uint32_t)v[i]), mix_double((double)(int32_t)v[i]);
	}
	result("from integers");
}

static void to_integers(void)
{
	static const double v[] = { 0, -0.0, 0.5, 0.999999999, 1, 1.5, 2147483647, 1e9 + 0.75, 123456.789, 3e-310 };
	static const double more[] = { 4294967295.0, 4294967296.0, 9007199254740993.0, 9.2e18, 1e15 + 0.5 };

	for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
		mix((uint64_t)(int32_t)v[i]), mix((uint64_t)(int32_t)-v[i]), mix((uint32_t)v[i]), mix((uint64_t)(int64_t)-v[i]);
		mix((uint64_t)(int64_t)(float)-v[i]), mix((uint64_t)(uint32_t)(float)v[i]);
	}
	for (unsigned i = 0; i < sizeof more / sizeof *more; i++)
		mix((uint64_t)more[i]), mix((uint64_t)(int64_t)-more[i]), mix((uint64_t)(float)more[i]);
	mix((uint32_t)4294967295.0), mix((uint64_t)(int32_t)-2147483648.0), mix((uint64_t)1.8e19);
	result("to integers");
}

int main(void)
{
	OPERATIONS(RUN)
	comparisons();
	between_formats();
	from_integers();
	to_integers();
	return 0;
}
