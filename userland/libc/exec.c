// SPDX-License-Identifier: ISC
//
// The exec family over execve, and the search along PATH.
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS = 64, PATH_LENGTH = 128 };

int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

// Joins the next directory of PATH and a name; returns the rest of PATH, NULL at its end.
static const char *next_candidate(const char *path, const char *name, char *out)
{
	size_t n = strcspn(path, ":"), length = strlen(name);

	if (n + length + 2 > PATH_LENGTH)
		n = 0;
	memcpy(out, path, n);
	if (n)
		out[n++] = '/';
	if (n + length + 1 <= PATH_LENGTH)
		memcpy(out + n, name, length + 1);
	path += strcspn(path, ":");
	return *path ? path + 1 : NULL;
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
	char candidate[PATH_LENGTH];
	const char *path = getenv("PATH");
	int reason = ENOENT;

	if (!*file || strchr(file, '/'))
		return execve(file, argv, envp);
	if (strlen(file) >= PATH_LENGTH) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (path = path ? path : "/bin:/sbin"; path;) {
		path = next_candidate(path, file, candidate);
		execve(candidate, argv, envp);
		if (errno != ENOENT && errno != ENOTDIR)
			reason = errno;
	}
	errno = reason;
	return -1;
}

int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

static int collect(char **argv, const char *first, va_list *rest)
{
	int n = 0;

	for (const char *a = first; a; a = va_arg(*rest, const char *)) {
		if (n == ARGUMENTS) {
			errno = E2BIG;
			return -1;
		}
		argv[n++] = (char *)a;
	}
	argv[n] = NULL;
	return 0;
}

int execl(const char *path, const char *first, ...)
{
	char *argv[ARGUMENTS + 1];
	va_list rest;
	int result;

	va_start(rest, first);
	result = collect(argv, first, &rest);
	va_end(rest);
	return result < 0 ? -1 : execv(path, argv);
}

// The environment stands behind the NULL of the arguments.
int execle(const char *path, const char *first, ...)
{
	char *argv[ARGUMENTS + 1];
	va_list rest;
	char **envp;
	int result;

	va_start(rest, first);
	result = collect(argv, first, &rest);
	envp = va_arg(rest, char **);
	va_end(rest);
	return result < 0 ? -1 : execve(path, argv, envp);
}

int execlp(const char *file, const char *first, ...)
{
	char *argv[ARGUMENTS + 1];
	va_list rest;
	int result;

	va_start(rest, first);
	result = collect(argv, first, &rest);
	va_end(rest);
	return result < 0 ? -1 : execvp(file, argv);
}
