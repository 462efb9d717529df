// SPDX-License-Identifier: ISC
//
// rm: removes files, with -r folders and what is in them; -f: a missing file is no error.
#include "command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { RECURSIVE = 1, FORCE = 2 };

static int forbidden(const char *path)
{
	const char *name = base_name(path);

	return strcmp(path, "/") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int remove_one(const char *path, unsigned options)
{
	if (forbidden(path))
		return complain_because(path, "refused");
	if (options & RECURSIVE)
		return remove_tree(path, options & FORCE);
	if (is_dir(path))
		return complain_because(path, "is a directory (use -r)");
	if (unlink(path) == 0 || (errno == ENOENT && options & FORCE))
		return OK;
	return complain(path);
}

COMMAND(rm, "[-rf] FILE...", "remove files, -r: folders too")
{
	unsigned options = parse(&argc, &argv, "rf");
	int status = OK;

	if (argc == 0 && !(options & FORCE))
		misused();
	for (; *argv; argv++)
		status |= remove_one(*argv, options);
	return status;
}
