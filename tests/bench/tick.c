// SPDX-License-Identifier: ISC
//
// What ticks cost: marks 1 around ROUNDS equal loops, each shorter than the time between two ticks.
#include <unistd.h>

#define ROUNDS 1000
#define TURNS  300

int mark(int n);

int main(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		mark(1);
		for (int i = 0; i < TURNS; i++)
			__asm__ volatile("");
	}
	mark(1);
	return 0;
}
