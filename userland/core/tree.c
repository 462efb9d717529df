// SPDX-License-Identifier: ISC
//
// Copying and removing folders with what is in them. Paths grow and shrink in one buffer each; the state of a level
// lies on the heap, so that the stack stays small.
#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <octix/octix.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH = 256 };

static int is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

// --- Copying ---

static int copy_file(const char *from, const char *to, mode_t mode)
{
	int in = open(from, O_RDONLY), out, result;

	if (in < 0)
		return complain(from);
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC, mode & 0777);
	result = out < 0 ? -2 : copy_data(in, out);
	if (result)
		complain(result == -1 ? from : to);
	if (out >= 0 && close(out) < 0)
		result = complain(to);
	close(in);
	return result ? FAILED : OK;
}

static int copy_any(char *from, char *to);

static int copy_entry(char *from, char *to, const char *name)
{
	int old_from = path_append(from, name), old_to = path_append(to, name), status;

	status = old_from < 0 || old_to < 0 ? complain(name) : copy_any(from, to);
	if (old_from >= 0)
		from[old_from] = 0;
	if (old_to >= 0)
		to[old_to] = 0;
	return status;
}

static int copy_dir(char *from, char *to)
{
	DIR *dir;
	struct dirent *entry;
	int status = OK;

	if (mkdir(to, 0777) < 0 && !is_dir(to))
		return complain(to);
	dir = opendir(from);
	if (!dir)
		return complain(from);
	while ((entry = readdir(dir)))
		if (!is_dot(entry->d_name))
			status |= copy_entry(from, to, entry->d_name);
	closedir(dir);
	return status;
}

static int same_file(const char *from, const char *to)
{
	struct oct_stat a, b;

	return strcmp(from, to) == 0 ||
	       (oct_stat(from, &a) == 0 && oct_stat(to, &b) == 0 && a.ino && a.ino == b.ino && a.size == b.size);
}

static int inside(const char *from, const char *to)
{
	size_t n = strlen(from);

	return strncmp(from, to, n) == 0 && (to[n] == '/' || (n && from[n - 1] == '/'));
}

static int copy_any(char *from, char *to)
{
	struct stat st;

	if (stat(from, &st) < 0)
		return complain(from);
	return S_ISDIR(st.st_mode) ? copy_dir(from, to) : copy_file(from, to, st.st_mode);
}

int copy_tree(const char *from, const char *to)
{
	static char from_path[PATH_BYTES], to_path[PATH_BYTES];

	from_path[0] = to_path[0] = 0;
	if (path_append(from_path, from) < 0 || path_append(to_path, to) < 0)
		return complain(from);
	if (same_file(from, to))
		return complain_because(to, "is the same file");
	if (inside(from, to) && is_dir(from))
		return complain_because(to, "is inside the source");
	return copy_any(from_path, to_path);
}

// --- Removing ---

static int only_dots(const char *batch, int n)
{
	for (int at = 0; at < n;) {
		const struct oct_dirent *entry = (const struct oct_dirent *)(batch + at);

		if (!is_dot(entry->name))
			return 0;
		at += entry->reclen;
	}
	return 1;
}

// Reads the first entries of a folder afresh: what was read before has been removed since.
static int first_entries(const char *path, void *batch)
{
	int fd = open(path, O_RDONLY), n;

	if (fd < 0)
		return -1;
	do
		n = getdents(fd, batch, BATCH);
	while (n > 0 && only_dots(batch, n));
	close(fd);
	return n;
}

static int remove_any(char *path);

static int remove_entry(char *path, const char *name)
{
	int old = path_append(path, name), status;

	if (old < 0)
		return complain(name);
	status = remove_any(path);
	path[old] = 0;
	return status;
}

// Removes what a batch names; 1 for something removed, 0 for nothing there, -1 for a failure.
static int remove_batch(char *path, const char *batch, int n)
{
	int removed = 0;

	for (int at = 0; at < n;) {
		const struct oct_dirent *entry = (const struct oct_dirent *)(batch + at);

		at += entry->reclen;
		if (is_dot(entry->name))
			continue;
		if (remove_entry(path, entry->name) != OK)
			return -1;
		removed = 1;
	}
	return removed;
}

static int remove_dir(char *path)
{
	char *batch = malloc(BATCH);
	int result = 1;

	if (!batch)
		return complain(path);
	while (result > 0) {
		int n = first_entries(path, batch);

		result = n < 0 ? n : remove_batch(path, batch, n);
	}
	free(batch);
	if (result < 0)
		return FAILED;
	return rmdir(path) < 0 ? complain(path) : OK;
}

static int remove_any(char *path)
{
	if (is_dir(path))
		return remove_dir(path);
	return unlink(path) < 0 ? complain(path) : OK;
}

int remove_tree(const char *path, int quiet)
{
	static char buffer[PATH_BYTES];
	struct stat st;

	if (stat(path, &st) < 0)
		return quiet && errno == ENOENT ? OK : complain(path);
	buffer[0] = 0;
	if (path_append(buffer, path) < 0)
		return complain(path);
	return remove_any(buffer);
}
