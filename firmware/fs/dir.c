// SPDX-License-Identifier: ISC
//
// Directories: walking, looking up, creating and deleting entries (sections Directory Structure and Long File Name
// Implementation). Entries are numbered from 0 to 65,534, so that a chain that loops ends, too. A walk pins the one
// block it stands in.

#include <string.h>

#include <octix/date.h>

#include "fs/fat.h"
#include "kernel/clock.h"
#include "vm/pool.h"

#define NO_LFN 0xff

int8_t dir_seek(struct dir *d, uint32_t first, uint16_t number)
{
	uint16_t sector = number >> 4;

	memset(d, 0, sizeof *d);
	d->number = number;
	d->ordinal = NO_LFN;
	d->sector = vol.root;
	if (first || !vol.root_sectors) {
		if (!first)
			first = vol.root;
		for (uint16_t skip = sector >> vol.shift; skip && fat_valid(first); skip--)
			first = fat_next(first);
		if (!fat_valid(first))
			return first == FAT_END ? -OX_ENOENT : -OX_EIO;
		d->cluster = first;
		d->sector = fat_sector(first);
		sector &= vol.mask;
	} else if (sector >= vol.root_sectors) {
		return -OX_ENOENT;
	}
	d->sector += sector;
	return 0;
}

int8_t dir_resume(struct dir *d, struct file *f, uint16_t number)
{
	uint16_t start = number & ~(uint16_t)(vol.mask << 4 | 15), skip = (uint16_t)f->index;
	int8_t result;

	if (f->cluster && skip <= start)
		result = dir_seek(d, f->cluster, number - skip);
	else
		result = dir_seek(d, f->first, number);
	if (result)
		return result;
	d->number = number;
	f->cluster = d->cluster;
	f->index = start;
	return 0;
}

struct disk_entry *dir_entry(struct dir *d)
{
	if (!d->block)
		d->block = block_get(d->sector);
	return d->block ? (struct disk_entry *)d->block + (d->number & 15) : 0;
}

void dir_end(struct dir *d)
{
	if (d->block)
		block_put(d->block);
	d->block = 0;
}

int8_t dir_next(struct dir *d)
{
	uint16_t sector = ++d->number >> 4;
	uint32_t next;

	if (d->number & 15)
		return d->number == 0xffff ? dir_end(d), -OX_EIO : 0;
	dir_end(d);
	d->sector++;
	if (!d->cluster)
		return sector == vol.root_sectors ? -OX_ENOENT : 0;
	if (sector & vol.mask)
		return 0;
	next = fat_next(d->cluster);
	if (next < 2)
		return next == FAT_END ? -OX_ENOENT : -OX_EIO;
	d->cluster = next;
	d->sector = fat_sector(next);
	return 0;
}

// Takes one entry of a long name.
static void take_piece(struct dir *d, const struct disk_entry *e)
{
	uint8_t ordinal = e->name[0] & 0x3f;

	if (e->name[0] & LFN_LAST) {
		d->set = d->number;
		d->sum = e->tenth;
		d->match = true;
		if (d->text) {
			d->text->p = d->text->end;
			d->text->low = 0;
			d->text->bad = false;
		}
	} else if (ordinal != d->ordinal || e->tenth != d->sum) {
		ordinal = 0;
	}
	d->ordinal = ordinal - 1;
	if (ordinal - 1U >= 20)
		d->ordinal = NO_LFN;
	else if (d->text)
		lfn_prepend(d->text, e);
	else if (d->want && d->match)
		d->match = lfn_match(e, d->want);
}

// Looks at the entry where d stands: is it that of a file or directory?
static bool take_entry(struct dir *d, const struct disk_entry *e)
{
	if (e->name[0] != DELETED) {
		if ((e->attr & 0x3f) == ATTR_LFN) {
			take_piece(d, e);
			return false;
		}
		if (!(e->attr & ATTR_VOLUME))
			return true;
	}
	d->ordinal = NO_LFN;
	return false;
}

int8_t dir_scan(struct dir *d)
{
	struct disk_entry *e;
	int8_t result;

	do {
		if (d->found) {
			d->found = false;
			d->ordinal = NO_LFN;
			continue;
		}
		e = dir_entry(d);
		if (!e)
			return -OX_EIO;
		if (!e->name[0]) {
			dir_end(d);
			return -OX_ENOENT;
		}
		d->found = take_entry(d, e);
		if (d->found)
			return 0;
	} while (!(result = dir_next(d)));
	return result;
}

static bool has_lfn(const struct dir *d, const struct disk_entry *e)
{
	return !d->ordinal && d->sum == name_sum(e->name);
}

bool dir_named(const struct dir *d, const struct disk_entry *e)
{
	return has_lfn(d, e) && d->match && !(d->text && (d->text->bad || d->text->low));
}

