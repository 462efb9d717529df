// SPDX-License-Identifier: ISC
//
// consume: counts bytes and lines of standard input and prints them with a checksum.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
	unsigned long bytes = 0, lines = 0;
	uint32_t sum = 0;

	for (int c; (c = getchar()) != EOF; bytes++) {
		lines += c == '\n';
		sum = sum * 31 + (uint32_t)c;
	}
	printf("%lu bytes, %lu lines: %08lx\n", bytes, lines, (unsigned long)sum);
	return 0;
}
