// SPDX-License-Identifier: ISC
//
// Changing a FAT volume: names, clusters, files, directories. See fat.h.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "fat.h"
#include "fatdir.h"
#include "util.h"

#define LFN_MAX 255 // UTF-16 units

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v, p[1] = (uint8_t)(v >> 8);
}

// ---- clusters

static void set_next(struct fat *f, uint32_t cluster, uint32_t next)
{
	uint32_t keep = f->bits == 32 ? f->next[cluster] & 0xF0000000 : 0;
	f->next[cluster] = keep | next;
}

static uint32_t end_mark(const struct fat *f)
{
	return f->bits == 16 ? 0xFFFF : 0x0FFFFFFF;
}

static bool is_free(const struct fat *f, uint32_t cluster)
{
	return (f->next[cluster] & 0x0FFFFFFF) == 0;
}

// find_run: the first run of `count` free clusters, or 0.
static uint32_t find_run(const struct fat *f, uint32_t count)
{
	for (uint32_t c = 2, run = 0; c < f->clusters + 2; c++) {
		run = is_free(f, c) ? run + 1 : 0;
		if (run == count)
			return c + 1 - count;
	}
	return 0;
}

// allocate: a chain of `count` > 0 clusters, in one piece if there is one (or if that is a must); its first, or 0.
static uint32_t allocate(struct fat *f, uint32_t count, enum fat_placing placing)
{
	uint32_t first = find_run(f, count), last = 0, c = first ? first : 2;
	if (!first && (placing == PLACE_CONTIGUOUS || fat_free_clusters(f) < count))
		return 0;
	for (; count; c++) {
		if (!is_free(f, c))
			continue;
		if (last)
			set_next(f, last, c);
		else
			first = c;
		set_next(f, c, end_mark(f));
		last = c, count--;
	}
	return first;
}

static void free_chain(struct fat *f, uint32_t cluster)
{
	while (cluster >= 2) {
		uint32_t next = fat_next(f, cluster);
		if (next == 1)
			die("%s: broken cluster chain; run 'octix image check'", f->name);
		set_next(f, cluster, 0);
		cluster = next;
	}
}

static void write_chain(const struct fat *f, uint32_t cluster, const uint8_t *data, uint32_t size)
{
	uint32_t step = fat_cluster_bytes(f);
	uint8_t *buf = xmalloc(step);
	for (uint32_t done = 0; done < size; done += step, cluster = fat_next(f, cluster)) {
		uint32_t n = size - done < step ? size - done : step;
		memcpy(buf, data + done, n);
		memset(buf + n, 0, step - n);
		write_at(f->fd, buf, step, fat_cluster_offset(f, cluster), f->name);
	}
	free(buf);
}

// ---- names

static bool is_reserved(const char *name)
{
	static const char *const words[] = {"con", "prn", "aux", "nul", "com", "lpt"};
	size_t stem = strcspn(name, ".");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		bool numbered = i >= 4 && stem == 4 && isdigit((unsigned char)name[3]) && name[3] != '0';
		if (strncasecmp(name, words[i], 3) == 0 && (numbered || (i < 4 && stem == 3)))
			return true;
	}
	return false;
}

// to_utf16: the length in units, or -1 for a name that is not UTF-8 of the basic plane or too long.
static int to_utf16(const char *name, uint16_t out[LFN_MAX])
{
	int n = 0;
	for (const unsigned char *p = (const unsigned char *)name; *p; n++) {
		uint32_t more = *p < 0x80 ? 0 : *p >> 5 == 6 ? 1 : *p >> 4 == 14 ? 2 : 9;
		if (more == 9 || n == LFN_MAX)
			return -1;
		uint32_t c = more ? *p & (0x3Fu >> more) : *p;
		for (p++; more; more--, p++) {
			if (*p >> 6 != 2)
				return -1;
			c = c << 6 | (*p & 0x3F);
		}
		out[n] = (uint16_t)c;
	}
	return n;
}

