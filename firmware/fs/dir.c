// SPDX-License-Identifier: ISC
//
// Directories: walking, looking up, creating and deleting entries (sections Directory Structure and Long File Name
// Implementation). A walk pins the one block it stands in and visits 65,536 entries at most, so that a chain that
// loops ends, too.

#include <string.h>
#include <util/crc16.h>

#include "fs/fat.h"
#include "kernel/clock.h"
#include "vm/pool.h"

#define NO_LFN 0xff

void dir_start(struct dir *d, uint32_t cluster)
{
	memset(d, 0, sizeof *d);
	if (!cluster && vol.root_sectors) {
		d->at.sector = vol.root;
	} else {
		d->at.cluster = cluster ? cluster : vol.root;
		d->at.sector = fat_sector(d->at.cluster);
	}
	d->left = 0xffff;
	d->ordinal = NO_LFN;
}

uint8_t *dir_entry(struct dir *d)
{
	if (!d->block) {
		if (d->at.cluster && !fat_valid(d->at.cluster))
			return 0;
		d->block = block_get(d->at.sector);
	}
	return d->block ? d->block + 32 * d->at.index : 0;
}

void dir_end(struct dir *d)
{
	if (d->block)
		block_put(d->block);
	d->block = 0;
}

// The next sector. 0; 1 at the end; -OX_EIO.
static int8_t next_sector(struct dir *d)
{
	uint32_t next;

	if (!d->at.cluster) {
		if (d->at.sector + 1 == vol.root + vol.root_sectors)
			return 1;
	} else if (!((d->at.sector + 1 - vol.data) & ((1UL << vol.shift) - 1))) {
		if (fat_get(d->at.cluster, &next))
			return -OX_EIO;
		if (next == END_OF_CHAIN)
			return 1;
		if (!fat_valid(next))
			return -OX_EIO;
		d->at.cluster = next;
		d->at.sector = fat_sector(next) - 1;
	}
	d->at.sector++;
	return 0;
}

int8_t dir_next(struct dir *d)
{
	int8_t result;

	if (!d->left--)
		return -OX_EIO;
	if (d->at.index < 15) {
		d->at.index++;
		return 0;
	}
	dir_end(d);
	result = next_sector(d);
	if (!result)
		d->at.index = 0;
	return result;
}

// Takes one entry of a long name.
static void take_piece(struct dir *d, const uint8_t *e)
{
	uint8_t ordinal = e[L_ORD] & 0x3f;

	if (e[L_ORD] & L_LAST) {
		d->set = d->at;
		d->count = 1; // and one more for each piece
		d->sum = e[L_SUM];
		d->match = true;
		if (d->text) {
			d->text->p = d->text->end;
			d->text->low = 0;
		}
	} else if (ordinal != d->ordinal || e[L_SUM] != d->sum) {
		ordinal = 0;
	}
	d->ordinal = NO_LFN;
	if (!ordinal || ordinal > 20)
		return;
	d->count++;
	d->ordinal = ordinal - 1;
	if (d->text && d->match)
		d->match = lfn_prepend(d->text, e);
	else if (d->want && d->match)
		d->match = lfn_match(e, d->want);
}

// Looks at the entry where d stands: is it that of a file or directory?
static bool take_entry(struct dir *d, const uint8_t *e)
{
	if (e[0] != DELETED && (e[D_ATTR] & 0x3f) == ATTR_LFN) {
		take_piece(d, e);
		return false;
	}
	if (e[0] != DELETED && !(e[D_ATTR] & ATTR_VOLUME))
		return true;
	d->ordinal = NO_LFN;
	return false;
}

int8_t dir_scan(struct dir *d)
{
	uint8_t *e;
	int8_t result;

	for (;;) {
		if (d->taken) {
			result = dir_next(d);
			if (result)
				return result < 0 ? result : 0;
		}
		if (d->found)
			d->ordinal = NO_LFN;
		e = dir_entry(d);
		if (!e)
			return -OX_EIO;
		if (!e[0])
			return 0;
		d->taken = true;
		d->found = take_entry(d, e);
		if (d->found)
			return 1;
	}
}

static bool has_lfn(const struct dir *d, const uint8_t *e)
{
	return !d->ordinal && d->sum == name_sum(e);
}

bool dir_named(const struct dir *d, const uint8_t *e)
{
	return has_lfn(d, e) && d->match;
}

uint32_t entry_first(const uint8_t *e)
{
	uint32_t high = vol.root_sectors ? 0 : get16(e + D_HIGH);

	return high << 16 | get16(e + D_LOW);
}

