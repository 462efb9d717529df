// SPDX-License-Identifier: ISC
//
// Random operations on an image, compared with a model in memory: fsrandom IMAGE SEED COUNT. Each is left for the card now and then, and runs again. At the end, and after each
// remount on the way, every file and directory must be as the model has it, and both FATs equal. Exit status 0: all well.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "path.h"
#include "drivers/sd.h"
#include "fs/fat.h"
#include "vm/pool.h"

#define NODES 120
#define HANDLES 4
#define LIMIT 200000 // bytes of a file

struct object {
	char path[128];
	bool used, dir;
	uint8_t *data;
	uint32_t size;
	int open; // handles
	bool linked;
};

static struct object objects[NODES];
static struct { struct file *f; struct object *o; } handles[HANDLES];
static const char *const names[] = {
	"a", "b.c", "readme.txt", "UPPER.TXT", "Mixed.Case", ".profile", "x.tar.gz", "a rather long file name, number 1.text",
	"a rather long file name, number 2.text", "thirteenchars", "exactly twenty-six chars.x", "gr\303\266\303\237e",
	"\346\227\245\346\234\254\350\252\236\343\201\256\343\203\225\343\202\241\343\202\244\343\203\253", "smile \360\237\230\200.bin",
	"semi;colon=[1]", "two  blanks", "no.ext.", "q?",
};
static long step;

static void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "step %ld: ", step);
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(1);
}

static void expect(const char *what, const char *path, int got, int want)
{
	if (got == -OX_ENOSPC)
		return;
	if (got != want)
		fail("%s %s: %d, not %d", what, path, got, want);
}

static struct object *lookup(const char *path)
{
	for (struct object *o = objects; o < objects + NODES; o++)
		if (o->used && o->linked && !strcmp(o->path, path))
			return o;
	return NULL;
}

static struct object *free_object(void)
{
	for (struct object *o = objects; o < objects + NODES; o++)
		if (!o->used)
			return o;
	return NULL;
}

static struct object *any(bool want_dir)
{
	struct object *o = objects + rand() % NODES;

	return o->used && o->linked && o->dir == want_dir ? o : NULL;
}

static bool has_children(const struct object *d)
{
	size_t n = strlen(d->path);

	for (struct object *o = objects; o < objects + NODES; o++)
		if (o->used && o->linked && !strncmp(o->path, d->path, n) && o->path[n] == '/')
			return true;
	return false;
}

// A path in a random directory, with a random name; false: too long.
static bool new_path(char *out)
{
	struct object *d = any(true);
	char name[64];

	if (rand() % 3)
		snprintf(name, sizeof name, "%s", names[rand() % (int)(sizeof names / sizeof *names)]);
	else
		snprintf(name, sizeof name, "numbered file with a long name %d", rand() % 60);
	return snprintf(out, 128, "%s/%s", d ? d->path : "", name) < 120;
}

static bool valid(const char *path)
{
	size_t n = strlen(path);

	return path[n - 1] != '.' && path[n - 1] != '?';
}

static uint8_t *map(struct file *f, uint32_t pos, bool write, int16_t *len)
{
	uint8_t *p;

	CALL(p, file_map(f, pos, write, len));
	return p;
}

// The end of the file is mapped for writing, and then nothing is written.
static void write_nothing(struct file *f)
{
	int16_t len;
	uint8_t *p = map(f, f->size, true, &len);

	if (p)
		block_put(p - (f->size & 511));
	else if (len != -OX_ENOSPC)
		fail("write nothing: %d", len);
	if (p)
		file_trim(f);
}

// Zeros from the end of the file to `size`, or, when they do not fit, none.
static void fill(struct file *f, struct object *o, uint32_t size)
{
	int8_t result;

	while ((result = file_fill(f, size)) == FILL_ON)
		;
	if (result && (result != -OX_ENOSPC || f->size != o->size))
		fail("fill %s: %d, %u bytes", o->path, result, f->size);
	if (f->size > o->size) {
		o->data = realloc(o->data, f->size);
		memset(o->data + o->size, 0, f->size - o->size);
		o->size = f->size;
	}
}

