// SPDX-License-Identifier: ISC
//
// mount: what is where in the tree of files, from /proc/mounts. Nothing else can be mounted: the card is, from the start.
#include "command.h"

#include <stdio.h>
#include <string.h>

COMMAND(mount, "", "show what is mounted where")
{
	FILE *f;
	char line[64];

	if (argc > 1)
		return complain_because(argv[1], "there is one card, mounted at /; other file systems are not known");
	f = fopen("/proc/mounts", "r");
	if (!f)
		return complain("/proc/mounts");
	while (fgets(line, sizeof line, f)) {
		const char *what = strtok(line, " "), *where = strtok(NULL, " "), *kind = strtok(NULL, " "), *how = strtok(NULL, " \n");

		if (how)
			printf("%s on %s type %s (%s)\n", what, where, kind, how);
	}
	fclose(f);
	return OK;
}
