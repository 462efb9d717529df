// SPDX-License-Identifier: ISC
// Image file as a memory mapping. The private overlay is MAP_PRIVATE: the host's own
// copy-on-write keeps the changes, so the file is open read-only and cannot be modified.
#include "image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_file(struct image *im, const struct stat *st, char *err, size_t errlen)
{
	if (!S_ISREG(st->st_mode)) {
		snprintf(err, errlen, "is not a regular file; read the card into one first");
		return -1;
	}
	if (st->st_size < SECTOR) {
		snprintf(err, errlen, "is smaller than one sector of 512 bytes");
		return -1;
	}
	if (im->shared && st->st_size % SECTOR) {
		snprintf(err, errlen, "size %lld is not a multiple of 512; not opened for writing",
			 (long long)st->st_size);
		return -1;
	}
	if (im->shared && flock(im->fd, LOCK_EX | LOCK_NB)) {
		snprintf(err, errlen, "is in use by another program; end it, or leave out --rw");
		return -1;
	}
	return 0;
}

static int map_file(struct image *im, const struct stat *st, char *err, size_t errlen)
{
	int kind = im->shared ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE;
	im->sectors = ((uint64_t)st->st_size + SECTOR - 1) / SECTOR;
	im->mapped = (size_t)im->sectors * SECTOR;
	im->bytes = mmap(NULL, im->mapped, PROT_READ | PROT_WRITE, kind, im->fd, 0);
	im->reads = calloc(im->sectors, sizeof *im->reads);
	im->writes = calloc(im->sectors, sizeof *im->writes);
	if (im->bytes != MAP_FAILED && im->reads && im->writes)
		return 0;
	snprintf(err, errlen, "cannot be mapped: %m");
	return -1;
}

int image_open(struct image *im, const char *path, bool shared, char *err, size_t errlen)
{
	struct stat st;
	memset(im, 0, sizeof *im);
	im->shared = shared;
	im->fd = open(path, (shared ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	if (im->fd < 0 || fstat(im->fd, &st)) {
		snprintf(err, errlen, "cannot be opened: %m");
		return -1;
	}
	if (check_file(im, &st, err, errlen) || map_file(im, &st, err, errlen))
		return -1;
	return 0;
}

uint8_t *image_sector(const struct image *im, uint64_t lba)
{
	return lba < im->sectors ? im->bytes + lba * SECTOR : NULL;
}

int image_close(struct image *im)
{
	int rc = 0;
	if (im->bytes && im->bytes != MAP_FAILED) {
		if (im->shared && msync(im->bytes, im->mapped, MS_SYNC))
			rc = -1;
		munmap(im->bytes, im->mapped);
	}
	free(im->reads);
	free(im->writes);
	if (im->fd >= 0)
		close(im->fd);
	memset(im, 0, sizeof *im);
	im->fd = -1;
	return rc;
}
