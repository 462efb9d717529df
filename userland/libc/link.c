// SPDX-License-Identifier: ISC
//
// FAT has neither links nor symbolic links: EPERM, and nothing is one.
#include "private.h"

#include <errno.h>
#include <unistd.h>

static int refuse(const char *path, int error)
{
	struct oct_stat st;

	if (path && oct_stat(path, &st) < 0)
		return -1;
	errno = error;
	return -1;
}

int link(const char *path, const char *name)
{
	(void)name;
	return refuse(path, EPERM);
}

int symlink(const char *text, const char *name)
{
	(void)text, (void)name;
	return refuse(NULL, EPERM);
}

ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size)
{
	(void)buffer, (void)size;
	return refuse(path, EINVAL);
}
