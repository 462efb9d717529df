// SPDX-License-Identifier: ISC
//
// Runs a bench program under Octix once, faults and all, between marks 1 and 2.
#include <stdio.h>
#include <unistd.h>

#include "bench.h"

int mark(int n);

int main(void)
{
	uint32_t sum;

	mark(1);
	sum = bench();
	mark(2);
	printf("%08lx\n", (unsigned long)sum);
	return 0;
}