uint32_t entry_first(const struct disk_entry *e)
{
	uint32_t first = e->low;

	if (vol.root_sectors)
		return first;
	first |= (uint32_t)e->high << 16;
	return first == vol.root ? 0 : first; // some write it into `..`
}

static bool matches(const struct dir *d, const struct disk_entry *e)
{
	char text[13];
	uint8_t first = e->name[0];

	if (dir_named(d, e))
		return true;
	if (first >= 'A' && first <= 'Z' && (first ^ d->want[0]) & 0x5f) // most differ here
		return false;
	short_text(e, text);
	return name_equal(d->want, text);
}

// Where names were found last: the number of the first entry. A hint only, one of 256 names fits by chance.
static struct { uint16_t set; uint8_t sum; } hints[8];

// A number for a name in a directory, of whatever case.
static uint8_t hint_sum(const struct entry *e)
{
	uint8_t sum = (uint8_t)e->parent;

	for (const char *p = e->name; !name_ends(*p); p++)
		sum = (uint8_t)((sum << 1 | sum >> 7) + (*p | 0x20));
	return sum;
}

// Looks for out->name from entry `number` on; `once`: looks at one file only. Else as dir_find.
static int8_t find_from(struct entry *out, uint16_t number, bool once)
{
	struct dir d;
	struct disk_entry *e;
	int8_t result = dir_seek(&d, out->parent, number);

	d.want = out->name;
	for (;;) {
		if (!result)
			result = dir_scan(&d);
		if (result)
			return result;
		e = dir_entry(&d);
		if (matches(&d, e))
			break;
		if (once) {
			dir_end(&d);
			return -OX_ENOENT;
		}
	}
	out->set = has_lfn(&d, e) ? d.set : d.number;
	out->count = (uint8_t)(d.number - out->set + 1);
	out->node.sector = d.sector;
	out->node.entry = d.number & 15;
	out->node.first = entry_first(e);
	out->attr = e->attr & ATTR_DISK;
	out->node.size = e->attr & ATTR_DIR ? 0 : e->size;
	dir_end(&d);
	return 0;
}

int8_t dir_find(struct entry *out)
{
	uint8_t sum = hint_sum(out), n = sum % (sizeof hints / sizeof hints[0]);
	int8_t result;

	if (hints[n].set && hints[n].sum == sum && find_from(out, hints[n].set, true) == 0)
		return 0;
	result = find_from(out, 0, false);
	hints[n].set = result ? 0 : out->set;
	hints[n].sum = sum;
	return result;
}

// Which forms of an alias a directory has: bit 0 the alias itself, bit n the one with tail ~n (1 to 9) behind `keep` bytes.
static int8_t alias_forms(struct dir *d, uint32_t parent, const uint8_t *alias, uint8_t keep, uint16_t *forms)
{
	const uint8_t *name;
	uint8_t digit;
	int8_t result = dir_seek(d, parent, 0);

	*forms = 0;
	while (!result) {
		result = dir_scan(d);
		if (result)
			break;
		name = dir_entry(d)->name;
		if (memcmp(name + 8, alias + 8, 3))
			continue;
		if (!memcmp(name, alias, 8))
			*forms |= 1;
		digit = name[keep + 1] - '0';
		if (!memcmp(name, alias, keep) && name[keep] == '~' && digit < 10 && (keep == 6 || name[keep + 2] == ' '))
			*forms |= (uint16_t)(1 << digit);
	}
	return result == -OX_ENOENT ? 0 : result;
}

// An alias that the directory does not have. *flags as name_alias.
static NOINLINE int8_t choose_alias(struct dir *d, const struct entry *e, uint8_t *alias, uint8_t *flags)
{
	uint16_t forms;
	uint8_t keep;

	*flags = name_alias(e->name, alias);
	for (uint8_t round = 0; round < 10; round++) {
		for (keep = 0; keep < 6 && alias[keep] != ' '; keep++)
			;
		if (alias_forms(d, e->parent, alias, keep, &forms))
			return -OX_EIO;
		if (!(*flags & ALIAS_TAIL) && !(forms & 1))
			return 0;
		*flags |= ALIAS_TAIL | ALIAS_LFN;
		for (uint8_t digit = '1'; digit <= '9'; digit++) {
			forms >>= 1;
			if (forms & 1)
				continue;
			alias[keep] = '~';
			alias[keep + 1] = digit;
			return 0;
		}
		alias_hash(alias, e->name, round);
	}
	return -OX_ENOSPC;
}

// A further cluster for the directory at whose end d stands; filled with zeros on the card before it is linked.
static int8_t grow(struct dir *d)
{
	uint32_t cluster;

	if (!d->cluster)
		return -OX_ENOSPC;
	cluster = fat_alloc(0);
	if (cluster < 2)
		return fat_error(cluster);
	if (fat_zero(cluster) || fs_commit() || fat_set(d->cluster, cluster))
		return -OX_EIO;
	d->cluster = cluster;
	d->sector = fat_sector(cluster);
	return 0;
}

