// SPDX-License-Identifier: ISC
//
// <sys/statvfs.h>: room in the file system.
#ifndef OCTIX_SYS_STATVFS_H
#define OCTIX_SYS_STATVFS_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct statvfs {
	unsigned long f_bsize, f_frsize;
	fsblkcnt_t f_blocks, f_bfree, f_bavail; // of f_frsize bytes
	fsfilcnt_t f_files, f_ffree, f_favail;  // 0: FAT has no table of files
	unsigned long f_fsid, f_flag, f_namemax;
};

#define ST_RDONLY 1
#define ST_NOSUID 2

int statvfs(const char *path, struct statvfs *buffer);
int fstatvfs(int fd, struct statvfs *buffer);

#ifdef __cplusplus
}
#endif

#endif
