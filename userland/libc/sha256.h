// SPDX-License-Identifier: ISC
//
// SHA-256 (FIPS 180-4), for crypt.
#ifndef OCTIX_LIBC_SHA256_H
#define OCTIX_LIBC_SHA256_H

#include <stdint.h>

struct __oct_sha256 {
	uint32_t state[8];
	uint32_t length;      // bytes so far
	unsigned char block[64];
};

void __oct_sha256_start(struct __oct_sha256 *s);
void __oct_sha256_add(struct __oct_sha256 *s, const void *data, unsigned n);
void __oct_sha256_end(struct __oct_sha256 *s, unsigned char digest[32]);

#endif
