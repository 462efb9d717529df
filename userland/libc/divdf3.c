// SPDX-License-Identifier: ISC
//
// Division of doubles and floats (IEEE 754, round to nearest even), bit by bit. libgcc's own jump through tables of
// label differences, which cannot be packed: code and data lie in spaces of their own.
#include <stdint.h>

double __divdf3(double a, double b);
float __divsf3(float a, float b);

// --- double: 1 sign, 11 exponent, 52 fraction ---

#define D_FRACTION ((1ull << 52) - 1)
#define D_HIDDEN (1ull << 52)
#define D_INFINITY (0x7ffull << 52)
#define D_NAN (0xfffull << 51)
#define D_SIGN (1ull << 63)

union d {
	double value;
	uint64_t bits;
};

// Takes a finite, non-zero number apart: exponent, and a fraction with bit 52 set.
static int d_unpack(uint64_t bits, uint64_t *fraction)
{
	int exponent = (int)(bits >> 52) & 0x7ff;

	*fraction = bits & D_FRACTION;
	if (exponent) {
		*fraction |= D_HIDDEN;
		return exponent;
	}
	for (exponent = 1; !(*fraction & D_HIDDEN); exponent--)
		*fraction <<= 1;
	return exponent;
}

// 55 bits of a/b, the last one also set for what is left over; a/b lies in [1, 2).
static uint64_t d_quotient(uint64_t a, uint64_t b)
{
	uint64_t q = 0;

	for (int i = 0; i < 55; i++) {
		q <<= 1;
		if (a >= b) {
			a -= b;
			q |= 1;
		}
		a <<= 1;
	}
	return q | (a != 0);
}

// Rounds a quotient of 55 bits and puts it together.
static uint64_t d_pack(int exponent, uint64_t q)
{
	uint64_t bits;
	int shift = 1 - exponent, low;

	if (exponent >= 0x7ff)
		return D_INFINITY;
	if (exponent <= 0) {
		q = shift > 55 ? 1 : q >> shift | ((q & ((1ull << shift) - 1)) != 0);
		bits = q >> 2;
	} else
		bits = ((uint64_t)exponent << 52) + (q >> 2) - D_HIDDEN;
	low = (int)q & 3;
	return bits + (low == 3 || (low == 2 && q & 4));
}

static uint64_t d_special(uint64_t a, uint64_t b)
{
	if (a > D_INFINITY || b > D_INFINITY || (a == b && (a == 0 || a == D_INFINITY)))
		return D_NAN;
	return a == D_INFINITY || b == 0 ? D_INFINITY : 0;
}

double __divdf3(double dividend, double divisor)
{
	union d a = { dividend }, b = { divisor }, result;
	uint64_t sign = (a.bits ^ b.bits) & D_SIGN, fa, fb;
	int exponent;

	a.bits &= ~D_SIGN;
	b.bits &= ~D_SIGN;
	if (a.bits == 0 || b.bits == 0 || a.bits >= D_INFINITY || b.bits >= D_INFINITY) {
		result.bits = d_special(a.bits, b.bits);
		if (result.bits != D_NAN)
			result.bits |= sign;
		return result.value;
	}
	exponent = d_unpack(a.bits, &fa) - d_unpack(b.bits, &fb) + 1023;
	if (fa < fb) {
		fa <<= 1;
		exponent--;
	}
	result.bits = sign | d_pack(exponent, d_quotient(fa, fb));
	return result.value;
}

// --- float: 1 sign, 8 exponent, 23 fraction ---

#define F_FRACTION ((1u << 23) - 1)
#define F_HIDDEN (1u << 23)
#define F_INFINITY (0xffu << 23)
#define F_NAN (0x1ffu << 22)
#define F_SIGN (1u << 31)

union f {
	float value;
	uint32_t bits;
};

static int f_unpack(uint32_t bits, uint32_t *fraction)
{
	int exponent = (int)(bits >> 23) & 0xff;

	*fraction = bits & F_FRACTION;
	if (exponent) {
		*fraction |= F_HIDDEN;
		return exponent;
	}
	for (exponent = 1; !(*fraction & F_HIDDEN); exponent--)
		*fraction <<= 1;
	return exponent;
}

// 26 bits of a/b, as above.
static uint32_t f_quotient(uint32_t a, uint32_t b)
{
	uint32_t q = 0;

	for (int i = 0; i < 26; i++) {
		q <<= 1;
		if (a >= b) {
			a -= b;
			q |= 1;
		}
		a <<= 1;
	}
	return q | (a != 0);
}

static uint32_t f_pack(int exponent, uint32_t q)
{
	uint32_t bits;
	int shift = 1 - exponent, low;

	if (exponent >= 0xff)
		return F_INFINITY;
	if (exponent <= 0) {
		q = shift > 26 ? 1 : q >> shift | ((q & ((1u << shift) - 1)) != 0);
		bits = q >> 2;
	} else
		bits = ((uint32_t)exponent << 23) + (q >> 2) - F_HIDDEN;
	low = (int)q & 3;
	return bits + (low == 3 || (low == 2 && q & 4));
}

static uint32_t f_special(uint32_t a, uint32_t b)
{
	if (a > F_INFINITY || b > F_INFINITY || (a == b && (a == 0 || a == F_INFINITY)))
		return F_NAN;
	return a == F_INFINITY || b == 0 ? F_INFINITY : 0;
}

float __divsf3(float dividend, float divisor)
{
	union f a = { dividend }, b = { divisor }, result;
	uint32_t sign = (a.bits ^ b.bits) & F_SIGN, fa, fb;
	int exponent;

	a.bits &= ~F_SIGN;
	b.bits &= ~F_SIGN;
	if (a.bits == 0 || b.bits == 0 || a.bits >= F_INFINITY || b.bits >= F_INFINITY) {
		result.bits = f_special(a.bits, b.bits);
		if (result.bits != F_NAN)
			result.bits |= sign;
		return result.value;
	}
	exponent = f_unpack(a.bits, &fa) - f_unpack(b.bits, &fb) + 127;
	if (fa < fb) {
		fa <<= 1;
		exponent--;
	}
	result.bits = sign | f_pack(exponent, f_quotient(fa, fb));
	return result.value;
}
