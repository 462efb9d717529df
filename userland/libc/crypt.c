// SPDX-License-Identifier: ISC
//
// crypt: salted, slow hashes of passwords: PBKDF2 with HMAC-SHA-256 (RFC 8018), written as passlib's pbkdf2_sha256 writes them:
// `$pbkdf2-sha256$ITERATIONS$SALT$HASH`, salt and hash in base64 without padding, with `.` for `+`. The salt is at most 16 bytes.
#include "sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SALT_MAX = 16, KEY_MAX = 64, DIGEST = 32 };

static const char prefix[] = "$pbkdf2-sha256$";
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./";

// Decodes at most SALT_MAX bytes up to a `$` or the end. Their number; -1: not base64, or longer.
static int decode(unsigned char *to, const char *from)
{
	unsigned long bits = 0;
	unsigned have = 0;
	int n = 0;

	for (; *from && *from != '$'; from++) {
		const char *letter = strchr(letters, *from);

		if (!letter)
			return -1;
		bits = bits << 6 | (unsigned long)(letter - letters);
		have += 6;
		if (have >= 8) {
			if (n == SALT_MAX)
				return -1;
			have -= 8;
			to[n++] = (unsigned char)(bits >> have);
		}
	}
	return n;
}

static void encode(char *to, const unsigned char *from, unsigned n)
{
	unsigned long bits = 0;
	unsigned have = 0;

	while (n--) {
		bits = bits << 8 | *from++;
		for (have += 8; have >= 6; have -= 6)
			*to++ = letters[bits >> (have - 6) & 63];
	}
	if (have)
		*to++ = letters[bits << (6 - have) & 63];
	*to = 0;
}

struct hmac { // the hash after the block of the key, which is the same for all messages
	struct __oct_sha256 inner, outer;
};

static void start_with(struct __oct_sha256 *s, const char *key, unsigned char pad)
{
	unsigned char block[64];

	memset(block, pad, sizeof block);
	for (unsigned i = 0; key[i]; i++)
		block[i] ^= (unsigned char)key[i];
	__oct_sha256_start(s);
	__oct_sha256_add(s, block, sizeof block);
}

static void hmac(const struct hmac *h, const void *message, unsigned n, unsigned char digest[DIGEST])
{
	struct __oct_sha256 s = h->inner;

	__oct_sha256_add(&s, message, n);
	__oct_sha256_end(&s, digest);
	s = h->outer;
	__oct_sha256_add(&s, digest, DIGEST);
	__oct_sha256_end(&s, digest);
}

static void stretch(const char *key, unsigned char salt[SALT_MAX + 4], unsigned n, unsigned long iterations, unsigned char out[DIGEST])
{
	struct hmac h;
	unsigned char u[DIGEST];

	start_with(&h.inner, key, 0x36);
	start_with(&h.outer, key, 0x5c);
	memcpy(salt + n, "\0\0\0\1", 4); // the first block of the result, and the only one
	hmac(&h, salt, n + 4, u);
	memcpy(out, u, DIGEST);
	while (--iterations) {
		hmac(&h, u, DIGEST, u);
		for (unsigned i = 0; i < DIGEST; i++)
			out[i] ^= u[i];
	}
}

char *crypt(const char *key, const char *setting)
{
	static char out[sizeof prefix + 10 + 1 + 22 + 1 + 43];
	unsigned char salt[SALT_MAX + 4], digest[DIGEST];
	unsigned long iterations = 0;
	const char *rest = "";
	char *end;
	int n = -1;

	if (strncmp(setting, prefix, sizeof prefix - 1) == 0) {
		iterations = strtoul(setting + sizeof prefix - 1, &end, 10);
		rest = end;
		if (*rest == '$')
			n = decode(salt, rest + 1);
	}
	if (n < 0 || iterations < 1 || iterations > 999999999 || strlen(key) > KEY_MAX) {
		errno = EINVAL;
		return NULL;
	}
	stretch(key, salt, (unsigned)n, iterations, digest);
	n = (int)(rest - setting) + 1 + (int)strcspn(rest + 1, "$");
	memcpy(out, setting, (size_t)n);
	out[n] = '$';
	encode(out + n + 1, digest, DIGEST);
	return out;
}
