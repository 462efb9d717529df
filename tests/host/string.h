// SPDX-License-Identifier: ISC
//
// What the kernel uses of avr-libc's <string.h> and this machine's does not have.
#ifndef HOST_STRING_H
#define HOST_STRING_H

#include_next <string.h>

static inline size_t host_strlcpy(char *to, const char *from, size_t size)
{
	size_t n = strlen(from), part = n < size ? n : size - 1;

	if (size) {
		memcpy(to, from, part);
		to[part] = 0;
	}
	return n;
}

#define strlcpy host_strlcpy

#endif
