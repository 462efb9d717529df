// SPDX-License-Identifier: ISC
//
// The first program.
#include <program.h>
#include <stdio.h>

PROGRAM(hello, "", "say hello");

int main(void)
{
	printf("Hello from Octix!\n");
	return 0;
}
