// SPDX-License-Identifier: ISC
//
// realpath: there are no symbolic links, so what exists need only be joined to the working directory and tidied up.
#include "private.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Goes down to the component `name` of n bytes, or up; `end` is where the path ends.
static char *step(char *path, char *end, const char *name, size_t n)
{
	if (n == 0 || (n == 1 && name[0] == '.'))
		return end;
	if (n == 2 && name[0] == '.' && name[1] == '.') {
		while (end > path && *--end != '/')
			;
		return end;
	}
	if (n + 1 >= (size_t)(path + PATH_MAX - end))
		return NULL;
	*end = '/';
	memcpy(end + 1, name, n);
	return end + 1 + n;
}

static char *join(char *path, const char *more)
{
	char *end = path + (path[1] ? strlen(path) : 0); // the root is written as nothing until the end

	while (end && *more) {
		size_t n = strcspn(more, "/");

		end = step(path, end, more, n);
		more += n + (more[n] == '/');
	}
	if (!end) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	if (end == path)
		*end++ = '/';
	*end = 0;
	return path;
}

char *realpath(const char *restrict path, char *restrict resolved)
{
	char *own = NULL;
	struct oct_stat st;

	if (!path) {
		errno = EINVAL;
		return NULL;
	}
	if (oct_stat(path, &st) < 0)
		return NULL;
	if (!resolved)
		resolved = own = malloc(PATH_MAX);
	if (resolved && (*path == '/' ? strcpy(resolved, "/") : getcwd(resolved, PATH_MAX)) && join(resolved, path))
		return resolved;
	free(own);
	return NULL;
}
