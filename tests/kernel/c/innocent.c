// SPDX-License-Identifier: ISC
//
// Writes its memory and checks it, for ever: mark 1 after each good round, mark 2 when a byte is wrong.
#include <octix/octix.h>
#include <stdint.h>

static uint32_t words[1024];

static uint32_t expected(uint32_t round, uint32_t i)
{
	return (round + i) * 2654435761u;
}

static void write_all(uint32_t round)
{
	for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
		words[i] = expected(round, i);
}

static int check_all(uint32_t round)
{
	for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i] != expected(round, i))
			return 2;
	return 1;
}

int main(void)
{
	for (uint32_t round = 1;; round++) {
		write_all(round);
		mark(check_all(round));
	}
}
