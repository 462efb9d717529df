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

#define ROOT_ENTRY 0xff

static struct file files[FILES];

// For each open file that is the same one as f.
#define EACH_SAME(g, f) \
	for (struct file *g = files; g < files + FILES; g++) \
		if (g->refs && g->sector == (f)->sector && g->entry == (f)->entry)

struct file *file_find(uint32_t sector, uint8_t index)
{
	for (struct file *f = files; f < files + FILES; f++)
		if (f->refs && f->sector == sector && f->entry == index)
			return f;
	return 0;
}

bool file_dir_open(uint32_t first)
{
	for (struct file *f = files; f < files + FILES; f++)
		if (f->refs && f->flags & FILE_DIR && f->first == first)
			return true;
	return false;
}

bool fs_writing(uint32_t first)
{
	for (struct file *f = files; f < files + FILES; f++)
		if (f->refs && f->flags & FILE_WRITE && f->first == first)
			return true;
	return false;
}

void file_moved(uint32_t sector, uint8_t index, uint32_t to_sector, uint8_t to_index)
{
	struct file *f;

	while ((f = file_find(sector, index))) {
		f->sector = to_sector;
		f->entry = to_index;
	}
}

bool file_orphan(const struct entry *e)
{
	struct file *first = file_find(e->sector, e->index);
	uint8_t number = 0;

	if (!first)
		return false;
	EACH_SAME(f, first)
		f->flags |= FILE_UNLINKED;
	while (file_find(0, number))
		number++;
	file_moved(e->sector, e->index, 0, number);
	return true;
}

static struct file *free_file(void)
{
	for (struct file *f = files; f < files + FILES; f++)
		if (!f->refs)
			return f;
	return 0;
}

bool file_room(void)
{
	return free_file();
}

int8_t file_open(const struct entry *e, uint32_t flags, struct file **out)
{
	struct file *same = e->attr & ATTR_DIR ? 0 : file_find(e->sector, e->index);
	struct file *f = free_file();

	if (!f)
		return -OX_ENFILE;
	memset(f, 0, sizeof *f);
	f->first = same ? same->first : e->first;
	f->size = same ? same->size : e->size;
	f->sector = e->sector;
	f->entry = e->sector ? e->index : ROOT_ENTRY;
	f->flags = (flags & OX_O_ACCMODE) == OX_O_RDONLY ? FILE_READ :
		(flags & OX_O_ACCMODE) == OX_O_WRONLY ? FILE_WRITE : FILE_READ | FILE_WRITE;
	if (flags & OX_O_APPEND)
		f->flags |= FILE_APPEND;
	if (e->attr & ATTR_DIR)
		f->flags |= FILE_DIR;
	f->refs = 1;
	*out = f;
	return 0;
}

// Copies size and first cluster to the others that are the same file, and marks it changed.
static void changed(struct file *f)
{
	EACH_SAME(g, f) {
		g->size = f->size;
		g->first = f->first;
	}
	f->flags |= FILE_CHANGED;
}

// Data and FAT first, then the directory entry.
static int8_t write_back(struct file *f)
{
	int8_t result;

	if (!(f->flags & FILE_CHANGED) || f->flags & FILE_UNLINKED)
		return 0;
	result = fs_commit();
	if (!result)
		result = entry_update(f->sector, f->entry, f->first, f->size);
	if (!result)
		EACH_SAME(g, f)
			g->flags &= (uint8_t)~FILE_CHANGED;
	return result;
}

int8_t file_sync(void)
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
	if (!(f->flags & FILE_UNLINKED))
		return result;
	if (file_find(f->sector, f->entry))
		return 0;
	result = fat_free(f->first);
	return result ? result : fs_commit();
}

// Follows or, with `write`, extends the chain by one cluster.
static int8_t step(struct file *f, bool write)
{
	uint32_t next;
	int8_t result = fat_get(f->cluster, &next);

	if (!result && next == END_OF_CHAIN && write)
		result = fat_alloc(f->cluster, &next);
	if (result)
		return result;
	if (!fat_valid(next))
		return -OX_EIO;
	f->cluster = next;
	f->index++;
	return 0;
}

