// SPDX-License-Identifier: ISC
//
// bigdata [KB]: more data than the pool of frames holds (40 KB) written, read back in order and across, changed, and read back again.
// Prints checksums.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS_MAX (40 * 1024 / 4)

static uint32_t words[WORDS_MAX], count = WORDS_MAX;

static void change(uint32_t salt)
{
	for (uint32_t i = 0; i < count; i++)
		words[i] = ((i + salt) * 2654435761u ^ (i + salt) * 40503u >> 7) + (words[i] ^ words[i] >> 15) * 3;
}

static uint32_t sum(uint32_t step)
{
	uint32_t total = 0;

	for (uint32_t i = 0, at = 0; i < count; i++, at = (at + step) % count)
		total = total * 31 + words[at];
	return total;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		count = (uint32_t)atoi(argv[1]) * 256;
	for (uint32_t pass = 1; pass <= 2; pass++) {
		change(pass);
		printf("pass %lu: %08lx %08lx\n", (unsigned long)pass, (unsigned long)sum(1), (unsigned long)sum(1031));
	}
	return 0;
}