// Lets d stand at the first of n free entries in a row. *at_end: what follows them is behind the end mark.
static int8_t find_space(struct dir *d, uint32_t parent, uint8_t n, bool *at_end)
{
	uint8_t run = 0;
	int8_t result = dir_seek(d, parent, 0);
	struct disk_entry *e;

	*at_end = false;
	while (!result) {
		e = dir_entry(d);
		if (!e)
			return -OX_EIO;
		if (!e->name[0])
			*at_end = true;
		run++;
		if (!*at_end && e->name[0] != DELETED)
			run = 0;
		if (run == n) {
			dir_end(d);
			return dir_seek(d, parent, d->number + 1 - n);
		}
		result = dir_next(d);
		if (result == -OX_ENOENT)
			result = grow(d);
	}
	return result;
}

void entry_touch(struct disk_entry *e)
{
	uint16_t date, time;

	oct_date_split(clock_wall(), &date, &time);
	e->time = time;
	e->date = date;
}

void entry_fill(struct disk_entry *e, uint32_t first, uint32_t size)
{
	entry_touch(e);
	e->low = (uint16_t)first;
	e->high = (uint16_t)(first >> 16);
	e->size = size;
}

uint8_t *node_block(const struct node *n, struct disk_entry **e)
{
	uint8_t *block = block_get(n->sector);

	*e = (struct disk_entry *)block + n->entry;
	return block;
}

int8_t node_update(const struct node *n)
{
	struct disk_entry *e;
	uint8_t *block = node_block(n, &e);
	int8_t result;

	if (!block)
		return -OX_EIO;
	entry_fill(e, n->first, n->size);
	e->attr |= ATTR_ARCHIVE;
	result = block_write(block, n->sector);
	block_put(block);
	return result;
}

// Writes the entries of a name, from the last piece of the long name to the 8.3 entry; d stands at the first.
static int8_t write_entries(struct dir *d, struct entry *out, const uint8_t *alias, uint8_t flags)
{
	uint8_t left = out->count - 1, last = LFN_LAST, sum = name_sum(alias);
	struct disk_entry *e;

	for (; (e = dir_entry(d)); left--) {
		block_dirty(d->block);
		if (!left)
			break;
		lfn_fill(e, out->name, left | last, sum);
		last = 0;
		if (dir_next(d))
			return -OX_EIO;
	}
	if (!e)
		return -OX_EIO;
	memset(e, 0, sizeof *e);
	memcpy(e->name, alias, 11);
	e->attr = out->attr;
	e->letters = flags;
	entry_fill(e, out->node.first, out->node.size);
	e->created_time = e->time;
	e->created_date = e->accessed = e->date;
	if (!(out->attr & ATTR_DIR))
		owner_encode((uint8_t *)e + OWNER_OFFSET, &out->owner);
	out->node.sector = d->sector;
	out->node.entry = d->number & 15;
	return 0;
}

// Behind a new last entry the end mark has to stand, whatever was there.
static int8_t mark_end(struct dir *d)
{
	int8_t result = dir_next(d);
	struct disk_entry *e;

	if (result)
		return result == -OX_ENOENT ? 0 : result;
	e = dir_entry(d);
	if (!e)
		return -OX_EIO;
	e->name[0] = 0;
	block_dirty(d->block);
	return 0;
}

int8_t dir_create(struct entry *e)
{
	uint8_t alias[11], flags, units = name_units(e->name);
	struct dir d;
	bool at_end;
	int8_t result;

	if (!units)
		return -OX_EINVAL;
	result = choose_alias(&d, e, alias, &flags);
	if (result)
		return result;
	e->count = 1;
	if (flags & ALIAS_LFN) {
		flags = 0;
		e->count += (uint8_t)(units + 12) / 13;
	}
	result = find_space(&d, e->parent, e->count, &at_end);
	if (result)
		return result;
	e->set = d.number;
	result = write_entries(&d, e, alias, flags & (CASE_BASE | CASE_EXT));
	if (!result && at_end)
		result = mark_end(&d);
	dir_end(&d);
	result = fs_commit_if(result);
	if (result)
		dir_erase(e); // or it comes to the card later
	return result;
}

int8_t dir_erase(const struct entry *e)
{
	struct dir d;
	struct disk_entry *p;
	int8_t result = dir_seek(&d, e->parent, e->set);

	for (uint8_t n = e->count; !result; n--) {
		p = dir_entry(&d);
		if (!p)
			return -OX_EIO;
		p->name[0] = DELETED;
		block_dirty(d.block);
		if (n == 1)
			break;
		result = dir_next(&d);
	}
	dir_end(&d);
	return fs_commit_if(result);
}
