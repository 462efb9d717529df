// SPDX-License-Identifier: ISC
//
// `octix image write`: puts an image on a card. It refuses everything but a removable (or USB, or SD slot) whole block device that
// nobody uses, asks, opens it exclusively, writes, and reads back. The first sector goes last: an interrupted card has none.
// Anything that can't be found out is a reason to refuse.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device.h"
#include "fat.h"
#include "oximage.h"
#include "util.h"

#define CHUNK (4u << 20)

struct target {
	const char *path; // as given
	char *sys;        // its folder in sysfs
	const char *name; // last part of it: "sdb"
	dev_t number;
};

// ---- sysfs

// sys_line: first line of a small file, or NULL.
static char *sys_line(const char *folder, const char *file)
{
	char *path = xprintf("%s/%s", folder, file), *line = NULL;
	size_t room = 0;
	FILE *in = fopen(path, "r");
	free(path);
	if (!in)
		return NULL;
	if (getline(&line, &room, in) < 0) {
		free(line);
		line = NULL;
	} else {
		line[strcspn(line, "\n")] = 0;
	}
	fclose(in);
	return line;
}

static bool sys_is(const char *folder, const char *file, const char *value)
{
	char *line = sys_line(folder, file);
	bool same = line && strcmp(line, value) == 0;
	free(line);
	return same;
}

static bool sys_exists(const char *folder, const char *file)
{
	char *path = xprintf("%s/%s", folder, file);
	bool there = access(path, F_OK) == 0;
	free(path);
	return there;
}

static void find_target(struct target *t, const char *path)
{
	struct stat st;
	t->path = path;
	if (stat(path, &st))
		die("%s: %s", path, strerror(errno));
	if (!device_is_block(&st))
		die("%s: not a block device", path);
	t->number = device_number(&st);
	char *link = xprintf("%s/dev/block/%u:%u", device_sysfs(), major(t->number), minor(t->number));
	t->sys = realpath(link, NULL);
	if (!t->sys)
		die("%s: not found in %s, so nothing is known about it", path, device_sysfs());
	t->name = strrchr(t->sys, '/') + 1;
	free(link);
}

// ---- what is refused

static bool is_hotplug(const struct target *t)
{
	if (sys_is(t->sys, "removable", "1") || strstr(t->sys, "/usb"))
		return true;
	return strstr(t->sys, "/mmc_host/") && sys_is(t->sys, "device/type", "SD");
}

static void refuse_kind(const struct target *t, uint64_t image_bytes)
{
	if (sys_exists(t->sys, "partition"))
		die("%s: a partition; give the whole device", t->path);
	if (!is_hotplug(t))
		die("%s: neither removable nor on USB nor an SD card: not written", t->path);
	if (!sys_is(t->sys, "ro", "0"))
		die("%s: write-protected", t->path);
	char *size = sys_line(t->sys, "size");
	uint64_t bytes = size ? strtoull(size, NULL, 10) * SECTOR : 0;
	free(size);
	if (bytes == 0)
		die("%s: no card in it", t->path);
	if (bytes < image_bytes)
		die("%s: too small: it has %llu MiB, the image %llu", t->path, (unsigned long long)(bytes >> 20),
		    (unsigned long long)(image_bytes >> 20));
}

// in_use: does a mount or a swap area use this device number?
static bool is_mounted(dev_t number)
{
	FILE *in = fopen(device_mountinfo(), "r");
	char *line = NULL, source[PATH_MAX];
	size_t room = 0;
	bool used = false;
	if (!in)
		die("%s: cannot tell what is mounted: %s", device_mountinfo(), strerror(errno));
	while (getline(&line, &room, in) > 0) {
		unsigned a = 0, b = 0;
		struct stat st;
		if (sscanf(line, "%*d %*d %u:%u", &a, &b) == 2 && makedev(a, b) == number)
			used = true;
		const char *tail = strstr(line, " - "); // type, source, options; btrfs has numbers of its own
		if (tail && sscanf(tail, " - %*s %4095s", source) == 1 && source[0] == '/' && stat(source, &st) == 0 &&
		    device_is_block(&st) && device_number(&st) == number)
			used = true;
	}
	free(line);
	fclose(in);
	return used;
}

