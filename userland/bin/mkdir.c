// SPDX-License-Identifier: ISC
//
// mkdir: makes folders; -p: those above too, and an existing one is no error.
#include "command.h"

#include <string.h>
#include <sys/stat.h>

static int make_path(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = 0;
		mkdir(path, 0777); // the last one tells what went wrong
	}
	return mkdir(path, 0777) < 0 && !is_dir(path) ? complain(path) : OK;
}

COMMAND(mkdir, "[-p] DIR...", "make folders")
{
	unsigned parents = parse(&argc, &argv, "p");
	int status = OK;

	if (argc == 0)
		misused();
	for (; *argv; argv++)
		if (parents)
			status |= make_path(*argv);
		else if (mkdir(*argv, 0777) < 0)
			status = complain(*argv);
	return status;
}
