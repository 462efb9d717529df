// SPDX-License-Identifier: ISC
//
// FAT16 and FAT32 volumes in an image file, with or without an MBR: reading, and writing that keeps files contiguous.
// Follows Microsoft's FAT specification. The FAT is held in memory; directories are loaded and stored whole. Changes go to
// the file descriptor at once (data, directories) or at fat_sync (the FATs): work on a copy (edit.h).
// Numbers read from the volume are never trusted: a bad one ends the program, or is a finding of fat_check.
#ifndef OCTIX_IMAGE_FAT_H
#define OCTIX_IMAGE_FAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fs/owner.h"

#define SECTOR       512u
#define FAT_NAME_MAX 768 // bytes of a long name in UTF-8 with its NUL

enum { ATTR_READ_ONLY = 1, ATTR_HIDDEN = 2, ATTR_SYSTEM = 4, ATTR_LABEL = 8, ATTR_DIR = 16, ATTR_ARCHIVE = 32, ATTR_LFN = 15 };

struct fat {
	int fd;
	const char *name;      // of the image, for messages
	bool mbr;
	int bits;              // 16 or 32
	uint32_t start;        // sector of the boot sector in the image
	uint32_t sectors;      // of the volume
	uint32_t cluster_sectors;
	uint32_t reserved, copies, fat_sectors;
	uint32_t root_sector, root_entries; // FAT16
	uint32_t root_cluster; // FAT32
	uint32_t data_sector;  // of cluster 2, counted from the boot sector
	uint32_t clusters;     // valid numbers are 2..clusters+1
	uint32_t fsinfo;       // sector, or 0
	uint32_t id;
	char label[12];
	uint32_t *next;        // the FAT as it stands on the volume, clusters + 2 entries
};

struct fat_dir {
	uint32_t cluster;      // first; 0: the fixed root directory of FAT16
	uint32_t slots;        // 32-byte entries
	uint8_t *raw;
	bool bad;              // the cluster chain ended in nonsense
};

struct fat_entry {
	char name[FAT_NAME_MAX];
	char short_name[13];
	uint8_t attr;
	uint16_t time, date;   // of the last write, as FAT codes them
	uint32_t cluster, size;
	uint32_t slot, slots;  // where its entries lie in the directory
	uint32_t parent;       // first cluster of that directory
};

enum fat_placing { PLACE_ANY, PLACE_CONTIGUOUS };

void fat_open(struct fat *f, int fd, const char *name);
void fat_sync(struct fat *f);
void fat_close(struct fat *f);

// fat_next: the successor of a cluster; 0: end of chain; 1: nonsense (free, bad, out of range).
uint32_t fat_next(const struct fat *f, uint32_t cluster);
uint32_t fat_cluster_bytes(const struct fat *f);
uint32_t fat_free_clusters(const struct fat *f);
uint32_t fat_largest_run(const struct fat *f);
off_t fat_cluster_offset(const struct fat *f, uint32_t cluster);
// fat_runs: number of runs of adjacent clusters of a file; 0 when it has none.
uint32_t fat_runs(const struct fat *f, uint32_t cluster);

struct fat_dir fat_dir_load(const struct fat *f, uint32_t cluster);
void fat_dir_free(struct fat_dir *d);
// fat_dir_next: the next file or directory at or behind *slot (volume label, `.` and `..` left out), false at the end.
bool fat_dir_next(const struct fat_dir *d, uint32_t *slot, struct fat_entry *e);

// fat_find: looks an absolute path up, regardless of case; "/" gives a directory entry of its own.
bool fat_find(const struct fat *f, const char *path, struct fat_entry *e);
// fat_read_file: the whole contents, in memory.
uint8_t *fat_read_file(const struct fat *f, const struct fat_entry *e);

// fat_add: makes a file in a directory; data NULL makes one of `size` bytes whose clusters are not written (they are holes in a new
// image). The name must not be there yet. Returns false when the space is not there, or not in one piece where that was asked for.
bool fat_add(struct fat *f, const char *path, const void *data, uint32_t size, uint8_t attr, enum fat_placing placing,
             const struct owner *o);
void fat_remove(struct fat *f, const struct fat_entry *e);
bool fat_mkdir(struct fat *f, const char *path, const struct owner *o);
// fat_parent_of: the directory that holds a path, or the end of the program when there is none.
void fat_parent_of(const struct fat *f, const char *path, struct fat_entry *parent, const char **base);

// Owner and mode as the kernel has them (fs/owner.h). fat_owner: false, and root with 0755, when it has none.
bool fat_owner(const struct fat *f, const struct fat_entry *e, struct owner *o);
void fat_set_owner(const struct fat *f, const struct fat_entry *e, const struct owner *o);

// fat_walk: calls back for every file and directory, parents first, in the order of the directories.
typedef void fat_visit(const struct fat *f, const char *path, const struct fat_entry *e, void *context);
void fat_walk(const struct fat *f, const char *path, fat_visit *visit, void *context);

// fat_check: bounds, chains, cross-links, lost clusters, sizes, FAT copies, contiguity of programs and swap.
// Prints one line for each finding and returns how many there were.
unsigned fat_check(const struct fat *f);
bool fat_must_be_contiguous(const struct fat *f, const struct fat_entry *e);

#endif