static bool is_swap(dev_t number)
{
	FILE *in = fopen(device_swaps(), "r");
	char line[PATH_MAX], *end;
	bool used = false;
	struct stat st;
	while (in && fgets(line, sizeof line, in)) {
		if ((end = strpbrk(line, " \t")))
			*end = 0;
		used = used || (line[0] == '/' && stat(line, &st) == 0 && device_is_block(&st) && device_number(&st) == number);
	}
	if (in)
		fclose(in);
	return used;
}

static bool has_holders(const char *sys)
{
	char *path = xprintf("%s/holders", sys);
	DIR *dir = opendir(path);
	bool any = false;
	for (struct dirent *e; dir && (e = readdir(dir));)
		any = any || e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	free(path);
	return any;
}

static void refuse_used(const struct target *t, const char *sys, const char *name)
{
	unsigned a, b;
	char *number = sys_line(sys, "dev");
	if (!number || sscanf(number, "%u:%u", &a, &b) != 2)
		die("%s: %s has no device number", t->path, name);
	free(number);
	if (is_mounted(makedev(a, b)))
		die("%s: %s is mounted; unmount it first", t->path, name);
	if (is_swap(makedev(a, b)))
		die("%s: %s is used as swap", t->path, name);
	if (has_holders(sys))
		die("%s: %s is used by another device (RAID, LVM, encryption)", t->path, name);
}

// refuse_all_used: the device and each of its partitions.
static void refuse_all_used(const struct target *t)
{
	refuse_used(t, t->sys, t->name);
	DIR *dir = opendir(t->sys);
	if (!dir)
		die("%s: %s", t->sys, strerror(errno));
	for (struct dirent *e; (e = readdir(dir));) {
		char *sys = xprintf("%s/%s", t->sys, e->d_name);
		if (e->d_name[0] != '.' && sys_exists(sys, "partition"))
			refuse_used(t, sys, e->d_name);
		free(sys);
	}
	closedir(dir);
}

// ---- the image

static int open_image_file(const char *path, uint64_t *bytes)
{
	struct fat f;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("%s: not a regular file", path);
	fat_open(&f, fd, path);
	fat_close(&f);
	if (st.st_size % SECTOR)
		die("%s: not a whole number of sectors", path);
	*bytes = (uint64_t)st.st_size;
	return fd;
}

static void compare_sum(int fd, const char *path, uint64_t bytes)
{
	char *sum_path = xprintf("%s.sha256", path), *sum = read_file(sum_path, NULL), hex[SHA256_HEX];
	if (sum) {
		sha256_fd(fd, 0, (off_t)bytes, hex, path);
		if (strncmp(sum, hex, SHA256_HEX - 1))
			die("%s: does not have the sum in %s: damaged, or changed by another program", path, sum_path);
	}
	free(sum), free(sum_path);
}

// ---- writing

static void confirm(const struct target *t, const char *image)
{
	char line[256];
	char *model = sys_line(t->sys, "device/model"), *size = sys_line(t->sys, "size");
	unsigned long long mib = size ? strtoull(size, NULL, 10) / 2048 : 0;
	printf("%s: %s, %llu MiB. Everything on it will be lost.\nType %s to write %s: ", t->path, model ? model : "card", mib, t->name, image);
	fflush(stdout);
	free(model), free(size);
	if (!fgets(line, sizeof line, stdin))
		line[0] = 0;
	line[strcspn(line, "\n")] = 0;
	if (strcmp(line, t->name))
		die("nothing was written");
}

