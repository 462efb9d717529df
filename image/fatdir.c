// SPDX-License-Identifier: ISC
//
// Directories of a FAT volume: loading, long names, looking up, walking. See fat.h.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fat.h"
#include "fatdir.h"
#include "util.h"

#define DIR_SLOTS_MAX 65536u // the specification's limit

static uint32_t le16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t le32(const uint8_t *p)
{
	return le16(p) | le16(p + 2) << 16;
}

static struct fat_dir load_fixed_root(const struct fat *f)
{
	struct fat_dir d = {.slots = f->root_entries};
	d.raw = xmalloc(d.slots * 32);
	read_at(f->fd, d.raw, d.slots * 32, ((off_t)f->start + f->root_sector) * SECTOR, f->name);
	return d;
}

struct fat_dir fat_dir_load(const struct fat *f, uint32_t cluster)
{
	if (cluster == 0 && f->bits == 16)
		return load_fixed_root(f);
	struct fat_dir d = {.cluster = cluster ? cluster : f->root_cluster};
	uint32_t per_cluster = fat_cluster_bytes(f) / 32, c = d.cluster;
	while (c) {
		if (fat_next(f, c) == 1 || d.slots + per_cluster > DIR_SLOTS_MAX) {
			d.bad = true;
			break;
		}
		d.raw = xrealloc(d.raw, (size_t)(d.slots + per_cluster) * 32);
		read_at(f->fd, d.raw + (size_t)d.slots * 32, per_cluster * 32, fat_cluster_offset(f, c), f->name);
		d.slots += per_cluster;
		c = fat_next(f, c);
	}
	return d;
}

void fat_dir_free(struct fat_dir *d)
{
	free(d->raw);
	*d = (struct fat_dir){0};
}

void fat_dir_store(const struct fat *f, const struct fat_dir *d)
{
	if (d->cluster == 0) {
		write_at(f->fd, d->raw, d->slots * 32, ((off_t)f->start + f->root_sector) * SECTOR, f->name);
		return;
	}
	uint32_t per_cluster = fat_cluster_bytes(f) / 32, c = d->cluster;
	for (uint32_t slot = 0; slot < d->slots; slot += per_cluster, c = fat_next(f, c))
		write_at(f->fd, d->raw + (size_t)slot * 32, per_cluster * 32, fat_cluster_offset(f, c), f->name);
}

uint8_t fat_short_sum(const uint8_t name[11])
{
	uint8_t sum = 0;
	for (int i = 0; i < 11; i++)
		sum = (uint8_t)((sum >> 1 | sum << 7) + name[i]);
	return sum;
}

// short_text: "LS      " to "LS", with the case bits that Windows NT keeps in byte 12.
static void short_text(const uint8_t *raw, char out[13])
{
	char *p = out;
	for (int i = 0; i < 11; i++) {
		uint8_t c = raw[i];
		if (c == ' ')
			continue;
		if (i >= 8 && (i == 8 || raw[8] == ' ' || !memchr(out, '.', (size_t)(p - out))))
			*p++ = '.';
		bool lower = raw[12] & (i < 8 ? 0x08 : 0x10);
		*p++ = lower && c >= 'A' && c <= 'Z' ? (char)(c + 32) : i == 0 && c == 0x05 ? (char)0xE5 : (char)c;
	}
	*p = 0;
}

static char *put_utf8(char *p, uint32_t c)
{
	if (c < 0x80) {
		*p++ = (char)c;
	} else if (c < 0x800) {
		*p++ = (char)(0xC0 | c >> 6);
		*p++ = (char)(0x80 | (c & 0x3F));
	} else {
		*p++ = (char)(0xE0 | c >> 12);
		*p++ = (char)(0x80 | (c >> 6 & 0x3F));
		*p++ = (char)(0x80 | (c & 0x3F));
	}
	return p;
}

// long_text: the long name in the `count` slots before `raw`; false when they do not belong to it.
static bool long_text(const uint8_t *raw, uint32_t count, char *out)
{
	static const uint8_t at[13] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
	uint8_t sum = fat_short_sum(raw);
	for (uint32_t i = 1; i <= count; i++) {
		const uint8_t *slot = raw - 32 * i;
		if ((slot[0] & 0x3F) != i || !!(slot[0] & 0x40) != (i == count) || slot[13] != sum)
			return false;
		for (int k = 0; k < 13; k++) {
			uint32_t c = le16(slot + at[k]);
			if (c == 0)
				break;
			out = put_utf8(out, c);
		}
	}
	*out = 0;
	return true;
}

