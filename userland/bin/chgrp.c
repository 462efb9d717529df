// SPDX-License-Identifier: ISC
//
// chgrp: the group of files, by name or number.
#include "command.h"

#include <grp.h>
#include <unistd.h>

COMMAND(chgrp, "GROUP FILE...", "change the group")
{
	unsigned long id;
	int status = OK;

	parse(&argc, &argv, "");
	if (argc < 2)
		misused();
	if (number(argv[0], &id) != 0) {
		const struct group *gr = getgrnam(argv[0]);

		id = gr ? gr->gr_gid : 255;
	}
	if (id > 254)
		return complain_because(argv[0], "not in /etc/group, and no number from 0 to 254");
	while (*++argv)
		if (chown(*argv, (uid_t)-1, (gid_t)id) < 0)
			status = complain(*argv);
	return status;
}
