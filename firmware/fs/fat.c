// SPDX-License-Identifier: ISC
//
// The FAT: chains, allocation, FSInfo.
//
// One sector of the FAT at a time may be changed and not yet written (vol.pending): chains are allocated and freed
// mostly inside one, so a run costs two writes. It is written, FAT 2 before FAT 1, when another one is to change
// and by fs_commit. No number read from the card is used before fat_valid has seen it.

#include "fs/fat.h"

#include <assert.h>

#include "drivers/sd.h"
#include "vm/pool.h"

struct volume volume_;

#define END_MARK 0x0ffffff8 // and above; FAT16 has 16 bits of it

bool fat_valid(uint32_t cluster)
{
	return cluster >= 2 && cluster <= vol.last;
}

uint32_t fat_sector(uint32_t cluster)
{
	return vol.data + ((cluster - 2) << vol.shift);
}

int8_t fat_error(uint32_t cluster)
{
	return cluster ? -OX_EIO : -OX_ENOSPC;
}

static bool fat16(void)
{
	return vol.root_sectors;
}

// The sector of the FAT that holds the entry of a cluster.
static NOINLINE uint32_t entry_sector(uint32_t cluster)
{
	cluster >>= 7;
	return vol.fat + (fat16() ? cluster >> 1 : cluster);
}

// The entry of a cluster in its sector: 28 bits.
static NOINLINE uint32_t entry_value(const uint8_t *block, uint8_t cluster)
{
	uint16_t value;

	if (!fat16())
		return ((const uint32_t *)block)[cluster & 127] & 0x0fffffff;
	value = ((const uint16_t *)block)[cluster];
	return value >= 0xfff8 ? END_MARK : value;
}

uint32_t fat_next(uint32_t cluster)
{
	uint8_t *block = block_get(entry_sector(cluster));
	uint32_t value;

	if (!block)
		return FAT_BAD;
	value = entry_value(block, (uint8_t)cluster);
	block_put(block);
	if (fat_valid(value))
		return value;
	return value >= END_MARK ? FAT_END : FAT_BAD;
}

uint32_t fat_next_here(uint32_t cluster)
{
	return block_here(entry_sector(cluster)) ? fat_next(cluster) : FAT_BAD;
}

static NOINLINE int8_t flush(void)
{
	uint8_t *block;
	int8_t result = 0;

	if (!vol.pending)
		return 0;
	block = block_get(vol.pending);
	if (!block)
		return -OX_EIO;
	if (vol.mirror)
		result = block_write(block, vol.pending + vol.fat_size);
	if (!result)
		result = block_write(block, vol.pending);
	block_put(block);
	if (!result)
		vol.pending = 0;
	return result;
}

int8_t fat_set(uint32_t cluster, uint32_t next)
{
	uint32_t sector = entry_sector(cluster);
	uint8_t *block;

	assert(fat_valid(cluster));
	if (next < 2)
		next = next == FAT_FREE ? 0 : 0x0fffffff;
	if (vol.pending != sector && flush())
		return -OX_EIO;
	block = block_get(sector);
	if (!block)
		return -OX_EIO;
	if (fat16()) {
		((uint16_t *)block)[(uint8_t)cluster] = (uint16_t)next;
	} else {
		uint32_t *e = (uint32_t *)block + ((uint8_t)cluster & 127);

		*e = (*e & 0xf0000000) | next;
	}
	block_dirty(block);
	block_put(block);
	vol.pending = sector;
	return 0;
}

int8_t fs_commit(void)
{
	int8_t fat = flush();
	int8_t result = block_flush();

	return result ? result : fat;
}

int8_t fs_commit_if(int8_t result)
{
	return result ? result : fs_commit();
}

// The first free cluster in from ... end; FAT_END: none. A block of the FAT stays pinned from entry to entry.
static uint32_t find_free(uint32_t from, uint32_t end)
{
	uint8_t *block = 0;

	for (; from <= end; from++) {
		if (!block)
			block = block_get(entry_sector(from));
		if (!block)
			return FAT_BAD;
		if (!entry_value(block, (uint8_t)from))
			break;
		if (!(((uint8_t)from + 1) & 127)) { // half a sector, on FAT16
			block_put(block);
			block = 0;
		}
	}
	if (block)
		block_put(block);
	return from <= end ? from : FAT_END;
}

