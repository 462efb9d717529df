// SPDX-License-Identifier: ISC
//
// Block devices of this machine. See device.h.
#include "device.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

const char *device_sysfs(void)
{
	return "/sys";
}

const char *device_mountinfo(void)
{
	return "/proc/self/mountinfo";
}

const char *device_swaps(void)
{
	return "/proc/swaps";
}

bool device_is_block(const struct stat *st)
{
	return S_ISBLK(st->st_mode);
}

dev_t device_number(const struct stat *st)
{
	return st->st_rdev;
}

uint64_t device_bytes(int fd)
{
	uint64_t bytes;
	return ioctl(fd, BLKGETSIZE64, &bytes) ? 0 : bytes;
}

void device_forget_cache(int fd)
{
	ioctl(fd, BLKFLSBUF, 0);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

void device_reread_partitions(int fd)
{
	ioctl(fd, BLKRRPART, 0);
}