static void check_name(const struct fat *f, const char *name)
{
	uint16_t units[LFN_MAX];
	size_t n = strlen(name);
	if (n == 0 || !strcmp(name, ".") || !strcmp(name, ".."))
		die("%s: '%s' is not a file name", f->name, name);
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < 32 || *p == 127 || strchr("\"*/:<>?\\|", *p))
			die("%s: FAT allows no '%c' in a name: '%s'", f->name, (unsigned char)*p < 32 ? '?' : *p, name);
	if (name[n - 1] == '.' || name[n - 1] == ' ')
		die("%s: a name on FAT can't end in a dot or blank: '%s'", f->name, name);
	if (is_reserved(name))
		die("%s: '%s' is the name of a device on PCs", f->name, name);
	if (to_utf16(name, units) < 0)
		die("%s: name too long or not UTF-8: '%s'", f->name, name);
}

static bool short_char(char c)
{
	return isalnum((unsigned char)c) || strchr("$%'-_@~`!(){}^#&", c);
}

// squeeze: up to `max` characters of [from, end) that a short name may hold, upper case; true when none was changed.
static bool squeeze(const char *from, const char *end, uint8_t *out, int max)
{
	bool same = true;
	int n = 0;
	for (; from < end; from++) {
		if (n == max || !*from || !short_char(*from))
			same = false;
		if (n < max && short_char(*from))
			out[n++] = (uint8_t)toupper((unsigned char)*from);
	}
	return same && n;
}

static bool short_taken(const struct fat_dir *d, const uint8_t name[11])
{
	for (uint32_t i = 0; i < d->slots && d->raw[32 * i]; i++)
		if ((d->raw[32 * i + 11] & 0x3F) != ATTR_LFN && memcmp(d->raw + 32 * i, name, 11) == 0)
			return true;
	return false;
}

// case_bits: how Windows NT and Linux keep the case of a part that is all lower case (`bit`) or all upper (0); -1: mixed.
static int case_bits(const char *from, const char *end, int bit)
{
	bool lower = false, upper = false;
	for (; from < end; from++) {
		lower = lower || islower((unsigned char)*from);
		upper = upper || isupper((unsigned char)*from);
	}
	return lower && upper ? -1 : lower ? bit : 0;
}

// number_tail: makes a short name unique by ~N.
static void number_tail(const struct fat_dir *d, const char *name, uint8_t out[11])
{
	for (int n = 1; n < 100000; n++) {
		char tail[9];
		uint8_t tried[11];
		int length = snprintf(tail, sizeof tail, "~%d", n), at = 8 - length;
		while (at > 0 && out[at - 1] == ' ')
			at--;
		memcpy(tried, out, 11);
		memcpy(tried + at, tail, (size_t)length);
		if (!short_taken(d, tried)) {
			memcpy(out, tried, 11);
			return;
		}
	}
	die("no short name is left for '%s'", name);
}

// make_short: the 8.3 name and its case bits; true when a long name is needed, too.
static bool make_short(const struct fat_dir *d, const char *name, uint8_t out[11], uint8_t *bits)
{
	const char *end = name + strlen(name), *dot = strrchr(name, '.');
	if (!dot || dot == name)
		dot = end;
	memset(out, ' ', 11);
	bool fits = squeeze(name, dot, out, 8);
	if (dot < end)
		fits = squeeze(dot + 1, end, out + 8, 3) && fits;
	int base = case_bits(name, dot, 0x08), extension = case_bits(dot, end, 0x10);
	*bits = 0;
	if (!fits || short_taken(d, out)) {
		number_tail(d, name, out);
		return true;
	}
	if (base < 0 || extension < 0)
		return true;
	*bits = (uint8_t)(base | extension);
	return false;
}

// ---- directory entries

static void put_long_slot(uint8_t *slot, const uint16_t *units, int count, int index, bool last, uint8_t sum)
{
	static const uint8_t at[13] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
	memset(slot, 0, 32);
	slot[0] = (uint8_t)(index + 1) | (last ? 0x40 : 0);
	slot[11] = ATTR_LFN;
	slot[13] = sum;
	for (int k = 0; k < 13; k++) {
		int i = index * 13 + k;
		put16(slot + at[k], i < count ? units[i] : i == count ? 0 : 0xFFFF);
	}
}

