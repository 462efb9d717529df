// SPDX-License-Identifier: ISC
//
// The volume and its FAT: mount, chains, allocation, FSInfo.
//
// One sector of the FAT at a time may be changed and not yet written (vol.pending): chains are allocated and freed
// mostly inside one, so a run costs two writes. It is written, FAT 2 before FAT 1, when another one is to change
// and by fat_flush. No number read from the card is used before fat_valid has seen it.

#include <avr/pgmspace.h>
#include <string.h>

#include "drivers/sd.h"
#include "fs/fat.h"
#include "vm/pool.h"

struct volume vol;

uint32_t get32(const uint8_t *p)
{
	return (uint32_t)get16(p + 2) << 16 | get16(p);
}

void put16(uint8_t *p, uint16_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

void put32(uint8_t *p, uint32_t value)
{
	put16(p, (uint16_t)value);
	put16(p + 2, (uint16_t)(value >> 16));
}

bool fat_valid(uint32_t cluster)
{
	return cluster - 2 <= vol.last - 2;
}

uint32_t fat_sector(uint32_t cluster)
{
	return vol.data + ((cluster - 2) << vol.shift);
}

static bool fat16(void)
{
	return vol.root_sectors != 0;
}

// The sector of the FAT that holds the entry of a cluster.
static uint32_t entry_sector(uint32_t cluster)
{
	return vol.fat + (cluster >> (fat16() ? 8 : 7));
}

// The entry of a cluster in its sector.
static uint8_t *entry_in(uint8_t *block, uint32_t cluster)
{
	return fat16() ? block + 2 * (uint8_t)cluster : block + 4 * ((uint8_t)cluster & 127);
}

// Value of an entry: 28 bits, with the end marks of both types as END_OF_CHAIN.
static uint32_t entry_value(uint8_t *block, uint32_t cluster)
{
	const uint8_t *e = entry_in(block, cluster);
	uint32_t value;

	if (fat16()) {
		value = get16(e);
		return value >= 0xfff8 ? END_OF_CHAIN : value;
	}
	value = get32(e) & 0x0fffffff;
	return value >= 0x0ffffff8 ? END_OF_CHAIN : value;
}

int8_t fat_get(uint32_t cluster, uint32_t *next)
{
	uint8_t *block;

	if (!fat_valid(cluster))
		return -OX_EIO;
	block = block_get(entry_sector(cluster));
	if (!block)
		return -OX_EIO;
	*next = entry_value(block, cluster);
	block_put(block);
	return 0;
}

int8_t fat_follow(uint32_t *cluster)
{
	int8_t result = fat_get(*cluster, cluster);

	return result || fat_valid(*cluster) ? result : -OX_EIO;
}

int8_t fat_flush(void)
{
	uint8_t *block;
	int8_t result = 0;

	if (!vol.pending)
		return 0;
	block = block_get(vol.pending);
	if (!block)
		return -OX_EIO;
	if (vol.copies > 1)
		result = block_write(block, vol.pending + vol.fat_size);
	if (!result)
		result = block_write(block, vol.pending);
	block_put(block);
	if (!result)
		vol.pending = 0;
	return result;
}

int8_t fat_set(uint32_t cluster, uint32_t value)
{
	uint32_t sector = entry_sector(cluster);
	uint8_t *block, *e;

	if (vol.pending != sector && fat_flush())
		return -OX_EIO;
	block = block_get(sector);
	if (!block)
		return -OX_EIO;
	e = entry_in(block, cluster);
	if (fat16())
		put16(e, (uint16_t)value);
	else
		put32(e, value | (get32(e) & 0xf0000000));
	block_dirty(block);
	block_put(block);
	vol.pending = sector;
	return 0;
}

int8_t fs_commit(void)
{
	int8_t fat = fat_flush();
	int8_t result = block_flush();

	return result ? result : fat;
}

// The first free cluster from *cluster on, up to `end`; *cluster becomes it, or end + 1. The block of the FAT stays pinned
// from entry to entry.
static int8_t find_free(uint32_t *cluster, uint32_t end)
{
	uint8_t *block = 0;
	uint32_t sector = 0, c = *cluster;

	for (; c <= end; c++) {
		if (!block || entry_sector(c) != sector) {
			if (block)
				block_put(block);
			sector = entry_sector(c);
			block = block_get(sector);
			if (!block)
				return -OX_EIO;
		}
		if (!entry_value(block, c))
			break;
	}
	if (block)
		block_put(block);
	*cluster = c;
	return 0;
}

// Next fit: from `from` to the end, then from the start.
static int8_t next_fit(uint32_t from, uint32_t *cluster)
{
	if (!vol.free)
		return -OX_ENOSPC;
	*cluster = fat_valid(from) ? from : 2;
	from = *cluster;
	if (find_free(cluster, vol.last))
		return -OX_EIO;
	if (*cluster <= vol.last)
		return 0;
	*cluster = 2;
	if (find_free(cluster, from - 1))
		return -OX_EIO;
	return *cluster < from ? 0 : -OX_ENOSPC;
}

int8_t fat_alloc(uint32_t prev, uint32_t *cluster)
{
	int8_t result = next_fit(prev ? prev + 1 : vol.hint, cluster);

	if (!result)
		result = fat_set(*cluster, END_OF_CHAIN);
	if (!result && prev)
		result = fat_set(prev, *cluster);
	if (result)
		return result;
	vol.hint = *cluster + 1;
	if (vol.free != FREE_UNKNOWN)
		vol.free--;
	vol.info_stale = true;
	return 0;
}

int8_t fat_free(uint32_t cluster)
{
	uint32_t next;

	while (fat_valid(cluster)) { // a loop comes back to an entry that is 0 by then
		if (fat_get(cluster, &next) || (next && fat_set(cluster, 0)))
			return -OX_EIO;
		if (!next)
			break;
		block_forget(fat_sector(cluster), 1UL << vol.shift);
		if (vol.free != FREE_UNKNOWN)
			vol.free++;
		vol.info_stale = true;
		cluster = next;
	}
	return 0;
}

int8_t fat_zero(uint32_t cluster)
{
	uint32_t sector = fat_sector(cluster);
	uint8_t *block;

	for (uint8_t n = (uint8_t)(1 << vol.shift); n; n--) {
		block = block_new(sector++);
		if (!block)
			return -OX_EIO;
		block_put(block);
	}
	return 0;
}

uint32_t fs_free_clusters(void)
{
	uint32_t n = 0;

	if (vol.free != FREE_UNKNOWN)
		return vol.free;
	for (uint32_t c = 2;; c++, n++) {
		if (find_free(&c, vol.last))
			return FREE_UNKNOWN;
		if (c > vol.last)
			break;
	}
	vol.free = n;
	vol.info_stale = true;
	return n;
}

uint32_t fs_free_known(void)
{
	return vol.free;
}

uint32_t fs_clusters(void)
{
	return vol.last ? vol.last - 1 : 0;
}

uint16_t fs_cluster_size(void)
{
	return (uint16_t)(512U << vol.shift);
}

// ---- FSInfo (section FSInfo Sector Structure)

static uint8_t *info_block(void)
{
	uint8_t *block = vol.info ? block_get(vol.info) : 0;

	if (!block)
		return 0;
	if (get32(block) == 0x41615252 && get32(block + 484) == 0x61417272)
		return block;
	block_put(block);
	vol.info = 0;
	return 0;
}

static void info_read(void)
{
	uint8_t *block = info_block();
	uint32_t value;

	if (!block)
		return;
	value = get32(block + 488);
	if (value < vol.last)
		vol.free = value;
	vol.hint = get32(block + 492);
	block_put(block);
}

static void info_write(void)
{
	uint8_t *block;

	if (!vol.info_stale)
		return;
	vol.info_stale = false;
	block = info_block();
	if (!block)
		return;
	put32(block + 488, vol.free);
	put32(block + 492, fat_valid(vol.hint) ? vol.hint : 2);
	block_dirty(block);
	block_put(block);
}

// ---- Mount (section Boot Sector and BPB)

enum { B_SECTOR = 11, B_CLUSTER = 13, B_RESERVED = 14, B_FATS = 16, B_ROOT = 17, B_TOTAL16 = 19, B_FAT16 = 22,
	B_TOTAL32 = 32, B_FAT32 = 36, B_FLAGS = 40, B_VERSION = 42, B_ROOT32 = 44, B_INFO = 48 };

// log2 of a power of two up to 128; 255: it is none.
static uint8_t log2_of(uint8_t n)
{
	uint8_t log = 0;

	for (; n > 1 && !(n & 1); n >>= 1)
		log++;
	return n == 1 ? log : 255;
}

static uint32_t first_of(uint16_t small, const uint8_t *large)
{
	return small ? small : get32(large);
}

// Does this look like the start of a FAT boot sector at all?
static bool looks_fat(const uint8_t *b)
{
	uint16_t size = get16(b + B_SECTOR);

	return (b[0] == 0xeb || b[0] == 0xe9) && size && !(size & 511) && log2_of(b[B_CLUSTER]) != 255 &&
		get16(b + B_RESERVED) && b[B_FATS] - 1U < 4;
}

// What only FAT32 has.
static int8_t take_fat32(const uint8_t *b, uint32_t start)
{
	uint16_t info = get16(b + B_INFO);
	uint8_t flags = b[B_FLAGS];

	if (get16(b + B_ROOT) || get16(b + B_VERSION))
		return FS_DAMAGED;
	vol.root = get32(b + B_ROOT32);
	if (flags & 0x80) { // only one FAT is in use
		vol.fat += (flags & 15) * vol.fat_size;
		vol.copies = 1;
	}
	if (info && info < get16(b + B_RESERVED))
		vol.info = start + info;
	return fat_valid(vol.root) ? 0 : FS_DAMAGED;
}

// The geometry, from the boot sector b of the volume at sector `start`. The type follows from the number of clusters.
static int8_t take_geometry(const uint8_t *b, uint32_t start)
{
	uint32_t total = first_of(get16(b + B_TOTAL16), b + B_TOTAL32);
	uint32_t clusters, room, used;

	vol.shift = log2_of(b[B_CLUSTER]);
	vol.copies = b[B_FATS];
	vol.fat_size = first_of(get16(b + B_FAT16), b + B_FAT32);
	vol.root_sectors = (get16(b + B_ROOT) + 15) >> 4;
	vol.fat = start + get16(b + B_RESERVED);
	if (vol.fat_size >> 22 || total > sd_sectors || start > sd_sectors - total)
		return vol.fat_size >> 22 ? FS_DAMAGED : FS_BEYOND;
	used = get16(b + B_RESERVED) + vol.copies * vol.fat_size + vol.root_sectors;
	if (!vol.fat_size || total <= used)
		return FS_DAMAGED;
	vol.data = start + used;
	clusters = (total - used) >> vol.shift;
	if (clusters < 4085)
		return get16(b + B_FAT16) ? FS_FAT12 : FS_TOO_FEW;
	room = vol.fat_size << (clusters < 65525 ? 8 : 7); // entries in the FAT, with the two that stand for no cluster
	vol.last = (room - 2 < clusters ? room - 2 : clusters) + 1;
	if (clusters >= 65525)
		return clusters < 0x0ffffff5 ? take_fat32(b, start) : FS_DAMAGED;
	if (!get16(b + B_FAT16))
		return FS_TOO_FEW;
	vol.root = vol.data - vol.root_sectors;
	return vol.root_sectors ? 0 : FS_DAMAGED;
}

// Is there an ext2/3/4 superblock?
static bool is_ext(uint32_t start)
{
	uint8_t *block = block_get(start + 2);
	bool found;

	if (!block)
		return false;
	found = get16(block + 56) == 0xef53;
	block_put(block);
	return found;
}

// What is at sector `start`? 0: a volume that is now in vol.
static int8_t identify(const uint8_t *b, uint32_t start)
{
	if (!memcmp_P(b + 3, PSTR("EXFAT   "), 8))
		return FS_EXFAT;
	if (!memcmp_P(b + 3, PSTR("NTFS    "), 8))
		return FS_NTFS;
	if (get16(b + 510) != 0xaa55 || !looks_fat(b))
		return FS_NONE;
	if (get16(b + B_SECTOR) != 512)
		return FS_SECTOR;
	if (b[B_CLUSTER] > 64)
		return FS_CLUSTER;
	return take_geometry(b, start);
}

static int8_t probe(uint32_t start)
{
	uint8_t *block = start < sd_sectors ? block_get(start) : 0;
	int8_t result;

	if (!block)
		return start < sd_sectors ? FS_READ : FS_BEYOND;
	memset(&vol, 0, sizeof vol);
	vol.free = FREE_UNKNOWN;
	result = identify(block, start);
	block_put(block);
	return result == FS_NONE && is_ext(start) ? FS_EXT : result;
}

static bool fat_type(uint8_t type)
{
	return type == 0x01 || type == 0x04 || type == 0x06 || type == 0x0b || type == 0x0c || type == 0x0e;
}

// The partition to try: the first of a FAT type, else the first of all. *type 0: no MBR, or an empty one.
static uint32_t partition(uint8_t *type)
{
	uint8_t *block = block_get(0);
	uint32_t start = 0;

	*type = 0;
	for (uint8_t *e = block + 446; block && get16(block + 510) == 0xaa55 && e < block + 510; e += 16) {
		if (!e[4] || (*type && !fat_type(e[4])))
			continue;
		*type = e[4];
		start = get32(e + 8);
		if (fat_type(*type))
			break;
	}
	if (block)
		block_put(block);
	return start;
}

int8_t fs_mount(void)
{
	int8_t result = probe(0);
	uint8_t type;
	uint32_t start;

	if (result == FS_NONE) {
		start = partition(&type);
		if (type == 0xee)
			return FS_GPT;
		if (start)
			result = probe(start);
	}
	if (result) {
		vol.last = 0;
		return result;
	}
	info_read();
	return 0;
}

// Whatever goes wrong, the rest is still tried.
int8_t fs_sync(void)
{
	int8_t result = file_sync();

	info_write();
	if (fs_commit())
		result = -OX_EIO;
	return sd_flush() ? -OX_EIO : result;
}

const char *fs_error_text(int8_t code)
{
	switch (code) {
	case FS_READ:
		return PSTR("the card cannot be read");
	case FS_EXFAT:
		return PSTR("exFAT found; reformat the card as FAT32");
	case FS_NTFS:
		return PSTR("NTFS found; reformat the card as FAT32");
	case FS_EXT:
		return PSTR("ext file system found; reformat the card as FAT32");
	case FS_FAT12:
		return PSTR("FAT12 found; reformat the card as FAT16 or FAT32");
	case FS_GPT:
		return PSTR("GPT partition table found; use an MBR");
	case FS_SECTOR:
		return PSTR("FAT with sectors other than 512 bytes; reformat the card");
	case FS_CLUSTER:
		return PSTR("FAT with clusters over 32 KiB; reformat the card with smaller ones");
	case FS_TOO_FEW:
		return PSTR("FAT32 with too few clusters; reformat with smaller ones, or as FAT16");
	case FS_DAMAGED:
		return PSTR("damaged FAT boot sector; repair or reformat the card");
	case FS_BEYOND:
		return PSTR("file system larger than the card; write the image again");
	default:
		return PSTR("no file system found; format the card as FAT32");
	}
}
