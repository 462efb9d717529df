// SPDX-License-Identifier: ISC
//
// statvfs and fstatvfs: there is one file system.
#include "private.h"

#include <limits.h>
#include <string.h>
#include <sys/statvfs.h>

static int fill(struct statvfs *to)
{
	struct oct_sysinfo info;

	if (oct_sysinfo(&info) < 0)
		return -1;
	memset(to, 0, sizeof *to);
	to->f_bsize = to->f_frsize = info.cluster_size;
	to->f_blocks = info.fs_clusters;
	to->f_bfree = to->f_bavail = info.fs_free == UINT32_MAX ? 0 : info.fs_free; // not counted yet
	to->f_flag = ST_NOSUID;
	to->f_namemax = NAME_MAX;
	return 0;
}

int statvfs(const char *path, struct statvfs *buffer)
{
	struct oct_stat st;

	return oct_stat(path, &st) < 0 ? -1 : fill(buffer);
}

int fstatvfs(int fd, struct statvfs *buffer)
{
	struct oct_stat st;

	return oct_fstat(fd, &st) < 0 ? -1 : fill(buffer);
}
