// SPDX-License-Identifier: ISC
//
// Division of a floating-point format (IEEE 754, round to nearest even), bit by bit: divdf3.c and divsf3.c are its two
// instances. libgcc's own jump through tables of label differences, which cannot be packed: code and data lie in spaces
// of their own.
//
// The includer defines DIVIDE (the function's name), NUMBER (its type), BITS (an unsigned integer of its size), FRACTION
// (bits of the fraction) and EXPONENT (bits of the exponent).
#include <stdint.h>

#define BIAS     ((1 << (EXPONENT - 1)) - 1)
#define EXPONENT_MAX ((1 << EXPONENT) - 1)
#define HIDDEN   ((BITS)1 << FRACTION)
#define INFINITE ((BITS)EXPONENT_MAX << FRACTION)
#define NOT_A_NUMBER (INFINITE | HIDDEN >> 1)
#define SIGN     ((BITS)1 << (FRACTION + EXPONENT))
#define DIGITS   (FRACTION + 3) // of the quotient: the fraction's, the hidden one, and two to round by

NUMBER DIVIDE(NUMBER a, NUMBER b);

union number {
	NUMBER value;
	BITS bits;
};

// Takes a finite, non-zero number apart: exponent, and a fraction with its hidden bit set.
static int unpack(BITS bits, BITS *fraction)
{
	int exponent = (int)(bits >> FRACTION) & EXPONENT_MAX;

	*fraction = bits & (HIDDEN - 1);
	if (exponent) {
		*fraction |= HIDDEN;
		return exponent;
	}
	for (exponent = 1; !(*fraction & HIDDEN); exponent--)
		*fraction <<= 1;
	return exponent;
}

// DIGITS bits of a/b, the last one also set for what is left over; a/b lies in [1, 2).
static BITS quotient(BITS a, BITS b)
{
	BITS q = 0;

	for (int i = 0; i < DIGITS; i++) {
		q <<= 1;
		if (a >= b) {
			a -= b;
			q |= 1;
		}
		a <<= 1;
	}
	return q | (a != 0);
}

// Rounds a quotient and puts it together.
static BITS pack(int exponent, BITS q)
{
	BITS bits;
	int shift = 1 - exponent, low;

	if (exponent >= EXPONENT_MAX)
		return INFINITE;
	if (exponent <= 0) {
		q = shift > DIGITS ? 1 : q >> shift | ((q & (((BITS)1 << shift) - 1)) != 0);
		bits = q >> 2;
	} else
		bits = ((BITS)exponent << FRACTION) + (q >> 2) - HIDDEN;
	low = (int)q & 3;
	return bits + (low == 3 || (low == 2 && q & 4));
}

static BITS special(BITS a, BITS b)
{
	if (a > INFINITE || b > INFINITE || (a == b && (a == 0 || a == INFINITE)))
		return NOT_A_NUMBER;
	return a == INFINITE || b == 0 ? INFINITE : 0;
}

NUMBER DIVIDE(NUMBER dividend, NUMBER divisor)
{
	union number a = { dividend }, b = { divisor }, result;
	BITS sign = (a.bits ^ b.bits) & SIGN, fa, fb;
	int exponent;

	a.bits &= ~SIGN;
	b.bits &= ~SIGN;
	if (a.bits == 0 || b.bits == 0 || a.bits >= INFINITE || b.bits >= INFINITE) {
		result.bits = special(a.bits, b.bits);
		if (result.bits != NOT_A_NUMBER)
			result.bits |= sign;
		return result.value;
	}
	exponent = unpack(a.bits, &fa) - unpack(b.bits, &fb) + BIAS;
	if (fa < fb) {
		fa <<= 1;
		exponent--;
	}
	result.bits = sign | pack(exponent, quotient(fa, fb));
	return result.value;
}
