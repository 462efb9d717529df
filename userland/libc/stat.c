// SPDX-License-Identifier: ISC
//
// stat and fstat: the kernel's short record spread over picolibc's struct stat. There are no links: lstat is stat.
#include "private.h"

#include <octix/date.h>
#include <string.h>
#include <sys/stat.h>

static int spread(int result, const struct oct_stat *from, struct stat *to)
{
	if (result < 0)
		return -1;
	memset(to, 0, sizeof *to);
	to->st_ino = (ino_t)from->ino;
	to->st_mode = from->mode;
	to->st_nlink = 1;
	to->st_size = (off_t)from->size;
	to->st_blksize = 512;
	to->st_blocks = (blkcnt_t)((from->size + 511) / 512);
	to->st_uid = from->uid;
	to->st_gid = from->gid;
	to->st_atime = to->st_mtime = to->st_ctime = (time_t)oct_date_seconds(from->mtime);
	return 0;
}

int stat(const char *path, struct stat *st)
{
	struct oct_stat raw;

	return spread(oct_stat(path, &raw), &raw, st);
}

int lstat(const char *path, struct stat *st)
{
	return stat(path, st);
}

int fstat(int fd, struct stat *st)
{
	struct oct_stat raw;

	return spread(oct_fstat(fd, &raw), &raw, st);
}
