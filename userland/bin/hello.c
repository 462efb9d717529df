// SPDX-License-Identifier: ISC
//
// The first program.
#include <stdio.h>

int main(void)
{
	printf("Hello from Octix!\n");
	return 0;
}
