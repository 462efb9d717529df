// SPDX-License-Identifier: ISC
// Areas of a card: see areas.h. Follows Microsoft's FAT specification (FAT type by cluster count).
// Everything read from the card is checked: a broken file system gives a coarser map, never a
// crash or an endless loop.
#include "areas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *const area_names[AREA_COUNT] = { "other", "fat", "dir", "swap", "file" };

struct volume {
	const struct image *im;
	uint8_t *map;
	uint64_t start, fat, root, data;        // sectors on the card
	uint32_t fat_sectors, root_sectors, spc, clusters, root_cluster;
	int bits;                               // 12, 16, 32
};

enum { ENTRY = 32, ATTR_DIR = 0x10, ATTR_VOLUME = 0x08, DEPTH = 16 };

static uint32_t le16(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8; }
static uint32_t le32(const uint8_t *p) { return le16(p) | le16(p + 2) << 16; }

static bool signed_sector(const uint8_t *s)
{
	return s && s[510] == 0x55 && s[511] == 0xaa;
}

static bool looks_like_bpb(const uint8_t *s)
{
	uint32_t spc = s[13];
	return signed_sector(s) && le16(s + 11) == SECTOR && spc && !(spc & (spc - 1)) &&
	       le16(s + 14) && s[16] >= 1 && s[16] <= 2;
}

// Sector of the first FAT volume, or -1.
static int64_t find_volume(const struct image *im)
{
	const uint8_t *mbr = image_sector(im, 0);
	if (!signed_sector(mbr))
		return -1;
	if (looks_like_bpb(mbr))
		return 0;
	for (int i = 0; i < 4; i++) {
		uint64_t lba = le32(mbr + 446 + 16 * i + 8);
		const uint8_t *boot = image_sector(im, lba);
		if (mbr[446 + 16 * i + 4] && boot && looks_like_bpb(boot))
			return (int64_t)lba;
	}
	return -1;
}

static bool read_bpb(struct volume *v, uint64_t start)
{
	const uint8_t *s = image_sector(v->im, start);
	uint32_t total = le16(s + 19) ? le16(s + 19) : le32(s + 32);
	uint32_t fats = s[16];
	v->start = start;
	v->spc = s[13];
	v->fat_sectors = le16(s + 22) ? le16(s + 22) : le32(s + 36);
	v->root_sectors = (le16(s + 17) * ENTRY + SECTOR - 1) / SECTOR;
	v->fat = start + le16(s + 14);
	v->root = v->fat + (uint64_t)fats * v->fat_sectors;
	v->data = v->root + v->root_sectors;
	if (!v->fat_sectors || v->data >= start + total || v->data >= v->im->sectors)
		return false;
	v->clusters = (uint32_t)((start + total - v->data) / v->spc);
	v->bits = v->clusters < 4085 ? 12 : v->clusters < 65525 ? 16 : 32;
	v->root_cluster = v->bits == 32 ? le32(s + 44) : 0;
	return true;
}

static void mark(struct volume *v, uint64_t lba, uint64_t count, enum area area)
{
	for (uint64_t i = 0; i < count && lba + i < v->im->sectors; i++)
		v->map[lba + i] = (uint8_t)area;
}

static uint8_t fat_byte(const struct volume *v, uint64_t at)
{
	const uint8_t *s = at / SECTOR < v->fat_sectors ?
			   image_sector(v->im, v->fat + at / SECTOR) : NULL;
	return s ? s[at % SECTOR] : 0;
}

// Next cluster of a chain; 0 at its end and for every value that is no cluster.
static uint32_t next_cluster(const struct volume *v, uint32_t c)
{
	uint64_t at = (uint64_t)c * (uint32_t)v->bits / 8;
	uint32_t n = fat_byte(v, at) | (uint32_t)fat_byte(v, at + 1) << 8;
	if (v->bits == 12)
		n = c & 1 ? n >> 4 : n & 0xfff;
	if (v->bits == 32)
		n |= (uint32_t)fat_byte(v, at + 2) << 16 | (fat_byte(v, at + 3) & 0x0fu) << 24;
	return n >= 2 && n < v->clusters + 2 ? n : 0;
}

static uint64_t cluster_sector(const struct volume *v, uint32_t c)
{
	return v->data + (uint64_t)(c - 2) * v->spc;
}

static void mark_chain(struct volume *v, uint32_t c, enum area area)
{
	for (uint32_t steps = 0; c >= 2 && c < v->clusters + 2 && steps <= v->clusters; steps++) {
		mark(v, cluster_sector(v, c), v->spc, area);
		c = next_cluster(v, c);
	}
}

static bool is_swap(const uint8_t *e)
{
	return !memcmp(e, "SWAP       ", 11) || !memcmp(e, "SWAPFILE   ", 11) ||
	       !memcmp(e, "SWAP    SYS", 11);
}

static void walk_dir(struct volume *v, uint32_t cluster, int depth);

static void take_entry(struct volume *v, const uint8_t *e, int depth)
{
	uint32_t first = le16(e + 26) | (v->bits == 32 ? le16(e + 20) << 16 : 0);
	if (e[0] == 0xe5 || e[0] == '.' || (e[11] & ATTR_VOLUME) || first < 2 ||
	    first >= v->clusters + 2)
		return;
	if (e[11] & ATTR_DIR)
		walk_dir(v, first, depth + 1);
	else if (depth == 0 && is_swap(e))
		mark_chain(v, first, AREA_SWAP);
}

static void walk_sectors(struct volume *v, uint64_t lba, uint64_t count, int depth)
{
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t *s = image_sector(v->im, lba + i);
		for (int at = 0; s && at < SECTOR && s[at]; at += ENTRY)
			take_entry(v, s + at, depth);
	}
}

// A cluster that is marked as a directory already was walked: that ends every loop.
static void walk_dir(struct volume *v, uint32_t c, int depth)
{
	while (c >= 2 && c < v->clusters + 2 && depth < DEPTH) {
		uint64_t lba = cluster_sector(v, c);
		if (lba >= v->im->sectors || v->map[lba] == AREA_DIR)
			return;
		mark(v, lba, v->spc, AREA_DIR);
		walk_sectors(v, lba, v->spc, depth);
		c = next_cluster(v, c);
	}
}

uint8_t *areas_map(const struct image *im)
{
	struct volume v = { .im = im, .map = calloc(im->sectors ? im->sectors : 1, 1) };
	int64_t start = v.map ? find_volume(im) : -1;
	if (start < 0 || !read_bpb(&v, (uint64_t)start))
		return v.map;
	mark(&v, v.fat, v.root - v.fat, AREA_FAT);
	mark(&v, v.root, v.root_sectors, AREA_DIR);
	mark(&v, v.data, (uint64_t)v.clusters * v.spc, AREA_FILE);
	if (v.bits == 32)
		walk_dir(&v, v.root_cluster, 0);
	else
		walk_sectors(&v, v.root, v.root_sectors, 0);
	return v.map;
}

void areas_total(const struct image *im, const uint8_t *map, struct area_totals *out)
{
	memset(out, 0, sizeof *out);
	for (uint64_t i = 0; i < im->sectors; i++) {
		out->reads[map[i]] += im->reads[i];
		out->writes[map[i]] += im->writes[i];
		out->all_reads += im->reads[i];
		out->all_writes += im->writes[i];
	}
}