void dir_take(struct dir *d, const uint8_t *e, struct entry *out)
{
	bool named = has_lfn(d, e);

	out->set = named ? d->set : d->at;
	out->count = named ? d->count : 1;
	out->sector = d->at.sector;
	out->index = d->at.index;
	out->attr = e[D_ATTR];
	out->first = entry_first(e);
	out->size = out->attr & ATTR_DIR ? 0 : get32(e + D_SIZE);
}

static bool entry_matches(const struct dir *d, const uint8_t *e)
{
	char text[13];

	if (dir_named(d, e))
		return true;
	short_text(e, text);
	return name_equal(d->want, text);
}

int8_t dir_find(uint32_t cluster, const char *name, struct entry *out)
{
	struct dir d;
	int8_t result;

	dir_start(&d, cluster);
	d.want = name;
	while ((result = dir_scan(&d)) == 1 && !entry_matches(&d, dir_entry(&d)))
		;
	if (result == 1)
		dir_take(&d, dir_entry(&d), out);
	dir_end(&d);
	return result == 1 ? 0 : result ? result : -OX_ENOENT;
}

// Which forms of an alias a directory has: bit 0 the alias itself, bit n the one with tail ~n (1 to 9).
static int8_t alias_forms(struct dir *d, uint32_t cluster, const uint8_t *alias, uint16_t *forms)
{
	uint8_t keep = alias_keep(alias), digit;
	int8_t result;

	*forms = 0;
	dir_start(d, cluster);
	while ((result = dir_scan(d)) == 1) {
		const uint8_t *e = dir_entry(d);

		if (memcmp(e + 8, alias + 8, 3))
			continue;
		if (!memcmp(e, alias, 8))
			*forms |= 1;
		digit = e[keep + 1] - '0';
		if (!memcmp(e, alias, keep) && e[keep] == '~' && digit < 10 && (keep == 6 || e[keep + 2] == ' '))
			*forms |= (uint16_t)(1 << digit);
	}
	dir_end(d);
	return result;
}

// When nine names begin alike: two characters of the name stay, four hexadecimal digits follow.
static void alias_hash(uint8_t *alias, const char *name, uint8_t seed)
{
	uint16_t crc = seed;

	while (*name && *name != '/')
		crc = _crc_xmodem_update(crc, (uint8_t)*name++);
	for (uint8_t i = 0; i < 6; i++) {
		uint8_t digit = crc & 15;

		if (i >= 2) {
			alias[i] = (uint8_t)(digit < 10 ? '0' + digit : 'A' - 10 + digit);
			crc >>= 4;
		} else if (alias[i] == ' ') {
			alias[i] = '_';
		}
	}
}

// An alias that the directory does not have. *flags as name_alias.
static int8_t choose_alias(struct dir *d, uint32_t cluster, const char *name, uint8_t *alias, uint8_t *flags)
{
	uint16_t forms;
	uint8_t n, keep;

	*flags = name_alias(name, alias);
	for (uint8_t round = 0; round < 10; round++) {
		if (alias_forms(d, cluster, alias, &forms))
			return -OX_EIO;
		if (!(*flags & ALIAS_TAIL) && !(forms & 1))
			return 0;
		*flags |= ALIAS_TAIL | ALIAS_LFN;
		for (n = 1; n < 10 && forms >> n & 1; n++)
			;
		if (n < 10) {
			keep = alias_keep(alias);
			alias[keep] = '~';
			alias[keep + 1] = '0' + n;
			if (keep < 6)
				alias[keep + 2] = ' ';
			return 0;
		}
		alias_hash(alias, name, round);
	}
	return -OX_ENOSPC;
}

// A further cluster for the directory at whose last entry d stands; filled with zeros on the card before it is linked.
static int8_t grow(struct dir *d)
{
	uint32_t cluster;
	int8_t result;

	if (!d->at.cluster)
		return -OX_ENOSPC;
	result = fat_alloc(0, &cluster);
	if (result)
		return result;
	if (fat_zero(cluster) || fs_commit() || fat_set(d->at.cluster, cluster))
		return -OX_EIO;
	d->at.cluster = cluster;
	d->at.sector = fat_sector(cluster);
	d->at.index = 0;
	return 0;
}

