// SPDX-License-Identifier: ISC
//
// Finding and checking the volume (section Boot Sector and BPB, FAT Type Determination).

#include <avr/pgmspace.h>
#include <string.h>

#include "drivers/sd.h"
#include "fs/fat.h"
#include "kernel/phrases.h"
#include "vm/pool.h"

// Does this look like a FAT boot sector at all?
static bool looks_fat(const struct boot_sector *b)
{
	uint8_t spc = b->cluster_sectors;

	return b->signature == 0xaa55 && (b->jump[0] == 0xeb || b->jump[0] == 0xe9) && spc && !(spc & (spc - 1)) &&
		b->reserved && (uint8_t)(b->fats - 1) < 2 && b->sector_size && !(b->sector_size & 511);
}

// What only FAT32 has.
static NOINLINE int8_t take_fat32(const struct boot_sector *b, uint32_t start)
{
	if (b->root_entries || b->version)
		return FS_DAMAGED;
	vol.root = b->root;
	if (b->fat_flags & 0x80) { // only one FAT is in use
		vol.mirror = false;
		if (b->fat_flags & 1)
			vol.fat += vol.fat_size;
	}
	if (b->info && b->info < b->reserved)
		vol.info = start + b->info;
	return fat_valid(vol.root) ? 0 : FS_DAMAGED;
}

// The type follows from the number of clusters alone.
static int8_t take_type(const struct boot_sector *b, uint32_t start, uint32_t clusters)
{
	bool fat32 = clusters >= 65525;
	uint32_t entries = vol.fat_size << (fat32 ? 7 : 8);

	if (!fat32 && !b->fat_size16)
		return FS_TOO_FEW;
	if (clusters < 4085)
		return FS_FAT12;
	vol.last = (clusters + 2 < entries ? clusters + 2 : entries) - 1; // two entries stand for no cluster
	if (fat32)
		return b->fat_size16 ? FS_DAMAGED : take_fat32(b, start);
	vol.root = vol.data - vol.root_sectors;
	return vol.root_sectors ? 0 : FS_DAMAGED;
}

// The geometry, from the boot sector b of the volume at sector `start`.
static int8_t take_geometry(const struct boot_sector *b, uint32_t start)
{
	uint32_t total = b->total16 ? b->total16 : b->total32, used;

	memset(&vol, 0, sizeof vol);
	vol.free = FREE_UNKNOWN;
	vol.mask = b->cluster_sectors - 1;
	while (vol.mask >> vol.shift)
		vol.shift++;
	vol.mirror = b->fats > 1;
	vol.fat_size = b->fat_size16 ? b->fat_size16 : b->fat_size32;
	vol.root_sectors = (b->root_entries + 15U) >> 4;
	vol.fat = start + b->reserved;
	if (!vol.fat_size || vol.fat_size >> 21)
		return FS_DAMAGED;
	used = vol.fat_size;
	if (vol.mirror)
		used <<= 1;
	used += (uint32_t)b->reserved + vol.root_sectors;
	vol.data = start + used;
	if (total <= used)
		return FS_DAMAGED;
	if (total > sd_sectors - start)
		return FS_BEYOND;
	return take_type(b, start, (total - used) >> vol.shift);
}

static bool made_by(const struct boot_sector *b, const char *maker)
{
	return !strncmp_P(b->maker, maker, 5);
}

// What is in the sector b, the one at `start`? 0: a volume that is now in vol.
static int8_t identify(const struct boot_sector *b, uint32_t start)
{
	if (made_by(b, PSTR("EXFAT")))
		return FS_EXFAT;
	if (made_by(b, PSTR("NTFS ")))
		return FS_NTFS;
	if (!looks_fat(b))
		return FS_NONE;
	if (b->sector_size != 512)
		return FS_SECTOR;
	if (b->cluster_sectors > 64)
		return FS_CLUSTER;
	return take_geometry(b, start);
}

static int8_t probe(uint32_t start)
{
	uint8_t *block;
	int8_t result;

	if (start + 2 >= sd_sectors)
		return FS_BEYOND;
	block = block_get(start);
	if (!block)
		return FS_READ;
	result = identify((struct boot_sector *)block, start);
	block_put(block);
	if (result != FS_NONE)
		return result;
	block = block_get(start + 2); // where ext2, 3 and 4 have their superblock
	if (!block)
		return FS_READ;
	if (block[56] == 0x53 && block[57] == 0xef)
		result = FS_EXT;
	block_put(block);
	return result;
}

static bool fat_type(uint8_t type)
{
	return type == 0x01 || type == 0x04 || type == 0x06 || type == 0x0b || type == 0x0c || type == 0x0e;
}

// Where the partition to try starts: the first of a FAT type, else the first of all; 0: there is none.
static uint32_t find_partition(uint8_t *type)
{
	struct master_boot_record *mbr = (struct master_boot_record *)block_get(0);
	struct partition *p;
	uint32_t start = 0;

	*type = 0;
	if (!mbr)
		return 0;
	p = mbr->partitions;
	for (uint8_t i = 4; i && mbr->signature == 0xaa55 && !fat_type(*type); i--, p++)
		if (p->type && (!*type || fat_type(p->type))) {
			*type = p->type;
			start = p->first;
		}
	block_put((uint8_t *)mbr);
	return start;
}

int8_t fs_mount(void)
{
	int8_t result = probe(0);
	uint8_t type;
	uint32_t start;

	if (result == FS_NONE) {
		start = find_partition(&type);
		if (type == 0xee)
			return FS_GPT;
		if (start)
			result = probe(start);
	}
	if (!result)
		fat_read_info();
	return result;
}

// In the order of enum fs_error, from -1 on.
static const char texts[] PROGMEM =
	T_UNREADABLE "\0"
	"no file system found; format the card as FAT32\0"
	"exFAT found" T_REFORMAT " as FAT32\0"
	"NTFS found" T_REFORMAT " as FAT32\0"
	"ext found" T_REFORMAT " as FAT32\0"
	"FAT12 found" T_REFORMAT " as FAT16 or FAT32\0"
	"GPT found; partition the card with an MBR\0"
	"FAT with sectors other than 512 bytes" T_REFORMAT "\0"
	"FAT with clusters over 32 KiB" T_SMALLER "\0"
	"FAT32 with too few clusters" T_SMALLER "\0"
	"damaged FAT boot sector" T_REFORMAT "\0"
	"FAT larger than the card; write the image again";

const char *fs_error_text(int8_t code)
{
	return text_at(texts, (uint8_t)(-1 - code));
}
