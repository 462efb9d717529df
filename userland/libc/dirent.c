// SPDX-License-Identifier: ISC
//
// Directory streams over getdents.
#include "private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 256 };

struct octix_dir {
	int fd;
	uint16_t at, end;      // in the buffer
	long passed;           // entries read since the start
	struct dirent entry;
	_Alignas(4) char buffer[BUFFER];
};

static DIR *stream_of(int fd)
{
	DIR *dir = malloc(sizeof *dir);

	if (!dir)
		return NULL;
	dir->fd = fd;
	dir->at = dir->end = 0;
	dir->passed = 0;
	return dir;
}

DIR *fdopendir(int fd)
{
	struct oct_stat st;

	if (oct_fstat(fd, &st) < 0)
		return NULL;
	if (!S_ISDIR(st.mode)) {
		errno = ENOTDIR;
		return NULL;
	}
	return stream_of(fd);
}

DIR *opendir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : stream_of(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

static struct dirent *convert(struct dirent *to, const struct oct_dirent *from)
{
	to->d_ino = from->ino;
	to->d_type = (unsigned char)((from->mode & S_IFMT) >> 12);
	to->d_namlen = from->namelen;
	memcpy(to->d_name, from->name, from->namelen + 1u);
	return to;
}

struct dirent *readdir(DIR *dir)
{
	const struct oct_dirent *record;

	if (dir->at >= dir->end) {
		int n = getdents(dir->fd, dir->buffer, BUFFER);

		if (n <= 0)
			return NULL;
		dir->at = 0;
		dir->end = (uint16_t)n;
	}
	record = (const struct oct_dirent *)(dir->buffer + dir->at);
	dir->at = (uint16_t)(dir->at + record->reclen);
	dir->passed++;
	return convert(&dir->entry, record);
}

void rewinddir(DIR *dir)
{
	lseek(dir->fd, 0, SEEK_SET);
	dir->at = dir->end = 0;
	dir->passed = 0;
}

// A place is a number of entries: those that are removed meanwhile move it.
long telldir(DIR *dir)
{
	return dir->passed;
}

void seekdir(DIR *dir, long place)
{
	rewinddir(dir);
	while (dir->passed < place && readdir(dir))
		;
}

int dirfd(DIR *dir)
{
	return dir->fd;
}

int closedir(DIR *dir)
{
	int fd = dir->fd;

	free(dir);
	return close(fd);
}