// Lets d stand at the first of n free entries in a row. *at_end: what follows them is behind the end mark.
static int8_t find_space(struct dir *d, uint32_t cluster, uint8_t n, bool *at_end)
{
	uint8_t run = 0;
	int8_t result = 0;
	uint8_t *e;

	*at_end = false;
	dir_start(d, cluster);
	while (!result && (e = dir_entry(d))) {
		*at_end |= !e[0];
		if (!*at_end && e[0] != DELETED)
			run = 0;
		else if (!run++)
			d->set = d->at;
		if (run == n) {
			dir_end(d);
			d->at = d->set;
			return 0;
		}
		result = dir_next(d);
		if (result > 0)
			result = grow(d);
	}
	dir_end(d);
	return result ? result : -OX_EIO;
}

void entry_fill(uint8_t *e, uint32_t first, uint32_t size)
{
	uint16_t date, time;

	date_from_unix(clock_wall(), &date, &time);
	put16(e + D_TIME, time);
	put16(e + D_DATE, date);
	put16(e + D_LOW, (uint16_t)first);
	put16(e + D_HIGH, (uint16_t)(first >> 16));
	put32(e + D_SIZE, size);
}

int8_t entry_update(uint32_t sector, uint8_t index, uint32_t first, uint32_t size)
{
	uint8_t *block = block_get(sector);
	int8_t result;

	if (!block)
		return -OX_EIO;
	entry_fill(block + 32 * index, first, size);
	block[32 * index + D_ATTR] |= ATTR_ARCHIVE;
	result = block_write(block, sector);
	block_put(block);
	return result;
}

// The long name, from its last piece on; d stands at the first of its entries, then behind them.
static int8_t write_pieces(struct dir *d, const char *name, uint8_t pieces, uint8_t sum)
{
	uint8_t *e;

	for (uint8_t i = pieces; i; i--) {
		e = dir_entry(d);
		if (!e)
			return -OX_EIO;
		lfn_fill(e, name, i, i == pieces, sum);
		block_dirty(d->block);
		if (dir_next(d))
			return -OX_EIO;
	}
	return 0;
}

// The 8.3 entry, where d stands.
static int8_t write_short(struct dir *d, const uint8_t *alias, uint8_t flags, struct entry *out)
{
	uint8_t *e = dir_entry(d);

	if (!e)
		return -OX_EIO;
	memset(e, 0, 32);
	memcpy(e, alias, 11);
	e[D_ATTR] = out->attr;
	if (!(flags & ALIAS_LFN))
		e[D_CASE] = flags & (CASE_BASE | CASE_EXT);
	entry_fill(e, out->first, out->size);
	memcpy(e + D_CREATED, e + D_TIME, 4);
	memcpy(e + D_CREATED + 4, e + D_DATE, 2); // last access
	block_dirty(d->block);
	out->sector = d->at.sector;
	out->index = d->at.index;
	return 0;
}

// Behind a new last entry the end mark has to stand, whatever was there.
static int8_t mark_end(struct dir *d)
{
	int8_t result = dir_next(d);
	uint8_t *e;

	if (result)
		return result < 0 ? result : 0;
	e = dir_entry(d);
	if (!e)
		return -OX_EIO;
	if (e[0]) {
		e[0] = 0;
		block_dirty(d->block);
	}
	return 0;
}

int8_t dir_create(uint32_t cluster, const char *name, struct entry *out)
{
	uint8_t alias[11], flags, units = name_units(name);
	struct dir d;
	bool at_end;
	int8_t result;

	if (!units)
		return -OX_EINVAL;
	result = choose_alias(&d, cluster, name, alias, &flags);
	if (result)
		return result;
	units = flags & ALIAS_LFN ? (units + 12) / 13 : 0;
	result = find_space(&d, cluster, units + 1, &at_end);
	if (result)
		return result;
	out->set = d.at;
	out->count = units + 1;
	result = write_pieces(&d, name, units, name_sum(alias));
	if (!result)
		result = write_short(&d, alias, flags, out);
	if (!result && at_end)
		result = mark_end(&d);
	dir_end(&d);
	return result ? result : fs_commit();
}

int8_t dir_erase(const struct entry *e)
{
	struct dir d;
	uint8_t *p;
	int8_t result = 0;

	dir_start(&d, 0);
	d.at = e->set;
	for (uint8_t n = e->count; n && !result; n--) {
		p = dir_entry(&d);
		if (!p)
			return -OX_EIO;
		p[0] = DELETED;
		block_dirty(d.block);
		if (n > 1)
			result = dir_next(&d);
	}
	dir_end(&d);
	return result ? -OX_EIO : fs_commit();
}
