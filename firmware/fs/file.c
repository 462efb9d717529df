// SPDX-License-Identifier: ISC
//
// Open files: the table, the bytes, growing and shrinking.
//
// Several open files can be the same one: they share the place of the directory entry (sector, entry). What one changes
// of size and first cluster is copied to the others at once. An unlinked file has sector 0 and, in `entry`, a
// number of its own.

#include <string.h>

#include "fs/fat.h"
#include "vm/pool.h"

#define FILL_BLOCKS 8 // of zeros at a time

static struct file files[FILES];

// The next open file after f (NULL: from the start) with the directory entry of n; NULL: none.
static struct file *next_same(const struct node *n, struct file *f)
{
	for (f = f ? f + 1 : files; f < files + FILES; f++)
		if (f->refs && !(f->flags & FILE_DIR) && f->entry == n->entry && f->sector == n->sector)
			return f;
	return 0;
}

// An open file with a certain first cluster and one of some flags; flags 0: a free place in the table.
static struct file *find(uint32_t first, uint8_t flags)
{
	for (struct file *f = files; f < files + FILES; f++)
		if (flags ? f->refs && f->flags & flags && f->first == first : !f->refs)
			return f;
	return 0;
}

bool node_dir_open(uint32_t first)
{
	return find(first, FILE_DIR);
}

bool fs_writing(uint32_t first)
{
	return find(first, FILE_WRITE);
}

bool node_room(void)
{
	return find(0, 0);
}

bool node_move(const struct node *from, const struct node *to)
{
	struct file *f = 0;

	if (!next_same(from, 0))
		return false;
	while ((f = next_same(from, f))) {
		f->sector = to->sector;
		f->entry = to->entry;
		if (!to->sector)
			f->flags |= FILE_UNLINKED;
	}
	return true;
}

bool node_orphan(const struct node *n)
{
	struct node to = { .sector = 0, .entry = 0 };

	while (next_same(&to, 0))
		to.entry++;
	return node_move(n, &to);
}

void node_refresh(struct node *n)
{
	const struct file *same = n->sector ? next_same(n, 0) : 0; // neither the root directory nor a node

	if (same)
		*n = same->node;
}

int8_t node_open(const struct entry *e, uint32_t flags, struct file **out)
{
	struct file *f = find(0, 0);
	uint8_t mode = (uint8_t)flags & OX_O_ACCMODE;

	if (!f)
		return -OX_ENFILE;
	memset(f, 0, sizeof *f);
	f->node = e->node;
	node_refresh(&f->node);
	f->flags = mode + 1; // FILE_READ, FILE_WRITE, both
	if (flags & OX_O_APPEND)
		f->flags |= FILE_APPEND;
	if (e->attr & ATTR_DIR)
		f->flags |= FILE_DIR;
	f->refs = 1;
	*out = f;
	return 0;
}

// Copies size, first cluster and the flag FILE_CHANGED to the others that are the same file.
static void share(struct file *f, uint8_t flag)
{
	struct file *g = 0;

	while ((g = next_same(&f->node, g))) {
		g->size = f->size;
		if (g->first != f->first || !flag) {
			g->first = f->first;
			g->cluster = 0;
		}
		g->flags = (g->flags & ~FILE_CHANGED) | flag;
	}
}

void file_wrote(struct file *f, uint32_t end)
{
	if (end > f->size)
		f->size = end;
	share(f, FILE_CHANGED);
}

// Data and FAT first, then the directory entry.
static int8_t write_back(struct file *f)
{
	int8_t result;

	if ((f->flags & (FILE_CHANGED | FILE_UNLINKED)) != FILE_CHANGED)
		return 0;
	result = fs_commit();
	if (!result)
		result = node_update(&f->node);
	if (!result)
		share(f, 0);
	return result;
}

int8_t nodes_sync(void)
{
	int8_t result = 0;

	for (struct file *f = files; f < files + FILES; f++)
		if (f->refs && write_back(f))
			result = -OX_EIO;
	return result;
}

int8_t fs_close(struct file *f)
{
	int8_t result;

	if (f->refs > 1) {
		f->refs--;
		return 0;
	}
	result = write_back(f);
	f->refs = 0;
	if (!(f->flags & FILE_UNLINKED) || next_same(&f->node, 0))
		return result;
	return fs_commit_if(fat_free(f->first));
}

// Goes to cluster number `index` of the file; with `write`, there may be one more than it has.
static int8_t seek(struct file *f, uint32_t index, bool write)
{
	uint32_t next;

	if (!f->cluster || f->index > index) {
		if (!f->first && write && !index) {
			next = fat_alloc(0);
			if (next < 2)
				return fat_error(next);
			f->first = next;
			share(f, FILE_CHANGED);
		}
		if (!fat_valid(f->first))
			return -OX_EIO;
		f->cluster = f->first;
		f->index = 0;
	}
	while (f->index < index) {
		next = fat_next(f->cluster);
		if (next == FAT_END && write && index - f->index == 1) {
			next = fat_alloc(f->cluster);
			if (next == FAT_END)
				return -OX_ENOSPC;
		}
		if (next < 2)
			return -OX_EIO;
		f->cluster = next;
		f->index++;
	}
	return 0;
}