uint32_t fat_alloc(uint32_t prev)
{
	uint32_t from = prev ? prev + 1 : vol.hint, cluster;

	if (!fat_valid(from))
		from = 2;
	cluster = find_free(from, vol.last); // next fit: to the end, then from the start
	if (cluster == FAT_END)
		cluster = find_free(2, from - 1);
	if (cluster < 2)
		return cluster;
	if (fat_set(cluster, FAT_END) || (prev && fat_set(prev, cluster)))
		return FAT_BAD;
	vol.hint = cluster + 1;
	if (vol.free != FREE_UNKNOWN)
		vol.free--;
	vol.info_stale = true;
	return cluster;
}

int8_t fat_free(uint32_t cluster)
{
	uint32_t next;

	for (; fat_valid(cluster); cluster = next) { // a loop comes back to an entry that is free by then
		next = fat_next(cluster);
		if (fat_set(cluster, FAT_FREE))
			return -OX_EIO;
		block_forget(fat_sector(cluster), vol.mask + 1);
		if (vol.free != FREE_UNKNOWN)
			vol.free++;
		vol.info_stale = true;
	}
	return 0;
}

int8_t fat_zero(uint32_t cluster)
{
	uint32_t sector = fat_sector(cluster);
	uint8_t n = vol.mask;
	uint8_t *block;

	do {
		block = block_new(sector++);
		if (!block)
			return -OX_EIO;
		block_put(block);
	} while (n--);
	return 0;
}

// Free entries among the `count` ones from `first` on, all in one sector of the FAT. FREE_UNKNOWN: it cannot be read.
static uint32_t free_in_sector(uint32_t first, uint16_t count)
{
	uint8_t *block = block_get(entry_sector(first));
	uint16_t n = 0;

	if (!block)
		return FREE_UNKNOWN;
	for (uint16_t i = 0; i < count; i++)
		n += !entry_value(block, (uint8_t)first + (uint8_t)i);
	block_put(block);
	return n;
}

uint32_t fs_free_clusters(void)
{
	uint16_t step = fat16() ? 256 : 128;
	uint32_t n = 0;

	if (vol.free != FREE_UNKNOWN)
		return vol.free;
	for (uint32_t first = 0; first <= vol.last; first += step) {
		uint32_t left = vol.last + 1 - first;
		uint32_t here = free_in_sector(first, left < step ? (uint16_t)left : step);

		if (here == FREE_UNKNOWN)
			return here;
		n += here;
	}
	vol.free = n;
	vol.info_stale = true;
	return n;
}

bool fat_room(uint32_t clusters)
{
	if (clusters > vol.free || vol.free == FREE_UNKNOWN) { // FSInfo may be wrong
		vol.free = FREE_UNKNOWN;
		fs_free_clusters();
	}
	return clusters <= vol.free;
}

uint32_t fs_free_known(void)
{
	return vol.free;
}

uint32_t fs_clusters(void)
{
	return vol.last - 1;
}

uint16_t fs_cluster_size(void)
{
	return (uint16_t)((vol.mask + 1U) << 9);
}

// FSInfo, pinned; NULL: none.
static struct info_sector *info_block(void)
{
	struct info_sector *info = vol.info ? (struct info_sector *)block_get(vol.info) : 0;

	if (!info || (info->lead == 0x41615252 && info->signature == 0x61417272))
		return info;
	block_put((uint8_t *)info);
	return 0;
}

void fat_read_info(void)
{
	struct info_sector *info = info_block();

	if (!info)
		return;
	if (info->free < vol.last)
		vol.free = info->free;
	vol.hint = info->next;
	block_put((uint8_t *)info);
}

static void write_info(void)
{
	struct info_sector *info = vol.info_stale ? info_block() : 0;

	if (!info)
		return;
	vol.info_stale = false;
	info->free = vol.free;
	info->next = vol.hint;
	block_dirty((uint8_t *)info);
	block_put((uint8_t *)info);
}

// Whatever goes wrong, the rest is still tried.
int8_t fs_sync(void)
{
	int8_t result = nodes_sync();

	write_info();
	if (fs_commit() || sd_flush())
		result = -OX_EIO;
	return result;
}
