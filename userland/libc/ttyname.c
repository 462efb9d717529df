// SPDX-License-Identifier: ISC
//
// The names of terminals.
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "/dev/";

// The name in /dev of the node with this number, into name[n]; 0 or an error.
static int find(int dev, uint32_t ino, char *name, size_t n)
{
	_Alignas(4) char entries[128];
	int got;

	while ((got = getdents(dev, entries, sizeof entries)) > 0)
		for (int at = 0; at < got;) {
			const struct oct_dirent *e = (const struct oct_dirent *)(const void *)(entries + at);

			at += e->reclen;
			if (e->ino != ino)
				continue;
			if (sizeof folder + e->namelen > n)
				return ERANGE;
			memcpy(name, folder, sizeof folder - 1);
			strcpy(name + sizeof folder - 1, e->name);
			return 0;
		}
	return got < 0 ? errno : ENODEV;
}

int ttyname_r(int fd, char *name, size_t n)
{
	struct oct_stat st;
	int dev, error;

	if (!isatty(fd) || oct_fstat(fd, &st) < 0)
		return errno;
	dev = open(folder, O_RDONLY | O_DIRECTORY);
	if (dev < 0)
		return errno;
	error = find(dev, st.ino, name, n);
	close(dev);
	return error;
}

char *ttyname(int fd)
{
	static char name[32];

	errno = ttyname_r(fd, name, sizeof name);
	return errno ? NULL : name;
}

char *ctermid(char *name)
{
	static char own[] = "/dev/tty";

	return name ? strcpy(name, own) : own;
}