// The number of the cluster that holds byte pos.
static NOINLINE uint32_t index_of(uint32_t pos)
{
	return pos >> 9 >> vol.shift;
}

// The directory entry first, then the FAT: at no time does the entry claim free clusters. When the entry cannot be written, the file stays as
// it is, and is still to be written: the entry in the pool may be the new one already. With the size it has, only the chain is cut.
static int8_t shrink(struct file *f, uint32_t size)
{
	struct node old = f->node;
	uint32_t rest = f->first, last = 0;
	uint8_t flag = FILE_CHANGED;
	int8_t result = 0;

	if (size) {
		result = seek(f, index_of(size - 1), false);
		if (result)
			return result;
		last = f->cluster;
		rest = fat_next(last);
		if (rest == FAT_BAD)
			return -OX_EIO;
	} else {
		f->first = f->cluster = 0;
	}
	f->size = size;
	f->flags |= FILE_CHANGED;
	if (size != old.size) {
		result = write_back(f);
		if (result) {
			f->node = old;
			return result;
		}
		flag = 0;
	}
	if (last && rest >= 2)
		result = fat_set(last, FAT_END);
	share(f, flag);
	if (!result)
		result = fat_free(rest);
	return fs_commit_if(result);
}

void file_trim(struct file *f)
{
	shrink(f, f->size);
}

// The block at pos, which is at most the size: pinned.
static uint8_t *map(struct file *f, uint32_t pos, bool write, int8_t *error)
{
	uint32_t sector;
	uint8_t *block;
	bool at_end = pos == f->size;

	*error = seek(f, index_of(pos), write && at_end);
	if (*error)
		return 0;
	sector = fat_sector(f->cluster) + ((uint8_t)(pos >> 9) & vol.mask);
	block = at_end && !((uint16_t)pos & 511) ? block_new(sector) : block_get(sector);
	if (block)
		return block;
	if (write && at_end)
		file_trim(f);
	*error = -OX_EIO;
	return 0;
}

// Clusters that so many bytes take.
static NOINLINE uint32_t clusters_of(uint32_t size)
{
	return size ? index_of(size - 1) + 1 : 0;
}

NOINLINE int8_t file_fill(struct file *f, uint32_t size)
{
	uint16_t from, n;
	uint8_t *block, left = FILL_BLOCKS;
	int8_t error;

	if (f->size < size && !fat_room(clusters_of(size) - clusters_of(f->size)))
		return -OX_ENOSPC;
	while (f->size < size) {
		if (!left--)
			return FILL_ON;
		block = map(f, f->size, true, &error);
		if (!block)
			return error;
		from = (uint16_t)f->size & 511;
		n = 512 - from;
		if (size - f->size < n)
			n = (uint16_t)(size - f->size);
		memset(block + from, 0, n);
		block_dirty(block);
		block_put(block);
		file_wrote(f, f->size + n);
	}
	return 0;
}

uint8_t *file_map(struct file *f, uint32_t pos, bool write, int16_t *len)
{
	uint32_t left = (write ? 0xffffffff : f->size) - pos;
	uint16_t offset = (uint16_t)pos & 511, room = 512 - offset;
	int8_t error = 0;
	uint8_t *block = 0;

	if (!write && pos > f->size)
		left = 0;
	if (f->flags & FILE_DIR)
		error = -OX_EISDIR;
	else if (write && !left)
		error = -OX_EFBIG;
	if (!error && left)
		block = map(f, pos, write, &error);
	*len = error;
	if (!block)
		return 0;
	*len = left < room ? (int16_t)left : (int16_t)room;
	return block + offset;
}

void file_ahead(const struct file *f)
{
	uint32_t pos = (f->pos | 511) + 1, cluster = f->cluster;
	uint8_t n = (uint8_t)(pos >> 9) & vol.mask;

	if (pos >= f->size)
		return;
	if (!n)
		cluster = fat_next_here(cluster);
	if (cluster >= 2)
		block_ahead(fat_sector(cluster) + n);
}

int8_t fs_truncate(struct file *f, uint32_t size)
{
	int8_t result;

	card_restart = false;
	if (!(f->flags & FILE_WRITE))
		return -OX_EINVAL;
	if (f->first && text_busy(f->first))
		return -OX_ETXTBSY;
	if (size < f->size || (!size && f->first))
		return shrink(f, size);
	result = file_fill(f, size);
	if (result)
		return result;
	file_wrote(f, size);
	return write_back(f);
}

int8_t fs_extent(const struct node *f, uint32_t *lba)
{
	uint32_t cluster = f->first, next;

	if (!f->size || !fat_valid(cluster))
		return -OX_ENOEXEC;
	*lba = fat_sector(cluster);
	for (uint32_t left = index_of(f->size - 1); left; left--) {
		next = fat_next(cluster++);
		if (next != cluster)
			return next == FAT_BAD ? -OX_EIO : -OX_ENOEXEC;
	}
	return 0;
}
