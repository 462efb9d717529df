// SPDX-License-Identifier: ISC
//
// The kernel's file system on an image file, driven by commands: fstool IMAGE < script. One line a command, one or more
// lines of answer; numbers below 0 are errors. For the BATS suite.
//
//   mount | ls DIR | cat FILE | put FILE SOURCE | append FILE TEXT | rm FILE | mkdir DIR | rmdir DIR | mv FROM TO
//   own PATH (user:group mode) | access PATH BITS | chmod PATH MODE | chown PATH USER:GROUP | touch PATH DATE | user USER:GROUP | umask MASK
//   truncate FILE SIZE | stat PATH | extent FILE | cd DIR | pwd | sync | free | busy CLUSTER | cut |
//   refuse N (the Nth write from now on)

#include <inttypes.h>
#include <octix/date.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "path.h"
#include "fs/fs.h"
#include "kernel/phrases.h"
#include "vm/pool.h"

static uint32_t cwd;

static void say(int result)
{
	printf("%d\n", result);
}

static int write_all(struct file *f, FILE *in)
{
	int16_t len;
	int c = getc(in);

	while (c != EOF) {
		uint8_t *p = file_map(f, f->pos, true, &len);

		if (!p)
			return len;
		uint8_t *block = p - (f->pos & 511);

		for (; len && c != EOF; len--, f->pos++, c = getc(in))
			*p++ = (uint8_t)c;
		block_dirty(block);
		block_put(block);
		file_wrote(f, f->pos);
	}
	return 0;
}

static void do_put(char *path, char *source, uint32_t flags)
{
	struct file *f;
	FILE *in = flags & OX_O_APPEND ? fmemopen(source, strlen(source), "r") : fopen(source, "r");
	int result = fs_open(path, cwd, OX_O_WRONLY | OX_O_CREAT | flags, 0666, &f);

	if (!result) {
		f->pos = flags & OX_O_APPEND ? f->size : 0;
		result = write_all(f, in);
		int closed = fs_close(f);
		result = result ? result : closed;
	}
	fclose(in);
	say(result);
}

static void do_cat(char *path)
{
	struct file *f;
	int16_t len;
	uint8_t *p;
	int result = fs_open(path, cwd, OX_O_RDONLY, 0, &f);

	if (result) {
		say(result);
		return;
	}
	while ((p = file_map(f, f->pos, false, &len))) {
		fwrite(p, 1, (size_t)len, stdout);
		block_put(p - (f->pos & 511));
		f->pos += (uint32_t)len;
	}
	fs_close(f);
	if (len)
		say(len);
}

static void do_ls(char *path)
{
	struct file *f;
	union { struct oct_dirent d; uint8_t room[144]; } u;
	int16_t n;
	int result = fs_open(path, cwd, OX_O_RDONLY, 0, &f);

	if (result) {
		say(result);
		return;
	}
	while ((n = fs_readdir(f, &u.d, sizeof u.room)) > 0)
		printf("%s%s %" PRIu32 "\n", u.d.name, (u.d.mode & OX_S_IFMT) == OX_S_IFDIR ? "/" : "", u.d.size);
	if (n)
		say(n);
	fs_close(f);
}

static void do_truncate(char *path, uint32_t size)
{
	struct file *f;
	int result = fs_open(path, cwd, OX_O_RDWR, 0, &f);

	if (!result) {
		while ((result = fs_truncate(f, size)) == FILL_ON)
			;
		fs_close(f);
	}
	say(result);
}

static void do_extent(char *path)
{
	struct file *f;
	uint32_t lba = 0;
	int result = fs_open(path, cwd, OX_O_RDONLY, 0, &f);

	if (!result) {
		result = fs_extent(&f->node, &lba);
		fs_close(f);
	}
	if (result)
		say(result);
	else
		printf("%" PRIu32 "\n", lba);
}

// A message of the kernel, with its phrases.
static void print_text(const char *text)
{
	for (; *text; text++)
		if (*text <= T_LAST)
			fputs(text_at(PHRASES, (uint8_t)(*text - 1)), stdout);
		else
			putchar(*text);
	putchar('\n');
}

