// SPDX-License-Identifier: ISC
//
// env: prints the environment, or runs a command with additions to it.
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

COMMAND(env, "[NAME=VALUE...] [COMMAND [ARGUMENT...]]", "print the environment, or run a command in it")
{
	for (argv++; *argv && strchr(*argv, '='); argv++)
		if (putenv(*argv) < 0)
			return complain(*argv);
	if (*argv) {
		execvp(*argv, argv);
		complain(*argv);
		return errno == ENOENT ? 127 : 126;
	}
	for (char **e = environ; *e; e++)
		puts(*e);
	return OK;
}
