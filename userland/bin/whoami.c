// SPDX-License-Identifier: ISC
//
// whoami: the name of the effective user.
#include "command.h"

#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

COMMAND(whoami, "", "print the user's name")
{
	const struct passwd *pw = getpwuid(geteuid());

	parse(&argc, &argv, "");
	if (pw)
		puts(pw->pw_name);
	else
		printf("%u\n", geteuid());
	return OK;
}
