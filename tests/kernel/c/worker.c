// SPDX-License-Identifier: ISC
//
// worker LETTER STEPS: writes the letter after each piece of computing, and ends with a line of its own.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint32_t compute(uint32_t x)
{
	for (int i = 0; i < 3000; i++)
		x = x * 1664525 + 1013904223;
	return x;
}

int main(int argc, char **argv)
{
	int steps = argc > 2 ? atoi(argv[2]) : 10;
	uint32_t x = 1;

	if (argc < 2)
		return 2;
	for (int i = 0; i < steps; i++) {
		x = compute(x);
		write(1, argv[1], 1);
	}
	printf("\n%c did %d: %08lx\n", argv[1][0], steps, (unsigned long)x);
	return 0;
}
