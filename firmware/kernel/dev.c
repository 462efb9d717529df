// SPDX-License-Identifier: ISC
//
// /dev/null, zero and random.
//
// random is no source of secrets: a shift register of 32 bits into which each byte stirs the timer, that is the time at which
// programs ask and the card and the line answer. Good for games, names and back-off; a card that is always as fast and a
// console that is fed by a machine give the same bytes again.

#include <avr/io.h>
#include <octix/errno.h>

#include "fs/fat.h"
#include "kernel/node.h"
#include "kernel/user.h"

int16_t null_read(struct open *o, uint16_t va, uint16_t n)
{
	(void)o;
	(void)va;
	(void)n;
	return 0;
}

int16_t null_write(struct open *o, uint16_t va, uint16_t n)
{
	(void)o;
	(void)va;
	return (int16_t)n;
}

// The timer is stirred in, then eight steps of a shift register with feedback from bits 32, 30, 26 and 25.
static NOINLINE uint8_t random_byte(void)
{
	static uint32_t seed;
	uint32_t s = seed + TCNT1;

	for (uint8_t i = 8; i; i--) {
		bool out = s & 1;

		s >>= 1;
		if (out)
			s ^= 0xa3000000;
	}
	seed = s;
	return (uint8_t)s;
}

int16_t fill_read(struct open *o, uint16_t va, uint16_t n)
{
	uint16_t done = 0;
	bool random = o->kind == OPEN_RANDOM;

	while (done < n) {
		uint16_t part = in_page(va + done, n - done);
		uint8_t *to = user_byte(self()->space, va + done, true);

		if (!to)
			return done ? (int16_t)done : user_error();
		done += part;
		do
			*to++ = random ? random_byte() : 0;
		while (--part);
	}
	return (int16_t)done;
}
