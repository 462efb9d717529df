// SPDX-License-Identifier: ISC
//
// statvfs and fstatvfs: there is one file system.
#include "private.h"

#include <limits.h>
#include <string.h>
#include <sys/statvfs.h>

static int fill(struct statvfs *to)
{
	char text[OCT_PROC_TEXT];
	unsigned long left;

	if (!oct_proc_text("/proc/meminfo", text, sizeof text))
		return -1;
	left = oct_proc_number(text, "clusters_free");
	memset(to, 0, sizeof *to);
	to->f_bsize = to->f_frsize = oct_proc_number(text, "cluster_size");
	to->f_blocks = oct_proc_number(text, "clusters");
	to->f_bfree = to->f_bavail = left == UINT32_MAX ? 0 : left; // not counted yet
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
