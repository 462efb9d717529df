// SPDX-License-Identifier: ISC
//
// produce LINES: numbered lines for a pipe.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	for (int i = 0, n = argc > 1 ? atoi(argv[1]) : 10; i < n; i++)
		printf("line %d of %d, %d\n", i, n, i * i);
	return 0;
}