static void stamp(uint8_t *slot)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm *t = epoch ? gmtime(&now) : localtime(&now);
	int year = t->tm_year < 80 ? 80 : t->tm_year;
	uint32_t date = (uint32_t)(year - 80) << 9 | (uint32_t)(t->tm_mon + 1) << 5 | (uint32_t)t->tm_mday;
	uint32_t clock = (uint32_t)t->tm_hour << 11 | (uint32_t)t->tm_min << 5 | (uint32_t)t->tm_sec / 2;
	put16(slot + 14, clock), put16(slot + 16, date);
	put16(slot + 18, date);
	put16(slot + 22, clock), put16(slot + 24, date);
}

static void put_short_slot(uint8_t *slot, const uint8_t name[11], uint8_t attr, uint32_t cluster, uint32_t size, const struct owner *o)
{
	memset(slot, 0, 32);
	memcpy(slot, name, 11);
	slot[11] = attr;
	stamp(slot);
	if (o)
		owner_encode(slot + OWNER_OFFSET, o);
	put16(slot + 20, cluster >> 16);
	put16(slot + 26, cluster);
	put16(slot + 28, size), put16(slot + 30, size >> 16);
}

// free_slots: the first of `count` adjacent free slots, or d->slots.
static uint32_t free_slots(const struct fat_dir *d, uint32_t count)
{
	uint32_t run = 0;
	bool end = false;
	for (uint32_t i = 0; i < d->slots; i++) {
		end = end || d->raw[32 * i] == 0;
		run = end || d->raw[32 * i] == 0xE5 ? run + 1 : 0;
		if (run == count)
			return i + 1 - count;
	}
	return d->slots;
}

// grow: one more cluster for a directory; false when it is the fixed root or the volume is full.
static bool grow(struct fat *f, struct fat_dir *d)
{
	uint32_t last = d->cluster, step = fat_cluster_bytes(f), added;
	if (!d->cluster || d->slots + step / 32 > 65536 || !(added = allocate(f, 1, PLACE_ANY)))
		return false;
	while (fat_next(f, last) >= 2)
		last = fat_next(f, last);
	set_next(f, last, added);
	d->raw = xrealloc(d->raw, (size_t)d->slots * 32 + step);
	memset(d->raw + (size_t)d->slots * 32, 0, step);
	d->slots += step / 32;
	return true;
}

static bool add_entry(struct fat *f, uint32_t dir, const char *name, uint8_t attr, uint32_t cluster, uint32_t size,
                      const struct owner *o)
{
	struct fat_dir d = fat_dir_load(f, dir);
	uint16_t units[LFN_MAX];
	uint8_t short_name[11], bits;
	int length = to_utf16(name, units);
	uint32_t lfn = make_short(&d, name, short_name, &bits) ? (uint32_t)(length + 12) / 13 : 0, at;
	while ((at = free_slots(&d, lfn + 1)) == d.slots)
		if (!grow(f, &d)) {
			fat_dir_free(&d);
			return false;
		}
	for (uint32_t i = 0; i < lfn; i++)
		put_long_slot(d.raw + 32 * (at + i), units, length, (int)(lfn - 1 - i), i == 0, fat_short_sum(short_name));
	put_short_slot(d.raw + 32 * (at + lfn), short_name, attr, cluster, size, o);
	d.raw[32 * (at + lfn) + 12] = bits;
	fat_dir_store(f, &d);
	fat_dir_free(&d);
	return true;
}

// refuse_clash: ends the program when the name is there already, also when only its case differs.
static void refuse_clash(const struct fat *f, uint32_t dir, const char *name)
{
	struct fat_entry e;
	if (!fat_find_in(f, dir, name, strlen(name), &e))
		return;
	if (strcmp(e.name, name) == 0)
		die("%s: %s exists", f->name, name);
	die("%s: '%s' exists, and FAT does not tell it from '%s'", f->name, e.name, name);
}

