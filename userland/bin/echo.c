// SPDX-License-Identifier: ISC
//
// echo: its arguments, a blank between two.
#include "command.h"

#include <stdio.h>
#include <string.h>

COMMAND(echo, "[-n] [TEXT...]", "print text")
{
	int newline = 1;

	argv++;
	if (*argv && strcmp(*argv, "-n") == 0) {
		newline = 0;
		argv++;
	}
	for (; *argv; argv++) {
		fputs(*argv, stdout);
		if (argv[1])
			fputc(' ', stdout);
	}
	if (newline)
		fputc('\n', stdout);
	return OK;
}