static int open_exclusive(const struct target *t, uint64_t bytes)
{
	struct stat st;
	int fd = open(t->path, O_RDWR | O_EXCL | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", t->path, errno == EBUSY ? "in use" : strerror(errno));
	if (fstat(fd, &st) || !device_is_block(&st) || device_number(&st) != t->number)
		die("%s: became another device", t->path);
	if (device_bytes(fd) < bytes)
		die("%s: too small", t->path);
	return fd;
}

static void progress(const char *what, uint64_t done, uint64_t all)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%s %3u %%%s", what, (unsigned)(done * 100 / all), done == all ? "\n" : "");
}

static void *aligned_chunk(void)
{
	void *p;
	if (posix_memalign(&p, 4096, CHUNK))
		die("out of memory");
	return p;
}

static void write_device(int from, int to, uint64_t bytes, const char *image, const char *device)
{
	uint8_t *buf = aligned_chunk(), first[SECTOR];
	read_at(from, first, SECTOR, 0, image);
	for (uint64_t at = 0; at < bytes; at += CHUNK) {
		size_t n = bytes - at < CHUNK ? (size_t)(bytes - at) : CHUNK;
		read_at(from, buf, n, (off_t)at, image);
		if (at == 0)
			memset(buf, 0, SECTOR);
		write_at(to, buf, n, (off_t)at, device);
		progress("writing", at + n, bytes);
	}
	if (fsync(to))
		die("%s: %s", device, strerror(errno));
	write_at(to, first, SECTOR, 0, device);
	if (fsync(to))
		die("%s: %s", device, strerror(errno));
	free(buf);
}

// open_direct: past the page cache where that is possible.
static int open_direct(const char *device)
{
	int fd = open(device, O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (fd < 0)
		fd = open(device, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", device, strerror(errno));
	return fd;
}

static void compare_device(int from, int written, uint64_t bytes, const char *image, const char *device)
{
	uint8_t *want = aligned_chunk(), *have = aligned_chunk();
	device_forget_cache(written);
	int fd = open_direct(device);
	for (uint64_t at = 0; at < bytes; at += CHUNK) {
		size_t n = bytes - at < CHUNK ? (size_t)(bytes - at) : CHUNK;
		read_at(from, want, n, (off_t)at, image);
		read_at(fd, have, n, (off_t)at, device);
		for (size_t i = 0; i < n; i += SECTOR)
			if (memcmp(want + i, have + i, SECTOR))
				die("%s: sector %llu reads back different: the card is bad, or not as large as it says", device,
				    (unsigned long long)((at + i) / SECTOR));
		progress("reading", at + n, bytes);
	}
	close(fd);
	free(want), free(have);
}

static bool take_yes(int *argc, char ***argv)
{
	static const struct option options[] = {{"yes", no_argument, NULL, 'y'}, {0}};
	bool yes = false;
	for (int option; (option = getopt_long(*argc, *argv, "", options, NULL)) != -1; yes = true)
		if (option == '?')
			usage_error("wrong option");
	*argc -= optind - 1, *argv += optind - 1;
	return yes;
}

int cmd_write(int argc, char **argv)
{
	struct target t;
	uint64_t bytes;
	bool yes = take_yes(&argc, &argv);
	if (argc != 3)
		usage_error("write takes an image and a device");
	const char *image = argv[1];
	int from = open_image_file(image, &bytes);
	find_target(&t, argv[2]);
	refuse_kind(&t, bytes);
	refuse_all_used(&t);
	compare_sum(from, image, bytes);
	if (!yes)
		confirm(&t, image);
	int to = open_exclusive(&t, bytes);
	refuse_all_used(&t); // whatever happened while the question stood
	write_device(from, to, bytes, image, t.path);
	compare_device(from, to, bytes, image, t.path);
	device_reread_partitions(to);
	close(to), close(from);
	free(t.sys);
	printf("%s: %llu MiB written and read back\n", t.path, (unsigned long long)(bytes >> 20));
	return 0;
}
