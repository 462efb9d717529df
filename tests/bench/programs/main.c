// SPDX-License-Identifier: ISC
//
// Runs a bench program under Octix: once to have all its pages resident and dirty, once between marks 1 and 2.
#include <stdio.h>
#include <unistd.h>

#include "bench.h"

int mark(int n);

int main(void)
{
	uint32_t first = bench(), second;

	mark(1);
	second = bench();
	mark(2);
	printf("%08lx%s\n", (unsigned long)second, first == second ? "" : " differs");
	return first != second;
}
