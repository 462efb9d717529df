// SPDX-License-Identifier: ISC
//
// Damaged images: fsfuzz IMAGE SEED ROUNDS. Each round damages a few bytes of the boot sector, the FATs and the directories,
// uses the file system in every way, and puts the bytes back. Nothing may crash, leave a block pinned, or go on without
// end: the blocks used are counted. The image is changed.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "path.h"
#include "drivers/sd.h"
#include "fs/fat.h"
#include "vm/pool.h"

static uint32_t area; // sectors from the start that hold boot sector, FATs, root directory and a little data

static uint8_t *sector(uint32_t lba)
{
	uint8_t *block = block_get(lba);

	if (!block)
		exit(2);
	return block;
}

// Values that mean something in FATs and directories are likelier than others.
static uint8_t junk(void)
{
	static const uint8_t values[] = { 0, 1, 2, 3, 5, 8, 0x0f, 0x10, 0x20, 0x2e, 0x40, 0x41, 0x42, 0x7f, 0x80, 0xe5, 0xf7, 0xf8, 0xff };

	return rand() % 3 ? values[rand() % (int)sizeof values] : (uint8_t)rand();
}

static uint32_t pick(void)
{
	switch (rand() % 4) {
	case 0:
		return vol.fat + (uint32_t)rand() % 2;
	case 1:
		return (vol.root_sectors ? vol.root : fat_sector(vol.root)) + (uint32_t)rand() % 4;
	case 2:
		return rand() % 8 ? vol.data + (uint32_t)rand() % 64 : vol.fat - 1;
	default:
		return (uint32_t)rand() % area;
	}
}

static void damage(void)
{
	for (int n = 1 + rand() % 12; n; n--) {
		uint8_t *block = sector(pick());
		int at = rand() % 4 ? rand() % 128 : rand() % 512;

		for (int k = rand() % 4; k >= 0 && at < 512; k--)
			block[at++] = junk();
		block_dirty(block);
		block_put(block);
	}
	block_flush();
}

static void use_file(const char *path, uint32_t cwd, uint32_t flags)
{
	struct file *f;
	struct oct_stat st;
	uint32_t lba;
	int16_t len;

	if (fs_open(path, cwd, flags, 0644, &f))
		return;
	fs_fstat(f, &st);
	fs_extent(&f->node, &lba);
	for (int i = 0; i < 40; i++) {
		uint32_t pos = rand() % 3 ? f->pos : (uint32_t)rand() % (f->size + 1000 > 100000 ? 100000 : f->size + 1000);
		bool write = f->flags & FILE_WRITE && rand() % 2;
		uint8_t *p;

		while (write && file_fill(f, pos) == FILL_ON)
			;
		p = file_map(f, pos, write && pos <= f->size, &len);
		if (!p)
			continue;
		if (len <= 0 || (pos & 511) + (uint32_t)len > 512)
			abort();
		if (write && pos <= f->size) {
			memset(p, 'x', (size_t)len);
			block_dirty(p - (pos & 511));
			file_wrote(f, pos + (uint32_t)len);
		}
		block_put(p - (pos & 511));
		f->pos = pos + (uint32_t)len;
	}
	if (f->flags & FILE_WRITE) {
		uint32_t size = (uint32_t)rand() % 5000;

		while (fs_truncate(f, size) == FILL_ON)
			;
	}
	fs_close(f);
}

static void use_entry(const char *name, uint32_t cwd)
{
	struct oct_stat st;
	char buf[128];
	uint32_t dir;

	fs_stat(name, cwd, &st);
	switch (rand() % 8) {
	case 0:
		fs_unlink(name, cwd);
		break;
	case 1:
		fs_rmdir(name, cwd);
		break;
	case 2:
		fs_rename(name, "moved", cwd);
		break;
	case 3:
		fs_rename(name, "/a new name that is long", cwd);
		break;
	default:
		use_file(name, cwd, rand() % 2 ? OX_O_RDONLY : OX_O_RDWR);
	}
	if (!fs_chdir(name, cwd, &dir))
		path_of(dir, buf, sizeof buf);
}

static void use_dir(uint32_t cwd, int depth)
{
	struct file *f;
	union { struct oct_dirent d; uint8_t room[144]; } u;
	uint32_t dir;
	int16_t n;

	if (fs_open(cwd ? "." : "/", cwd, OX_O_RDONLY, 0, &f))
		return;
	for (int i = 0; i < 60 && (n = fs_readdir(f, &u.d, sizeof u.room)) > 0; i++) {
		if (n != u.d.reclen || n > 144 || strlen(u.d.name) != u.d.namelen)
			abort();
		if (rand() % 3 == 0 && u.d.namelen < 100)
			use_entry(u.d.name, cwd);
		if (depth && u.d.name[0] != '.' && !fs_chdir(u.d.name, cwd, &dir))
			use_dir(dir, depth - 1);
	}
	fs_close(f);
	use_file("created file with a long name", cwd, OX_O_RDWR | OX_O_CREAT);
	fs_mkdir("new dir", cwd, 0755);
	fs_rename("new dir", "new dir/x", cwd);
}

// The area as it was, before each round.
static uint8_t *save(void)
{
	uint8_t *copy = malloc((size_t)area << 9);

	for (uint32_t i = 0; i < area; i++) {
		uint8_t *block = sector(i);

		memcpy(copy + ((size_t)i << 9), block, 512);
		block_put(block);
	}
	return copy;
}

static void restore(const uint8_t *copy)
{
	disk_drop();
	for (uint32_t i = 0; i < area; i++) {
		uint8_t *block = block_new(i);

		memcpy(block, copy + ((size_t)i << 9), 512);
		block_put(block);
	}
	block_flush();
}

int main(int argc, char **argv)
{
	uint8_t *copy;
	int mounted = 0;

	if (argc != 4)
		return 2;
	disk_open(argv[1]);
	if (fs_mount())
		return 1;
	area = vol.data + 200;
	copy = save();
	for (int round = 0; round < atoi(argv[3]); round++) {
		srand((unsigned)(atoi(argv[2]) * 100000 + round));
		disk_budget = UINT32_MAX;
		restore(copy);
		if (fs_mount())
			return 1;
		damage();
		disk_drop();
		disk_budget = 30000000;
		if (!fs_mount()) {
			mounted++;
			use_dir(0, 3);
			fs_free_clusters();
			fs_sync();
		}
		disk_check_pins();
	}
	free(copy);
	printf("%d of %s mounted\n", mounted, argv[3]);
	return 0;
}
