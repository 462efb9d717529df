// SPDX-License-Identifier: ISC
//
// getcwd: the kernel knows the directory by its number only. The names come from the directories above, on the way up to the root.
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_LENGTH = 256, BATCH = 256 };

static long number_of(const char *path)
{
	struct oct_stat st;

	return oct_stat(path, &st) < 0 ? -1 : (long)st.ino;
}

// Puts the name that directory `ino` has in the open directory `fd` before *p, with its slash.
static int find_name(int fd, uint32_t ino, char **p, const char *limit)
{
	_Alignas(4) char batch[BATCH];
	int n;

	while ((n = getdents(fd, batch, sizeof batch)) > 0)
		for (int at = 0; at < n;) {
			const struct oct_dirent *d = (const struct oct_dirent *)(batch + at);

			at += d->reclen;
			if (d->ino != ino || !S_ISDIR(d->mode) || !strcmp(d->name, ".") || !strcmp(d->name, ".."))
				continue;
			if (*p - limit < d->namelen + 1) {
				errno = ERANGE;
				return -1;
			}
			*p -= d->namelen + 1;
			**p = '/';
			memcpy(*p + 1, d->name, d->namelen);
			return 0;
		}
	if (n == 0)
		errno = ENOENT;
	return -1;
}

static int parent_name(const char *up, uint32_t ino, char **p, const char *limit)
{
	int fd = open(up, O_RDONLY | O_DIRECTORY), result;

	if (fd < 0)
		return -1;
	result = find_name(fd, ino, p, limit);
	close(fd);
	return result;
}

// The path to the root, at the end of the buffer; NULL: errno.
static char *walk_up(char *buffer, size_t size)
{
	char up[PATH_LENGTH] = "..", *p = buffer + size - 1;
	long root = number_of("/"), here = number_of(".");

	*p = 0;
	for (size_t n = 2; here != -1; n += 3) {
		long parent = number_of(up);

		if (here == root || here == parent) // the latter: outside of the root that oxrun was given
			break;
		if (parent_name(up, (uint32_t)here, &p, buffer) < 0)
			return NULL;
		here = parent;
		if (n + 4 > sizeof up) {
			errno = ENAMETOOLONG;
			return NULL;
		}
		memcpy(up + n, "/..", 4);
	}
	if (here == -1)
		return NULL;
	if (*p)
		return p;
	*--p = '/';
	return p;
}

char *getcwd(char *buffer, size_t size)
{
	char *own = NULL, *path = NULL;

	if (!buffer) {
		size = size ? size : PATH_LENGTH;
		buffer = own = malloc(size);
	}
	if (size < 2)
		errno = size ? ERANGE : EINVAL;
	else if (buffer)
		path = walk_up(buffer, size);
	if (path)
		return memmove(buffer, path, strlen(path) + 1);
	free(own);
	return NULL;
}