// Writes n random bytes or some more at offset `at`; the model's size and bytes follow what was accepted.
static void write_at(struct file *f, struct object *o, uint32_t at, uint32_t n)
{
	int16_t len;

	if (rand() % 4 == 0) // up to the end of a cluster
		n += -(at + n) & 4095;
	fill(f, o, at);
	if (f->size < at)
		return;
	while (n) {
		uint8_t *p = map(f, at, true, &len);

		if (!p) {
			if (len != -OX_ENOSPC)
				fail("write %s: %d", o->path, len);
			return;
		}
		uint8_t *block = p - (at & 511);
		uint32_t part = (uint32_t)len < n ? (uint32_t)len : n;

		if (at + part > o->size) {
			o->data = realloc(o->data, at + part);
			o->size = at + part;
		}
		for (uint32_t i = 0; i < part; i++)
			o->data[at + i] = p[i] = (uint8_t)rand();
		block_dirty(block);
		block_put(block);
		at += part;
		n -= part;
		file_wrote(f, at);
	}
	if (rand() % 2)
		write_nothing(f);
}

// Reads ahead of the block at `at`, which has just been mapped. Its successor's sector, as far as that is known; 0: not.
static uint32_t read_ahead(struct file *f, uint32_t at)
{
	uint32_t reads = disk_reads;

	disk_ahead = 0;
	f->pos = at;
	file_ahead(f);
	if (disk_reads != reads)
		fail("read ahead: the FAT is read for it");
	return disk_ahead;
}

static unsigned aheads;

static void compare(struct file *f, const struct object *o)
{
	int16_t len;
	uint32_t at = 0, ahead = 0;

	if (f->size != o->size)
		fail("%s: %u bytes, not %u", o->path, f->size, o->size);
	for (;;) {
		uint8_t *p = map(f, at, false, &len);

		if (!p)
			break;
		if (memcmp(p, o->data + at, (size_t)len))
			fail("%s: wrong bytes near %u", o->path, at);
		if (ahead && ahead != disk_last)
			fail("%s: sector %u was read ahead, %u is the next", o->path, ahead, disk_last);
		aheads += ahead != 0;
		ahead = read_ahead(f, at);
		block_put(p - (at & 511));
		at += (uint32_t)len;
	}
	if (ahead)
		fail("%s: sector %u was read ahead, behind its end", o->path, ahead);
	if (len || at != o->size)
		fail("%s: ends at %u with %d", o->path, at, len);
}

static void drop(struct object *o)
{
	if (o->open || o->linked)
		return;
	free(o->data);
	memset(o, 0, sizeof *o);
}

static void do_open(void)
{
	char path[128];
	int i = rand() % HANDLES;
	struct object *o = any(false);
	uint32_t flags = OX_O_RDWR | (rand() % 4 ? 0 : OX_O_TRUNC) | OX_O_CREAT;
	int result;

	if (handles[i].f) {
		handles[i].o->open--;
		drop(handles[i].o);
		result = fs_close(handles[i].f);
		handles[i].f = NULL;
		if (result)
			fail("close: %d", result);
		return;
	}
	if (o && rand() % 2)
		strcpy(path, o->path);
	else if (!new_path(path))
		return;
	o = lookup(path);
	if (!o && !free_object())
		return;
	CALL(result, fs_open(path, 0, flags, 0644, &handles[i].f));
	if (result)
		handles[i].f = NULL;
	expect("open", path, result, !valid(path) ? -OX_EINVAL : o && o->dir ? -OX_EISDIR : 0);
	if (result)
		return;
	if (!o) {
		o = free_object();
		strcpy(o->path, path);
		o->used = o->linked = true;
	}
	if (flags & OX_O_TRUNC)
		o->size = 0;
	o->open++;
	handles[i].o = o;
}

static void do_write(void)
{
	int i = rand() % HANDLES;
	uint32_t at;

	if (!handles[i].f)
		return;
	at = rand() % 2 ? handles[i].o->size : (uint32_t)rand() % (handles[i].o->size + (rand() % 8 ? 1 : 30000));
	if (at < LIMIT)
		write_at(handles[i].f, handles[i].o, at, (uint32_t)rand() % (rand() % 4 ? 700 : 20000));
}

