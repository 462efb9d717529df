// SPDX-License-Identifier: ISC
//
// mv: renames; across file systems it copies and removes.
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static int move(const char *from, const char *to, int force)
{
	if (rename(from, to) == 0)
		return OK;
	if (errno == EEXIST && force && unlink(to) == 0 && rename(from, to) == 0)
		return OK;
	if (errno != EXDEV)
		return complain(from);
	return copy_tree(from, to) == OK ? remove_tree(from, 0) : FAILED;
}

COMMAND(mv, "[-f] FROM... TO", "rename or move files")
{
	int force = parse(&argc, &argv, "f") != 0, status = OK;
	char target[PATH_BYTES];
	const char *to;

	if (argc < 2)
		misused();
	to = argv[--argc];
	if (argc > 1 && !is_dir(to))
		return complain_because(to, "not a directory");
	for (int i = 0; i < argc; i++)
		status |= target_of(target, argv[i], to) < 0 ? complain(argv[i]) : move(argv[i], target, force);
	return status;
}
