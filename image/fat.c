// SPDX-License-Identifier: ISC
//
// The volume: boot sector, FAT, cluster chains. See fat.h.
#include "fat.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util.h"

static uint32_t le16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t le32(const uint8_t *p)
{
	return le16(p) | le16(p + 2) << 16;
}

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static bool is_boot_sector(const uint8_t *s)
{
	bool jump = s[0] == 0xEB || s[0] == 0xE9;
	uint32_t per_cluster = s[13];
	return jump && le16(s + 510) == 0xAA55 && le16(s + 11) == SECTOR && per_cluster &&
	       !(per_cluster & (per_cluster - 1)) && le16(s + 14) && (s[16] == 1 || s[16] == 2);
}

static bool is_fat_partition(const uint8_t *row)
{
	static const uint8_t types[] = {0x04, 0x06, 0x0B, 0x0C, 0x0E};
	return memchr(types, row[4], sizeof types) && le32(row + 8) && (row[0] & 0x7F) == 0;
}

// locate: reads the boot sector into `s` and sets where it lies.
static void locate(struct fat *f, uint8_t s[SECTOR])
{
	read_at(f->fd, s, SECTOR, 0, f->name);
	if (is_boot_sector(s))
		return;
	if (memcmp(s + 3, "EXFAT   ", 8) == 0)
		die("%s: this is exFAT; Octix uses FAT16 and FAT32", f->name);
	if (le16(s + 510) != 0xAA55)
		die("%s: neither an MBR nor a FAT file system", f->name);
	for (const uint8_t *row = s + 446; row < s + 510; row += 16) {
		if (!is_fat_partition(row))
			continue;
		f->mbr = true;
		f->start = le32(row + 8);
		read_at(f->fd, s, SECTOR, (off_t)f->start * SECTOR, f->name);
		if (!is_boot_sector(s))
			die("%s: the FAT partition at sector %u holds no FAT file system", f->name, f->start);
		return;
	}
	die("%s: no FAT partition", f->name);
}

static void parse_boot_sector(struct fat *f, const uint8_t *s)
{
	bool fat32 = le16(s + 22) == 0;
	f->cluster_sectors = s[13];
	f->reserved = le16(s + 14);
	f->copies = s[16];
	f->root_entries = le16(s + 17);
	f->sectors = le16(s + 19) ? le16(s + 19) : le32(s + 32);
	f->fat_sectors = fat32 ? le32(s + 36) : le16(s + 22);
	f->root_cluster = fat32 ? le32(s + 44) : 0;
	f->fsinfo = fat32 && le16(s + 48) != 0xFFFF ? le16(s + 48) : 0;
	const uint8_t *tail = s + (fat32 ? 64 : 36);
	f->id = le32(tail + 3);
	memcpy(f->label, tail + 7, 11);
	for (int i = 10; i >= 0 && f->label[i] == ' '; i--)
		f->label[i] = 0;
}

static void derive_geometry(struct fat *f)
{
	uint64_t root = f->reserved + (uint64_t)f->copies * f->fat_sectors;
	uint64_t data = root + (f->root_entries * 32u + SECTOR - 1) / SECTOR;
	struct stat st;
	if (fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size < ((uint64_t)f->start + f->sectors) * SECTOR)
		die("%s: truncated: the file system is larger than the image", f->name);
	if (data >= f->sectors)
		die("%s: broken boot sector (no room for data)", f->name);
	f->root_sector = (uint32_t)root;
	f->data_sector = (uint32_t)data;
	f->clusters = (f->sectors - f->data_sector) / f->cluster_sectors;
	f->bits = f->clusters < 65525 ? 16 : 32;
	if (f->clusters < 4085)
		die("%s: this is FAT12; Octix uses FAT16 and FAT32", f->name);
	if (f->cluster_sectors > 64)
		die("%s: clusters of %u bytes; Octix takes at most 32 KiB", f->name, f->cluster_sectors * SECTOR);
	if ((f->bits == 32) != (f->root_entries == 0))
		die("%s: %u clusters do not fit the FAT type of the boot sector", f->name, f->clusters);
	if ((uint64_t)f->fat_sectors * SECTOR / (unsigned)(f->bits / 8) < f->clusters + 2)
		die("%s: broken boot sector (FAT too small)", f->name);
}