static void do_stat(char *path)
{
	struct oct_stat st;
	int result = fs_stat(path, cwd, &st);

	if (result)
		say(result);
	else
		printf("%o %" PRIu32 " %" PRIu32 "\n", st.mode, st.size, oct_date_seconds(st.mtime));
}

static void do_own(char *path)
{
	struct oct_stat st;
	int result = fs_stat(path, cwd, &st);

	if (result)
		say(result);
	else
		printf("%u:%u %o\n", st.uid, st.gid, st.mode & OWNER_MODE);
}

// USER:GROUP
static void do_chown(char *path, const char *ids)
{
	struct owner to = { .mode = OWNER_KEEP };

	sscanf(ids, "%hhu:%hhu", &to.uid, &to.gid);
	say(fs_change(path, cwd, &to));
}

static void run(char *command, char *a, char *b)
{
	char path[128];

	if (!strcmp(command, "ls"))
		do_ls(a);
	else if (!strcmp(command, "cat"))
		do_cat(a);
	else if (!strcmp(command, "put"))
		do_put(a, b, OX_O_TRUNC);
	else if (!strcmp(command, "append"))
		do_put(a, b, OX_O_APPEND);
	else if (!strcmp(command, "rm"))
		say(fs_unlink(a, cwd));
	else if (!strcmp(command, "mkdir"))
		say(fs_mkdir(a, cwd, 0777));
	else if (!strcmp(command, "rmdir"))
		say(fs_rmdir(a, cwd));
	else if (!strcmp(command, "mv"))
		say(fs_rename(a, b, cwd));
	else if (!strcmp(command, "truncate"))
		do_truncate(a, (uint32_t)strtoul(b, NULL, 0));
	else if (!strcmp(command, "stat"))
		do_stat(a);
	else if (!strcmp(command, "own"))
		do_own(a);
	else if (!strcmp(command, "access"))
		say(fs_access(a, cwd, (uint8_t)atoi(b)));
	else if (!strcmp(command, "chmod"))
		say(fs_change(a, cwd, &(struct owner){ .mode = (uint16_t)strtoul(b, NULL, 8) }));
	else if (!strcmp(command, "chown"))
		do_chown(a, b);
	else if (!strcmp(command, "touch"))
		say(fs_utime(a, cwd, (uint32_t)strtoul(b, NULL, 0)));
	else if (!strcmp(command, "user"))
		sscanf(a, "%hhu:%hhu", &host_user.uid, &host_user.gid);
	else if (!strcmp(command, "umask"))
		host_user.umask = (uint16_t)strtoul(a, NULL, 8);
	else if (!strcmp(command, "extent"))
		do_extent(a);
	else if (!strcmp(command, "cd"))
		say(fs_chdir(a, cwd, &cwd));
	else if (!strcmp(command, "pwd"))
		printf("%s\n", path_of(cwd, path, sizeof path) ? path : "?");
	else if (!strcmp(command, "sync"))
		say(fs_sync());
	else if (!strcmp(command, "free"))
		printf("%" PRIu32 "\n", fs_free_clusters());
	else if (!strcmp(command, "busy"))
		host_text_busy = (uint32_t)strtoul(a, NULL, 0);
	else if (!strcmp(command, "refuse"))
		disk_refuse = (uint32_t)strtoul(a, NULL, 0);
	else if (!strcmp(command, "cut"))
		disk_drop();
	else
		printf("? %s\n", command);
	disk_check_pins();
}

int main(int argc, char **argv)
{
	char line[600];
	int code;

	if (argc != 2)
		return 2;
	disk_open(argv[1]);
	code = fs_mount();
	if (code) {
		print_text(fs_error_text((int8_t)code));
		return 1;
	}
	while (fgets(line, sizeof line, stdin)) {
		char *command, *a, *b;

		line[strcspn(line, "\n")] = 0;
		command = strtok(line, "|");
		a = strtok(NULL, "|");
		b = strtok(NULL, "|");
		if (command)
			run(command, a ? a : "", b ? b : "");
	}
	return 0;
}