bool fat_add(struct fat *f, const char *path, const void *data, uint32_t size, uint8_t attr, enum fat_placing placing,
             const struct owner *o)
{
	struct fat_entry parent;
	const char *base;
	fat_parent_of(f, path, &parent, &base);
	check_name(f, base);
	refuse_clash(f, parent.cluster, base);
	uint32_t count = (uint32_t)(((uint64_t)size + fat_cluster_bytes(f) - 1) / fat_cluster_bytes(f)), first = 0;
	if (count && !(first = allocate(f, count, placing)))
		return false;
	if (data && count)
		write_chain(f, first, data, size);
	if (add_entry(f, parent.cluster, base, attr, first, size, o))
		return true;
	free_chain(f, first);
	return false;
}

void fat_remove(struct fat *f, const struct fat_entry *e)
{
	struct fat_dir d = fat_dir_load(f, e->parent);
	for (uint32_t i = 0; i < e->slots; i++)
		d.raw[32 * (e->slot + i)] = 0xE5;
	fat_dir_store(f, &d);
	fat_dir_free(&d);
	free_chain(f, e->cluster);
}

static void init_directory(const struct fat *f, uint32_t cluster, uint32_t parent, const struct owner *o)
{
	uint8_t *raw = xmalloc(fat_cluster_bytes(f));
	put_short_slot(raw, (const uint8_t *)".          ", ATTR_DIR, cluster, 0, o);
	put_short_slot(raw + 32, (const uint8_t *)"..         ", ATTR_DIR, parent == f->root_cluster ? 0 : parent, 0, NULL);
	write_at(f->fd, raw, fat_cluster_bytes(f), fat_cluster_offset(f, cluster), f->name);
	free(raw);
}

bool fat_mkdir(struct fat *f, const char *path, const struct owner *o)
{
	struct fat_entry parent;
	const char *base;
	fat_parent_of(f, path, &parent, &base);
	check_name(f, base);
	refuse_clash(f, parent.cluster, base);
	uint32_t cluster = allocate(f, 1, PLACE_ANY);
	if (!cluster)
		return false;
	init_directory(f, cluster, parent.cluster, o);
	return add_entry(f, parent.cluster, base, ATTR_DIR, cluster, 0, NULL);
}

// ---- owners: a file's stands in its entry, a directory's in its `.`

static bool is_root(const struct fat *f, const struct fat_entry *e)
{
	return (e->attr & ATTR_DIR) && (e->cluster == 0 || (f->bits == 32 && e->cluster == f->root_cluster));
}

static struct fat_dir load_record(const struct fat *f, const struct fat_entry *e, uint8_t **slot)
{
	bool folder = e->attr & ATTR_DIR;
	struct fat_dir d = fat_dir_load(f, folder ? e->cluster : e->parent);
	uint32_t at = folder ? 0 : e->slot + e->slots - 1;
	*slot = at < d.slots && (!folder || d.raw[0] == '.') ? d.raw + 32 * at : NULL;
	return d;
}

bool fat_owner(const struct fat *f, const struct fat_entry *e, struct owner *o)
{
	uint8_t *slot;
	*o = (struct owner){.mode = 0755};
	if (is_root(f, e))
		return true;
	struct fat_dir d = load_record(f, e, &slot);
	bool known = slot && owner_decode(slot + OWNER_OFFSET, o);
	if (slot && !known && e->attr & ATTR_SYSTEM)
		o->mode = 0600;
	if (slot && slot[11] & ATTR_READ_ONLY)
		o->mode &= (uint16_t)~0222;
	fat_dir_free(&d);
	return known;
}

void fat_set_owner(const struct fat *f, const struct fat_entry *e, const struct owner *o)
{
	uint8_t *slot;
	if (is_root(f, e))
		die("%s: the root directory belongs to root and has mode 0755 for ever", f->name);
	struct fat_dir d = load_record(f, e, &slot);
	if (!slot)
		die("%s: %s: broken directory; run 'octix image check'", f->name, e->name);
	owner_encode(slot + OWNER_OFFSET, o);
	slot[11] &= (uint8_t)~ATTR_READ_ONLY;
	fat_dir_store(f, &d);
	fat_dir_free(&d);
}
