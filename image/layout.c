// SPDX-License-Identifier: ISC
//
// Steps of image/build: where the parts of a new image lie, its MBR, its swap file, and the files beside it.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edit.h"
#include "fat.h"
#include "oximage.h"
#include "util.h"

#define ERASE_SECTORS 8192u // 4 MiB: the data area begins at a multiple of it
#define START_SECTOR  2048u // of the partition, with an MBR
#define ROOT_ENTRIES  512u  // FAT16
#define FAT12_MAX     4084u
#define FAT16_MAX     65524u
#define FAT32_MAX     0x0FFFFFF5u

struct layout {
	uint32_t total, start, reserved, cluster, root, fat_sectors, clusters, data;
	int bits;
};

// fat_length: sectors of one FAT as mkfs.fat 4.2 computes them (-a, two copies).
static uint32_t fat_length(const struct layout *l, uint32_t reserved)
{
	uint64_t width = (unsigned)l->bits / 8, data = l->total - l->start - reserved - l->root;
	uint64_t clusters = (data * SECTOR + 4 * width) / (l->cluster * SECTOR + 2 * width);
	return (uint32_t)(((clusters + 2) * width + SECTOR - 1) / SECTOR);
}

// place: finds reserved sectors so that the data area begins on the boundary; false when the image is too small.
static bool place(struct layout *l)
{
	uint32_t least = l->bits == 16 ? 1 : 32;
	l->root = l->bits == 16 ? ROOT_ENTRIES * 32 / SECTOR : 0;
	for (l->data = ERASE_SECTORS; l->data < l->total; l->data += ERASE_SECTORS) {
		uint32_t room = l->data - l->start - l->root;
		for (uint32_t fat = 1; 2 * fat + least <= room; fat++) {
			l->reserved = room - 2 * fat;
			if (l->reserved <= 65535 && fat_length(l, l->reserved) == fat) {
				l->fat_sectors = fat;
				l->clusters = (l->total - l->data) / l->cluster;
				return true;
			}
		}
	}
	return false;
}

static bool fits_type(const struct layout *l)
{
	return l->bits == 16 ? l->clusters > FAT12_MAX && l->clusters <= FAT16_MAX : l->clusters > FAT16_MAX && l->clusters <= FAT32_MAX;
}

// default_cluster: 2 KiB on small FAT16 volumes and 4 KiB on FAT32 ones, unless the number of clusters asks for another.
static bool default_cluster(struct layout *l)
{
	static const uint8_t tries16[] = {4, 8, 16, 32, 64, 2, 1, 0}, tries32[] = {8, 4, 2, 1, 16, 32, 64, 0};
	for (const uint8_t *try = l->bits == 16 ? tries16 : tries32; *try; try++) {
		l->cluster = *try;
		if (place(l) && fits_type(l))
			return true;
	}
	return false;
}

static void check_cluster(struct layout *l, uint64_t bytes)
{
	l->cluster = (uint32_t)(bytes / SECTOR);
	if (bytes % SECTOR || !l->cluster || (l->cluster & (l->cluster - 1)) || l->cluster > 64)
		usage_error("a cluster has 512 to 32768 bytes, a power of two; not %llu", (unsigned long long)bytes);
	if (!place(l))
		die("the image is too small");
	if (!fits_type(l))
		die("%u clusters of %llu bytes do not make a FAT%d: it has %u to %u", l->clusters, (unsigned long long)bytes, l->bits,
		    l->bits == 16 ? FAT12_MAX + 1 : FAT16_MAX + 1, l->bits == 16 ? FAT16_MAX : FAT32_MAX);
}

// layout SIZE FAT MBR [CLUSTER]: prints what mkfs.fat needs as assignments for the shell.
int cmd_layout(int argc, char **argv)
{
	if (argc < 4)
		usage_error("layout SIZE 16|32 yes|no [CLUSTER]");
	uint64_t bytes = parse_size(argv[1]);
	struct layout l = {.bits = atoi(argv[2])};
	if (l.bits != 16 && l.bits != 32)
		usage_error("--fat is 16 or 32, not '%s'", argv[2]);
	if (bytes % (1 << 20) || bytes / SECTOR > UINT32_MAX || bytes < 8 << 20)
		usage_error("the size is a multiple of 1 MiB, from 8 MiB to 2 TiB");
	l.total = (uint32_t)(bytes / SECTOR);
	l.start = strcmp(argv[3], "yes") == 0 ? START_SECTOR : 0;
	if (argc > 4 && *argv[4])
		check_cluster(&l, parse_size(argv[4]));
	else if (!default_cluster(&l))
		die("no FAT%d has %llu MiB with clusters of at most 32 KiB", l.bits, (unsigned long long)(bytes >> 20));
	printf("start=%u reserved=%u cluster=%u kib=%u sectors=%u\n", l.start, l.reserved, l.cluster, (l.total - l.start) / 2,
	       l.total - l.start);
	return 0;
}

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static int open_rw(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

// mbr IMAGE START SECTORS FAT ID: one partition, LBA types; the id is the disk's signature too.
int cmd_mbr(int argc, char **argv)
{
	if (argc != 6)
		usage_error("mbr IMAGE START SECTORS 16|32 ID");
	uint8_t s[SECTOR] = {0}, *row = s + 446;
	put32(s + 440, (uint32_t)strtoul(argv[5], NULL, 16));
	memcpy(row, (uint8_t[]){0x00, 0xFE, 0xFF, 0xFF, atoi(argv[4]) == 16 ? 0x0E : 0x0C, 0xFE, 0xFF, 0xFF}, 8);
	put32(row + 8, (uint32_t)strtoul(argv[2], NULL, 10));
	put32(row + 12, (uint32_t)strtoul(argv[3], NULL, 10));
	s[510] = 0x55, s[511] = 0xAA;
	int fd = open_rw(argv[1]);
	write_at(fd, s, sizeof s, 0, argv[1]);
	return close(fd) ? EXIT_FAILED : 0;
}

// swap IMAGE SIZE: makes /swap, in one piece, without writing its clusters.
int cmd_swap(int argc, char **argv)
{
	struct fat f;
	if (argc != 3)
		usage_error("swap IMAGE SIZE");
	uint64_t bytes = parse_size(argv[2]);
	if (bytes % SECTOR || bytes > UINT32_MAX)
		usage_error("--swap is a multiple of 512 bytes below 4 GiB");
	int fd = open_rw(argv[1]);
	fat_open(&f, fd, argv[1]);
	if (!fat_add(&f, "/swap", NULL, (uint32_t)bytes, ATTR_HIDDEN | ATTR_SYSTEM, PLACE_CONTIGUOUS, &(struct owner){.mode = 0600}))
		die("no room for %llu bytes of swap", (unsigned long long)bytes);
	fat_sync(&f);
	fat_close(&f);
	return close(fd) ? EXIT_FAILED : 0;
}

// seal IMAGE LINES: checks a finished image, syncs it, and writes the files beside it under the name they will have. LINES go into the
// manifest.
int cmd_seal(int argc, char **argv)
{
	struct fat f;
	if (argc != 3)
		usage_error("seal IMAGE LINES");
	int fd = open_rw(argv[1]);
	fat_open(&f, fd, argv[1]);
	if (fat_check(&f) || !fsck_fat(&f))
		die("%s: does not pass the checks", argv[1]);
	if ((f.start + f.data_sector) % ERASE_SECTORS)
		die("%s: the data area is not on a 4 MiB boundary", argv[1]);
	seal_image(argv[1], &f, argv[2]);
	fat_close(&f);
	return close(fd) ? EXIT_FAILED : 0;
}
