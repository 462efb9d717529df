// SPDX-License-Identifier: ISC
//
// See disk.h. The pool is as small as on the board with the least memory, and takes a victim at random.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk.h"
#include "drivers/sd.h"
#include "fs/fs.h"
#include "kernel/clock.h"
#include "vm/pool.h"

#define BLOCKS 5
#define PINS 3

static struct {
	uint32_t lba;
	bool valid, dirty;
	uint8_t pins;
	uint8_t *data; // of its own, so that the sanitizer sees the ends
} pool[BLOCKS];

static int fd = -1;
uint32_t sd_sectors;
uint32_t disk_refuse;
bool card_restart;
jmp_buf disk_left;
unsigned disk_leaves, disk_times_left;
uint32_t disk_reads, disk_writes, disk_budget = UINT32_MAX, host_text_busy;
uint8_t disk_most_pinned;
uint32_t disk_last, disk_ahead;

static void stop(const char *why)
{
	fprintf(stderr, "disk: %s\n", why);
	abort();
}

void disk_open(const char *path)
{
	struct stat st;

	fd = open(path, O_RDWR);
	if (fd < 0 || fstat(fd, &st)) {
		perror(path);
		exit(2);
	}
	sd_sectors = (uint32_t)(st.st_size >> 9);
	for (int i = 0; i < BLOCKS; i++)
		if (!pool[i].data)
			pool[i].data = malloc(512);
	disk_drop();
	disk_reads = disk_writes = 0;
	disk_budget = UINT32_MAX;
}

void disk_close(void)
{
	close(fd);
}

void disk_drop(void)
{
	for (int i = 0; i < BLOCKS; i++) {
		pool[i].valid = pool[i].dirty = false;
		pool[i].pins = 0;
	}
}

void disk_check_pins(void)
{
	for (int i = 0; i < BLOCKS; i++)
		if (pool[i].pins)
			stop("a block is left pinned");
}

static void spend(void)
{
	if (!disk_budget--) {
		fprintf(stderr, "disk: does not come to an end\n");
		abort();
	}
}

static int8_t write_sector(const uint8_t *data, uint32_t lba)
{
	spend();
	disk_writes++;
	if ((disk_refuse && !--disk_refuse) || lba >= sd_sectors)
		return -OX_EIO;
	return pwrite(fd, data, 512, (off_t)lba << 9) == 512 ? 0 : -OX_EIO;
}

static int slot_of(uint32_t lba)
{
	for (int i = 0; i < BLOCKS; i++)
		if (pool[i].valid && pool[i].lba == lba)
			return i;
	return -1;
}

static int slot_at(const uint8_t *block)
{
	for (int i = 0; i < BLOCKS; i++)
		if (pool[i].valid && pool[i].data == block)
			return i;
	stop("no block of the pool");
	return -1;
}

static uint8_t *pin(int i)
{
	uint8_t n = 0;

	pool[i].pins++;
	for (int k = 0; k < BLOCKS; k++)
		n += pool[k].pins != 0;
	if (n > PINS)
		stop("too many blocks pinned");
	if (n > disk_most_pinned)
		disk_most_pinned = n;
	return pool[i].data;
}

// Writes a block; it stays dirty when that fails.
static int8_t clean(int i)
{
	int8_t result = write_sector(pool[i].data, pool[i].lba);

	pool[i].dirty = result != 0;
	return result;
}

static int victim(uint32_t lba)
{
	int i;

	do
		i = rand() % BLOCKS;
	while (pool[i].pins || (pool[i].valid && pool[i].dirty && clean(i)));
	pool[i].lba = lba;
	pool[i].valid = true;
	pool[i].dirty = false;
	return i;
}

// The card makes the caller wait: as in the kernel, the block comes, and what has asked for it is run again.
static void leave(void)
{
	if (!card_restart || !disk_leaves || rand() % 2)
		return;
	for (int i = 0; i < BLOCKS; i++)
		pool[i].pins = 0;
	disk_leaves--;
	disk_times_left++;
	longjmp(disk_left, 1);
}

uint8_t *block_get(uint32_t lba)
{
	int i = slot_of(lba);

	spend();
	disk_last = lba;
	if (i >= 0)
		return pin(i);
	if (lba >= sd_sectors)
		return NULL;
	i = victim(lba);
	disk_reads++;
	if (pread(fd, pool[i].data, 512, (off_t)lba << 9) != 512) {
		pool[i].valid = false;
		return NULL;
	}
	leave();
	return pin(i);
}

uint8_t *block_new(uint32_t lba)
{
	int i = slot_of(lba);

	if (lba >= sd_sectors)
		return NULL;
	if (i < 0) {
		leave(); // a frame has to be written
		i = victim(lba);
	}
	card_restart = false;
	memset(pool[i].data, 0, 512);
	pool[i].dirty = true;
	return pin(i);
}

bool block_here(uint32_t lba)
{
	return slot_of(lba) >= 0;
}

// It comes at once, into a place whose block need not be written.
void block_ahead(uint32_t lba)
{
	int i;

	disk_ahead = lba;
	if (lba >= sd_sectors)
		stop("a block beyond the card is read ahead");
	for (i = 0; i < BLOCKS; i++)
		if (!pool[i].pins && !pool[i].dirty)
			break;
	if (block_here(lba) || i == BLOCKS)
		return;
	pool[i].lba = lba;
	pool[i].valid = pread(fd, pool[i].data, 512, (off_t)lba << 9) == 512;
}

void block_dirty(uint8_t *block)
{
	card_restart = false;
	pool[slot_at(block)].dirty = true;
}

int8_t block_write(uint8_t *block, uint32_t lba)
{
	int i = slot_at(block);

	card_restart = false;
	return pool[i].lba == lba ? clean(i) : write_sector(block, lba);
}

void block_put(uint8_t *block)
{
	int i = slot_at(block);

	if (!pool[i].pins--)
		stop("put without get");
}

int8_t block_flush(void)
{
	int8_t result = 0;

	for (int i = 0; i < BLOCKS; i++)
		if (pool[i].valid && pool[i].dirty) {
			if (clean(i))
				result = -OX_EIO;
			leave();
		}
	return result;
}

void block_forget(uint32_t first, uint32_t count)
{
	for (int i = 0; i < BLOCKS; i++)
		if (pool[i].valid && pool[i].lba - first < count)
			pool[i].valid = pool[i].dirty = false;
}

int8_t sd_flush(void)
{
	return 0;
}

uint32_t clock_wall(void)
{
	return 1767225600; // 2026-01-01
}

struct user host_user = { .umask = 022 };

const struct user *fs_user(void)
{
	return &host_user;
}

bool text_busy(uint32_t first)
{
	return first == host_text_busy;
}

// ---- what the kernel provides: no nodes

uint32_t node_find(uint32_t dir, const char *name)
{
	(void)dir;
	(void)name;
	return NODE_NONE;
}

bool node_next(uint32_t dir, uint8_t *i, uint32_t *number, char *name)
{
	(void)dir;
	(void)i;
	(void)number;
	(void)name;
	return false;
}

bool node_check(uint32_t number)
{
	(void)number;
	return false;
}

const char *text_at(const char *texts, uint8_t n)
{
	while (n--)
		texts += strlen(texts) + 1;
	return texts;
}
