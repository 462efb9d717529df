// SPDX-License-Identifier: ISC
//
// pwd: the working directory.
#include "command.h"

#include <stdio.h>
#include <unistd.h>

COMMAND(pwd, "", "print the working directory")
{
	if (!getcwd(block, BLOCK))
		return complain("getcwd");
	puts(block);
	return OK;
}