// Goes to cluster number `index` of the file; with `write`, there may be one more than it has.
static int8_t seek(struct file *f, uint32_t index, bool write)
{
	int8_t result = 0;

	if (!f->first && write && !index) {
		result = fat_alloc(0, &f->first);
		if (result)
			return result;
		changed(f);
	}
	if (!f->cluster || f->index > index) {
		if (!fat_valid(f->first))
			return -OX_EIO;
		f->cluster = f->first;
		f->index = 0;
	}
	while (!result && f->index < index)
		result = step(f, write);
	return result;
}

// The block at pos, which is at most the size: pinned.
static uint8_t *map(struct file *f, uint32_t pos, bool write, int8_t *error)
{
	uint32_t sector = pos >> 9;
	uint8_t *block;

	*error = seek(f, sector >> vol.shift, write && pos == f->size);
	if (*error)
		return 0;
	sector = fat_sector(f->cluster) + (sector & ((1UL << vol.shift) - 1));
	block = pos == f->size && !(pos & 511) ? block_new(sector) : block_get(sector);
	if (!block)
		*error = -OX_EIO;
	return block;
}

void file_wrote(struct file *f, uint32_t end)
{
	if (end > f->size)
		f->size = end;
	changed(f);
}

// Zeros from the end of the file to `size`.
static int8_t grow(struct file *f, uint32_t size)
{
	uint16_t from, n;
	uint8_t *block;
	int8_t error;

	while (f->size < size) {
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
	uint32_t left = write ? 0xffffffff - pos : pos < f->size ? f->size - pos : 0;
	uint16_t offset = (uint16_t)pos & 511;
	int8_t error = 0;
	uint8_t *block = 0;

	if (f->flags & FILE_DIR)
		error = -OX_EISDIR;
	else if (write && !left)
		error = -OX_EFBIG;
	else if (write && pos > f->size)
		error = grow(f, pos);
	if (!error && left)
		block = map(f, pos, write, &error);
	*len = error;
	if (!block)
		return 0;
	*len = left < 512U - offset ? (int16_t)left : (int16_t)(512 - offset);
	return block + offset;
}

// Forgets where in the chain each open file stands that is the same as f.
static void forget_place(struct file *f)
{
	EACH_SAME(g, f)
		g->cluster = 0;
}

// The directory entry first, then the FAT: at no time does the entry claim free clusters.
static int8_t shrink(struct file *f, uint32_t size)
{
	uint32_t rest = f->first, next = 0;
	int8_t result = 0;

	f->size = size;
	if (size) {
		result = seek(f, (size - 1) >> 9 >> vol.shift, false);
		if (!result)
			result = fat_get(f->cluster, &rest);
		next = f->cluster;
	} else {
		f->first = 0;
	}
	changed(f);
	if (!result)
		result = write_back(f);
	if (!result && size && fat_valid(rest))
		result = fat_set(next, END_OF_CHAIN);
	forget_place(f);
	if (!result)
		result = fat_free(rest);
	return result ? result : fs_commit();
}

int8_t fs_truncate(struct file *f, uint32_t size)
{
	int8_t result;

	if (!(f->flags & FILE_WRITE))
		return -OX_EINVAL;
	if (f->first && text_busy(f->first))
		return -OX_ETXTBSY;
	if (size < f->size || (!size && f->first))
		return shrink(f, size);
	result = grow(f, size);
	if (!result)
		file_wrote(f, size);
	return result ? result : write_back(f);
}

int8_t fs_extent(const struct file *f, uint32_t *lba)
{
	uint32_t count, cluster = f->first, next;

	if (!f->size || f->flags & FILE_DIR || !fat_valid(cluster))
		return -OX_ENOEXEC;
	*lba = fat_sector(cluster);
	for (count = (f->size - 1) >> 9 >> vol.shift; count; count--) {
		if (fat_get(cluster, &next))
			return -OX_EIO;
		if (next != cluster + 1)
			return -OX_ENOEXEC;
		cluster = next;
	}
	return 0;
}
