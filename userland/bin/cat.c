// SPDX-License-Identifier: ISC
//
// cat: files one after the other.
#include "command.h"

static int work(int fd, const char *name)
{
	int result = copy_data(fd, 1);

	return result == 0 ? OK : complain(result == -1 ? name : "write");
}

COMMAND(cat, "[FILE...]", "print files")
{
	parse(&argc, &argv, "");
	return each_file(argc, argv, work);
}
