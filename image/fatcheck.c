// SPDX-License-Identifier: ISC
//
// The checker: is every chain sound, is every cluster owned once, do the FAT copies agree, and do the files that the kernel reads
// by arithmetic (programs and swap) lie in one piece. See fat.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fat.h"
#include "util.h"
#include <octix/oxe.h>

struct check {
	uint8_t *owned; // a byte a cluster
	unsigned findings;
};

static void finding(struct check *c, const struct fat *f, const char *path, const char *what)
{
	printf("%s: %s: %s\n", f->name, path, what);
	c->findings++;
}

bool fat_must_be_contiguous(const struct fat *f, const struct fat_entry *e)
{
	char magic[4];
	if (e->attr & ATTR_DIR)
		return false;
	if (e->attr & ATTR_SYSTEM)
		return true;
	return e->size >= OXE_SECTOR && fat_next(f, e->cluster) != 1 &&
	       try_read_at(f->fd, magic, 4, fat_cluster_offset(f, e->cluster)) && memcmp(magic, OXE_MAGIC, 4) == 0;
}

// claim_chain: marks the clusters of a chain; their number, or -1 after a finding.
static long claim_chain(struct check *c, const struct fat *f, const char *path, uint32_t cluster)
{
	long count = 0;
	for (; cluster; cluster = fat_next(f, cluster), count++) {
		if (fat_next(f, cluster) == 1)
			return finding(c, f, path, "broken cluster chain"), -1;
		if (c->owned[cluster]++)
			return finding(c, f, path, "shares clusters with another file (or with itself)"), -1;
	}
	return count;
}

static void check_entry(struct check *c, const struct fat *f, const char *path, const struct fat_entry *e)
{
	long have = claim_chain(c, f, path, e->cluster);
	uint32_t step = fat_cluster_bytes(f);
	if (have < 0)
		return;
	if (e->attr & ATTR_DIR) {
		if (have == 0)
			finding(c, f, path, "directory without clusters");
		return;
	}
	if ((uint64_t)have != ((uint64_t)e->size + step - 1) / step)
		finding(c, f, path, "size does not fit the cluster chain");
	else if (fat_must_be_contiguous(f, e) && fat_runs(f, e->cluster) > 1)
		finding(c, f, path, "fragmented: programs and swap must lie in one piece");
}

// check_tree: like fat_walk, but a directory is entered only when its chain was sound and new.
static void check_tree(struct check *c, const struct fat *f, const char *path, uint32_t cluster)
{
	struct fat_dir d = fat_dir_load(f, cluster);
	struct fat_entry e;
	for (uint32_t slot = 0; fat_dir_next(&d, &slot, &e);) {
		char *below = xprintf("%s/%s", path, e.name);
		unsigned before = c->findings;
		check_entry(c, f, below, &e);
		if ((e.attr & ATTR_DIR) && c->findings == before)
			check_tree(c, f, below, e.cluster);
		free(below);
	}
	if (d.bad)
		finding(c, f, path, "directory too long or its chain broken");
	fat_dir_free(&d);
}

static void check_lost(struct check *c, const struct fat *f)
{
	uint32_t lost = 0, bad = f->bits == 16 ? 0xFFF7 : 0x0FFFFFF7;
	for (uint32_t i = 2; i < f->clusters + 2; i++) {
		uint32_t v = f->next[i] & 0x0FFFFFFF;
		lost += v && v != bad && !c->owned[i];
	}
	if (lost) {
		printf("%s: %u clusters belong to no file\n", f->name, lost);
		c->findings++;
	}
}

static void check_copies(struct check *c, const struct fat *f)
{
	size_t bytes = ((size_t)f->clusters + 2) * (size_t)f->bits / 8;
	off_t at = ((off_t)f->start + f->reserved) * SECTOR;
	if (f->copies < 2)
		return;
	uint8_t *a = xmalloc(bytes), *b = xmalloc(bytes);
	read_at(f->fd, a, bytes, at, f->name);
	read_at(f->fd, b, bytes, at + (off_t)f->fat_sectors * SECTOR, f->name);
	if (memcmp(a, b, bytes))
		finding(c, f, "FAT", "the two copies differ");
	free(a), free(b);
}

unsigned fat_check(const struct fat *f)
{
	struct check c = {.owned = xmalloc(f->clusters + 2)};
	bool root_sound = f->bits == 16 || claim_chain(&c, f, "/", f->root_cluster) > 0;
	if (root_sound)
		check_tree(&c, f, "", f->root_cluster);
	if (!c.findings)
		check_lost(&c, f);
	check_copies(&c, f);
	free(c.owned);
	return c.findings;
}
