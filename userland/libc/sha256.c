// SPDX-License-Identifier: ISC
//
// SHA-256 (FIPS 180-4). The schedule is kept in a ring of 16 words; two parts of a round are functions, as code is read from a card.
#include "sha256.h"

#include <string.h>

static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
	0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
	0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
	0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
	0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
	0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t turn(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static uint32_t word_of(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void do_block(struct __oct_sha256 *s)
{
	uint32_t w[16], v[8];

	memcpy(v, s->state, sizeof v);
	for (unsigned i = 0; i < 64; i++) {
		uint32_t *a = &w[i & 15], e = v[4], t;

		if (i < 16) {
			*a = word_of(s->block + 4 * i);
		} else {
			uint32_t x = w[(i + 1) & 15], y = w[(i + 14) & 15];

			*a += (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + w[(i + 9) & 15] + (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
		}
		t = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (v[6] ^ (e & (v[5] ^ v[6]))) + k[i] + *a;
		e = v[0];
		memmove(v + 1, v, sizeof v - sizeof v[0]);
		v[4] += t;
		v[0] = t + (turn(e, 2) ^ turn(e, 13) ^ turn(e, 22)) + ((e & v[2]) | (v[3] & (e | v[2])));
	}
	for (unsigned i = 0; i < 8; i++)
		s->state[i] += v[i];
}

void __oct_sha256_start(struct __oct_sha256 *s)
{
	static const uint32_t first[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

	memcpy(s->state, first, sizeof first);
	s->length = 0;
}

void __oct_sha256_add(struct __oct_sha256 *s, const void *data, unsigned n)
{
	const unsigned char *p = data;

	while (n) {
		unsigned at = s->length & 63, part = 64 - at;

		if (part > n)
			part = n;
		memcpy(s->block + at, p, part);
		s->length += part;
		p += part;
		n -= part;
		if (at + part == 64)
			do_block(s);
	}
}

void __oct_sha256_end(struct __oct_sha256 *s, unsigned char digest[32])
{
	unsigned char tail[72] = { 0x80 };
	uint32_t bits = s->length << 3;
	unsigned n = (s->length & 63) < 56 ? 56 - (s->length & 63) : 120 - (s->length & 63);

	tail[n + 3] = (unsigned char)(s->length >> 29);
	for (unsigned i = 0; i < 4; i++)
		tail[n + 4 + i] = (unsigned char)(bits >> (24 - 8 * i));
	__oct_sha256_add(s, tail, n + 8);
	for (unsigned i = 0; i < 32; i++)
		digest[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i & 3)));
}
