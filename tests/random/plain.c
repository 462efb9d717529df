// SPDX-License-Identifier: ISC
//
// The string functions that the native bytecodes serve, byte by byte.
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memset(void *to, int c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = (char)c;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	if ((char *)to < (const char *)from)
		return memcpy(to, from, n);
	while (n--)
		((char *)to)[n] = ((const char *)from)[n];
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n && *x == *y; n--)
		x++, y++;
	return n ? *x - *y : 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

char *strcpy(char *to, const char *from)
{
	for (char *p = to; (*p = *from); p++)
		from++;
	return to;
}

int strcmp(const char *a, const char *b)
{
	for (; *a && *a == *b; a++)
		b++;
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

char *strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}
