// SPDX-License-Identifier: ISC
//
// rmdir: removes empty folders.
#include "command.h"

#include <unistd.h>

COMMAND(rmdir, "DIR...", "remove empty folders")
{
	int status = OK;

	parse(&argc, &argv, "");
	if (argc == 0)
		misused();
	for (; *argv; argv++)
		if (rmdir(*argv) < 0)
			status = complain(*argv);
	return status;
}
