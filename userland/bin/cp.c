// SPDX-License-Identifier: ISC
//
// cp: copies files, with -r folders.
#include "command.h"

COMMAND(cp, "[-rf] FROM... TO", "copy files, -r: folders too")
{
	unsigned recursive = parse(&argc, &argv, "rf") & 1;
	char target[PATH_BYTES];
	const char *to;
	int status = OK;

	if (argc < 2)
		misused();
	to = argv[--argc];
	if (argc > 1 && !is_dir(to))
		return complain_because(to, "not a directory");
	for (int i = 0; i < argc; i++)
		if (is_dir(argv[i]) && !recursive)
			status = complain_because(argv[i], "is a directory (use -r)");
		else
			status |= target_of(target, argv[i], to) < 0 ? complain(argv[i]) : copy_tree(argv[i], target);
	return status;
}