static void fill_entry(const uint8_t *raw, struct fat_entry *e, uint32_t lfn)
{
	short_text(raw, e->short_name);
	if (lfn == 0 || lfn > 20 || !long_text(raw, lfn, e->name)) {
		strcpy(e->name, e->short_name);
		lfn = 0;
	}
	e->attr = raw[11];
	e->time = (uint16_t)le16(raw + 22);
	e->date = (uint16_t)le16(raw + 24);
	e->cluster = le16(raw + 26) | le16(raw + 20) << 16;
	e->size = le32(raw + 28);
	e->slots = lfn + 1;
}

bool fat_dir_next(const struct fat_dir *d, uint32_t *slot, struct fat_entry *e)
{
	uint32_t lfn = 0;
	for (; *slot < d->slots; ++*slot) {
		const uint8_t *raw = d->raw + (size_t)*slot * 32;
		if (raw[0] == 0)
			return false;
		if (raw[0] == 0xE5 || raw[0] == '.') {
			lfn = 0;
		} else if ((raw[11] & 0x3F) == ATTR_LFN) {
			lfn++;
		} else if (raw[11] & ATTR_LABEL) {
			lfn = 0;
		} else {
			fill_entry(raw, e, lfn);
			e->slot = *slot + 1 - e->slots;
			e->parent = d->cluster;
			++*slot;
			return true;
		}
	}
	return false;
}

static void root_entry(const struct fat *f, struct fat_entry *e)
{
	*e = (struct fat_entry){.name = "/", .attr = ATTR_DIR, .cluster = f->bits == 16 ? 0 : f->root_cluster};
}

bool fat_find_in(const struct fat *f, uint32_t dir, const char *name, size_t length, struct fat_entry *e)
{
	struct fat_dir d = fat_dir_load(f, dir);
	uint32_t slot = 0;
	bool found = false;
	while (!found && fat_dir_next(&d, &slot, e))
		found = (strlen(e->name) == length && strncasecmp(e->name, name, length) == 0) ||
		        (strlen(e->short_name) == length && strncasecmp(e->short_name, name, length) == 0);
	fat_dir_free(&d);
	return found;
}

bool fat_find(const struct fat *f, const char *path, struct fat_entry *e)
{
	root_entry(f, e);
	for (;;) {
		path += strspn(path, "/");
		size_t length = strcspn(path, "/");
		if (length == 0)
			return true;
		if (!(e->attr & ATTR_DIR) || !fat_find_in(f, e->cluster, path, length, e))
			return false;
		path += length;
	}
}

void fat_parent_of(const struct fat *f, const char *path, struct fat_entry *parent, const char **base)
{
	const char *slash = strrchr(path, '/');
	char *dir = xprintf("%.*s", slash ? (int)(slash - path) : 0, path);
	if (!fat_find(f, dir, parent))
		die("%s: no directory %s", f->name, dir);
	if (!(parent->attr & ATTR_DIR))
		die("%s: %s is not a directory", f->name, dir);
	*base = slash ? slash + 1 : path;
	free(dir);
}

uint8_t *fat_read_file(const struct fat *f, const struct fat_entry *e)
{
	uint32_t step = fat_cluster_bytes(f), c = e->cluster;
	if (e->size > (uint64_t)f->clusters * step)
		die("%s: %s: broken directory entry (size %u)", f->name, e->name, e->size);
	uint8_t *data = xmalloc((size_t)e->size + 1);
	for (uint32_t done = 0; done < e->size; done += step, c = fat_next(f, c)) {
		if (fat_next(f, c) == 1)
			die("%s: %s: broken cluster chain", f->name, e->name);
		uint32_t n = e->size - done < step ? e->size - done : step;
		read_at(f->fd, data + done, n, fat_cluster_offset(f, c), f->name);
	}
	return data;
}

static void walk_level(const struct fat *f, const char *path, const struct fat_entry *dir, fat_visit *visit, void *context,
                       int depth)
{
	struct fat_dir d = fat_dir_load(f, dir->cluster);
	struct fat_entry e;
	for (uint32_t slot = 0; fat_dir_next(&d, &slot, &e);) {
		char *below = xprintf("%s/%s", path, e.name);
		visit(f, below, &e, context);
		if ((e.attr & ATTR_DIR) && depth < 32 && e.cluster)
			walk_level(f, below, &e, visit, context, depth + 1);
		free(below);
	}
	fat_dir_free(&d);
}

void fat_walk(const struct fat *f, const char *path, fat_visit *visit, void *context)
{
	struct fat_entry e;
	if (!fat_find(f, path, &e))
		die("%s: no such file or directory: %s", f->name, path);
	char *prefix = xstrdup(strcmp(path, "/") ? path : "");
	if (e.attr & ATTR_DIR)
		walk_level(f, prefix, &e, visit, context, 0);
	else
		visit(f, path, &e, context);
	free(prefix);
}
