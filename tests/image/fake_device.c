// SPDX-License-Identifier: ISC
//
// Devices for the tests of the writer: plain files of mode 06MM, where MM is the minor number of the device (major 8) in octal.
// sysfs and /proc are below $FAKE_DEVICES. Linked in place of image/device.c.
#include "image/device.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "image/util.h"

static const char *below(const char *name)
{
	static char path[4096];
	snprintf(path, sizeof path, "%s/%s", getenv("FAKE_DEVICES"), name);
	return path;
}

const char *device_sysfs(void)
{
	return below("sys");
}

const char *device_mountinfo(void)
{
	return below("mountinfo");
}

const char *device_swaps(void)
{
	return below("swaps");
}

// The mode carries the number, since plain files have none.
dev_t device_number(const struct stat *st)
{
	return makedev(8, (st->st_mode & 077));
}

bool device_is_block(const struct stat *st)
{
	return S_ISREG(st->st_mode) && (st->st_mode & 0700) == 0600;
}

uint64_t device_bytes(int fd)
{
	struct stat st;
	return fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
}

// device_forget_cache: where a bad card loses what was written.
void device_forget_cache(int fd)
{
	const char *lost = getenv("FAKE_LOST_SECTOR");
	static const char zeros[512];
	if (lost)
		write_at(fd, zeros, sizeof zeros, atoll(lost) * 512, "fake device");
}

void device_reread_partitions(int fd)
{
	(void)fd;
}