static off_t fat_offset(const struct fat *f, uint32_t copy)
{
	return ((off_t)f->start + f->reserved + (off_t)copy * f->fat_sectors) * SECTOR;
}

static void load_fat(struct fat *f)
{
	size_t width = (size_t)f->bits / 8, count = f->clusters + 2;
	uint8_t *raw = xmalloc(count * width);
	read_at(f->fd, raw, count * width, fat_offset(f, 0), f->name);
	f->next = xmalloc(count * sizeof *f->next);
	for (size_t i = 0; i < count; i++)
		f->next[i] = width == 2 ? le16(raw + 2 * i) : le32(raw + 4 * i);
	free(raw);
}

void fat_open(struct fat *f, int fd, const char *name)
{
	uint8_t s[SECTOR];
	*f = (struct fat){.fd = fd, .name = name};
	locate(f, s);
	parse_boot_sector(f, s);
	derive_geometry(f);
	load_fat(f);
}

static void store_fsinfo(struct fat *f)
{
	uint8_t s[SECTOR];
	off_t at = ((off_t)f->start + f->fsinfo) * SECTOR;
	read_at(f->fd, s, SECTOR, at, f->name);
	if (le32(s) != 0x41615252 || le32(s + 484) != 0x61417272)
		return;
	put32(s + 488, fat_free_clusters(f));
	put32(s + 492, 0xFFFFFFFF);
	write_at(f->fd, s, SECTOR, at, f->name);
}

void fat_sync(struct fat *f)
{
	size_t width = (size_t)f->bits / 8, count = f->clusters + 2;
	uint8_t *raw = xmalloc(count * 4);
	for (size_t i = 0; i < count; i++)
		put32(raw + width * i, f->next[i]); // the upper half is overwritten by the next entry of FAT16
	for (uint32_t copy = 0; copy < f->copies; copy++)
		write_at(f->fd, raw, count * width, fat_offset(f, copy), f->name);
	free(raw);
	if (f->fsinfo)
		store_fsinfo(f);
}

void fat_close(struct fat *f)
{
	free(f->next);
	f->next = NULL;
}

uint32_t fat_next(const struct fat *f, uint32_t cluster)
{
	if (cluster < 2 || cluster >= f->clusters + 2)
		return 1;
	uint32_t v = f->next[cluster];
	v = f->bits == 16 ? v : v & 0x0FFFFFFF;
	if (v >= (f->bits == 16 ? 0xFFF8u : 0x0FFFFFF8u))
		return 0;
	return v < 2 || v >= f->clusters + 2 ? 1 : v;
}

uint32_t fat_cluster_bytes(const struct fat *f)
{
	return f->cluster_sectors * SECTOR;
}

static bool is_free(const struct fat *f, uint32_t cluster)
{
	return (f->next[cluster] & 0x0FFFFFFF) == 0;
}

uint32_t fat_free_clusters(const struct fat *f)
{
	uint32_t n = 0;
	for (uint32_t c = 2; c < f->clusters + 2; c++)
		n += is_free(f, c);
	return n;
}

uint32_t fat_largest_run(const struct fat *f)
{
	uint32_t best = 0, run = 0;
	for (uint32_t c = 2; c < f->clusters + 2; c++) {
		run = is_free(f, c) ? run + 1 : 0;
		best = run > best ? run : best;
	}
	return best;
}

off_t fat_cluster_offset(const struct fat *f, uint32_t cluster)
{
	return ((off_t)f->start + f->data_sector + (off_t)(cluster - 2) * f->cluster_sectors) * SECTOR;
}

uint32_t fat_runs(const struct fat *f, uint32_t cluster)
{
	uint32_t runs = cluster >= 2;
	for (uint32_t steps = 0; cluster >= 2 && steps <= f->clusters; steps++) {
		uint32_t next = fat_next(f, cluster);
		runs += next >= 2 && next != cluster + 1;
		cluster = next;
	}
	return runs;
}