static void do_truncate(void)
{
	int i = rand() % HANDLES, result;
	struct object *o = handles[i].o;
	uint32_t size;

	if (!handles[i].f)
		return;
	size = rand() % 3 ? (uint32_t)rand() % (o->size + 1) : o->size + (uint32_t)rand() % 9000;
	if (rand() % 4 == 0)
		size &= ~511u; // between two blocks
	if (rand() % 8 == 0)
		size = 0;
	while ((result = fs_truncate(handles[i].f, size)) == FILL_ON)
		;
	expect("truncate", o->path, result, 0);
	size = handles[i].f->size;
	o->data = realloc(o->data, size + 1);
	if (size > o->size)
		memset(o->data + o->size, 0, size - o->size);
	o->size = size;
}

static void do_unlink(void)
{
	struct object *o = any(rand() % 6 == 0);
	int result;

	if (!o)
		return;
	CALL(result, fs_unlink(o->path, 0));
	expect("unlink", o->path, result, o->dir ? -OX_EISDIR : 0);
	if (result)
		return;
	o->linked = false;
	drop(o);
}

static void do_mkdir(void)
{
	char path[128];
	struct object *o = free_object();
	int result;

	if (!o || !new_path(path))
		return;
	CALL(result, fs_mkdir(path, 0, 0755));
	expect("mkdir", path, result, lookup(path) ? -OX_EEXIST : valid(path) ? 0 : -OX_EINVAL);
	if (result)
		return;
	strcpy(o->path, path);
	o->used = o->linked = o->dir = true;
}

static void do_rmdir(void)
{
	struct object *o = any(rand() % 6 != 0);
	int result;

	if (!o)
		return;
	CALL(result, fs_rmdir(o->path, 0));
	expect("rmdir", o->path, result, !o->dir ? -OX_ENOTDIR : has_children(o) ? -OX_ENOTEMPTY : 0);
	if (result)
		return;
	o->linked = false;
	drop(o);
}

static int rename_outcome(const struct object *from, const char *to, const struct object *there)
{
	size_t n = strlen(from->path);

	if (from == there)
		return 0;
	if (from->dir && !strncmp(to, from->path, n) && to[n] == '/')
		return -OX_EINVAL;
	if (!there)
		return valid(to) ? 0 : -OX_EINVAL;
	if (from->dir != there->dir)
		return from->dir ? -OX_ENOTDIR : -OX_EISDIR;
	return there->dir && has_children(there) ? -OX_ENOTEMPTY : 0;
}

static void do_rename(void)
{
	char to[128], old[128], rest[128];
	struct object *o = any(rand() % 2), *there;
	int result, longest = 0;
	size_t n;

	if (!o || !new_path(to))
		return;
	n = strlen(o->path);
	for (struct object *c = objects; c < objects + NODES; c++)
		if (c->used && c->linked && !strncmp(c->path, o->path, n) && (int)strlen(c->path + n) > longest)
			longest = (int)strlen(c->path + n);
	if (strlen(to) + (size_t)longest > 119)
		return;
	there = lookup(to);
	CALL(result, fs_rename(o->path, to, 0));
	expect("rename", to, result, rename_outcome(o, to, there));
	if (result || o == there)
		return;
	if (there) {
		there->linked = false;
		drop(there);
	}
	strcpy(old, o->path);
	for (struct object *c = objects; c < objects + NODES; c++)
		if (c->used && c->linked && !strncmp(c->path, old, n) && (!c->path[n] || c->path[n] == '/')) {
			strcpy(rest, c->path + n);
			strcat(strcpy(c->path, to), rest);
		}
}

static int16_t next_entry(struct file *f, struct oct_dirent *out, uint8_t room)
{
	int16_t n;

	CALL(n, fs_readdir(f, out, room));
	return n;
}

// The entries of an open directory, from its start.
static unsigned count_entries(struct file *f, const char *dir)
{
	union { struct oct_dirent d; uint8_t room[144]; } u;
	char path[300];
	int16_t n;
	unsigned seen = 0;

	f->pos = 0;
	while ((n = next_entry(f, &u.d, sizeof u.room)) > 0) {
		if (!strcmp(u.d.name, ".") || !strcmp(u.d.name, ".."))
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, u.d.name);
		if (!lookup(path))
			fail("unexpected %s", path);
		seen++;
	}
	if (n)
		fail("readdir: %d", n);
	return seen;
}

static void check_children(const char *dir)
{
	struct file *f;
	unsigned seen, want = 0;
	size_t len = strlen(dir);

	if (fs_open(*dir ? dir : "/", 0, OX_O_RDONLY, 0, &f))
		fail("cannot open %s", dir);
	seen = count_entries(f, dir);
	if (count_entries(f, dir) != seen)
		fail("%s: not the same entries after rewinding", dir);
	fs_close(f);
	for (struct object *o = objects; o < objects + NODES; o++)
		if (o->used && o->linked && !strncmp(o->path, dir, len) && o->path[len] == '/' && !strchr(o->path + len + 1, '/'))
			want++;
	if (seen != want)
		fail("%s: %u entries, not %u", dir, seen, want);
}

static void check_fats(void)
{
	for (uint32_t i = 0; vol.mirror && i < vol.fat_size; i++) {
		uint8_t copy[512], *block = block_get(vol.fat + i);

		memcpy(copy, block, 512);
		block_put(block);
		block = block_get(vol.fat + vol.fat_size + i);
		if (memcmp(copy, block, 512))
			fail("the FATs differ in sector %u", i);
		block_put(block);
	}
}

static void check_all(void)
{
	struct file *f;
	char cwd[128];
	uint32_t dir;
	int result;

	check_children("");
	for (struct object *o = objects; o < objects + NODES; o++) {
		if (!o->used || !o->linked)
			continue;
		if (!o->dir) {
			CALL(result, fs_open(o->path, 0, OX_O_RDONLY, 0, &f));
			if (result)
				fail("cannot open %s", o->path);
			compare(f, o);
			fs_close(f);
			continue;
		}
		check_children(o->path);
		CALL(result, fs_chdir(o->path, 0, &dir));
		if (result || !path_of(dir, cwd, sizeof cwd) || strcmp(cwd, o->path))
			fail("getcwd: %s, not %s", cwd, o->path);
	}
}

// All is on the card after a sync: start from the card alone.
static void remount(void)
{
	for (int i = 0; i < HANDLES; i++)
		if (handles[i].f) {
			compare(handles[i].f, handles[i].o);
			handles[i].o->open--;
			drop(handles[i].o);
			if (fs_close(handles[i].f))
				fail("close");
			handles[i].f = NULL;
		}
	uint32_t free_now = fs_free_clusters();
	if (fs_sync())
		fail("sync");
	disk_drop();
	if (fs_mount())
		fail("mount");
	vol.free = FREE_UNKNOWN;
	if (fs_free_clusters() != free_now)
		fail("free clusters: %u counted, %u kept", fs_free_clusters(), free_now);
	check_fats();
	check_all();
}

int main(int argc, char **argv)
{
	static void (*const operations[])(void) = {
		do_open, do_open, do_open, do_write, do_write, do_write, do_write, do_truncate, do_unlink, do_mkdir, do_rmdir, do_rename,
		do_rename,
	};

	if (argc != 4)
		return 2;
	srand((unsigned)atoi(argv[2]));
	disk_open(argv[1]);
	if (fs_mount())
		fail("mount");
	for (step = 0; step < atol(argv[3]); step++) {
		operations[rand() % (int)(sizeof operations / sizeof *operations)]();
		disk_check_pins();
		if (rand() % 300 == 0)
			remount();
	}
	remount();
	printf("pins %u, %u blocks read ahead, %u times left\n", disk_most_pinned, aheads, disk_times_left);
	return aheads && disk_times_left ? 0 : 1;
}
