// SPDX-License-Identifier: ISC
//
// The subcommands that only look: info, ls, cat, get, check.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "edit.h"
#include "fat.h"
#include "oximage.h"
#include "util.h"

static void open_image(struct fat *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	fat_open(f, fd, path);
}

static void close_image(struct fat *f)
{
	fat_close(f);
	close(f->fd);
}

static void want_arguments(int argc, char **argv, int least, int most)
{
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '-' && argv[i][1])
			usage_error("unknown option '%s'", argv[i]);
	if (argc - 1 < least)
		usage_error("too few arguments");
	if (argc - 1 > most)
		usage_error("too many arguments");
}

struct totals {
	unsigned files, folders, fragmented;
	uint32_t swap;
};

static void add_up(const struct fat *f, const char *path, const struct fat_entry *e, void *context)
{
	struct totals *t = context;
	(void)path;
	if (e->attr & ATTR_DIR) {
		t->folders++;
		return;
	}
	t->files++;
	t->fragmented += fat_runs(f, e->cluster) > 1;
	if (e->attr & ATTR_SYSTEM)
		t->swap += e->size;
}

int cmd_info(int argc, char **argv)
{
	struct fat f;
	struct totals t = {0};
	want_arguments(argc, argv, 1, 1);
	open_image(&f, argv[1]);
	fat_walk(&f, "/", add_up, &t);
	uint32_t kib = fat_cluster_bytes(&f) / 512;
	unsigned data = f.start + f.data_sector;
	printf("image        %s\n", argv[1]);
	printf("layout       %s, file system at sector %u\n", f.mbr ? "MBR" : "no MBR", f.start);
	printf("file system  FAT%d, label '%s', volume id %08X\n", f.bits, f.label, f.id);
	printf("size         %u KiB, %u clusters of %u bytes\n", f.sectors / 2, f.clusters, fat_cluster_bytes(&f));
	printf("free         %u KiB, %u KiB in one piece\n", fat_free_clusters(&f) * kib / 2, fat_largest_run(&f) * kib / 2);
	printf("data area    from sector %u%s\n", data, data % 8192 ? " (not on a 4 MiB boundary: slower on cards)" : "");
	printf("contents     %u files, %u folders, %u files in more than one piece\n", t.files, t.folders, t.fragmented);
	printf("swap         %u KiB\n", t.swap / 1024);
	close_image(&f);
	return 0;
}

struct listing {
	bool details, below;
	size_t prefix; // characters of the path not to print
};

static void print_mode(const struct fat_entry *e, unsigned mode)
{
	char text[] = "-rwxrwxrwx";
	if (e->attr & ATTR_DIR)
		*text = 'd';
	for (int i = 0; i < 9; i++)
		if (!(mode & 0400u >> i))
			text[i + 1] = '-';
	for (int i = 0; i < 3; i++) // set-uid, set-gid, sticky
		if (mode & 04000u >> i)
			text[3 * i + 3] = (char)(text[3 * i + 3] == 'x' ? "sst"[i] : "SST"[i]);
	printf("%s ", text);
}

static void print_details(const struct fat *f, const struct fat_entry *e)
{
	struct owner o;
	fat_owner(f, e, &o);
	print_mode(e, o.mode);
	printf("%3u %3u %10u %04u-%02u-%02u %02u:%02u ", o.uid, o.gid, e->size, 1980u + (e->date >> 9), e->date >> 5 & 15u, e->date & 31u,
	       (unsigned)e->time >> 11, e->time >> 5 & 63u);
}

static void list_entry(const struct fat *f, const char *path, const struct fat_entry *e, void *context)
{
	const struct listing *l = context;
	const char *name = path + l->prefix;
	if (!l->below && strchr(name, '/'))
		return;
	if (l->details)
		print_details(f, e);
	printf("%s%s\n", name, e->attr & ATTR_DIR ? "/" : "");
}

int cmd_ls(int argc, char **argv)
{
	struct listing l = {0};
	struct fat f;
	for (int option; (option = getopt(argc, argv, "lR")) != -1;) {
		if (option == '?')
			usage_error("wrong option");
		*(option == 'l' ? &l.details : &l.below) = true;
	}
	argc -= optind - 1, argv += optind - 1;
	want_arguments(argc, argv, 1, 2);
	open_image(&f, argv[1]);
	const char *path = argc > 2 ? argv[2] : "/";
	struct fat_entry e;
	size_t n = strlen(path);
	while (n && path[n - 1] == '/')
		n--;
	char *from = xprintf("%.*s", (int)n, path);
	if (!fat_find(&f, from, &e))
		die("%s: no such file or directory: %s", argv[1], path);
	l.prefix = e.attr & ATTR_DIR ? n + 1 : 0;
	fat_walk(&f, *from ? from : "/", list_entry, &l);
	free(from);
	close_image(&f);
	return 0;
}

static uint8_t *load(const struct fat *f, const char *path, struct fat_entry *e)
{
	if (!fat_find(f, path, e))
		die("%s: no such file: %s", f->name, path);
	if (e->attr & ATTR_DIR)
		die("%s: %s is a directory", f->name, path);
	return fat_read_file(f, e);
}

int cmd_cat(int argc, char **argv)
{
	struct fat f;
	struct fat_entry e;
	want_arguments(argc, argv, 2, 2);
	open_image(&f, argv[1]);
	uint8_t *data = load(&f, argv[2], &e);
	if (fwrite(data, 1, e.size, stdout) != e.size || fflush(stdout))
		die("cannot write: %s", strerror(errno));
	free(data);
	close_image(&f);
	return 0;
}

int cmd_get(int argc, char **argv)
{
	struct fat f;
	struct fat_entry e;
	struct stat st;
	want_arguments(argc, argv, 2, 3);
	open_image(&f, argv[1]);
	uint8_t *data = load(&f, argv[2], &e);
	const char *slash = strrchr(argv[2], '/'), *base = slash ? slash + 1 : argv[2];
	char *dest = xstrdup(argc > 3 ? argv[3] : base);
	if (stat(dest, &st) == 0 && S_ISDIR(st.st_mode)) {
		char *folder = dest;
		dest = xprintf("%s/%s", folder, base);
		free(folder);
	}
	write_file(dest, data, e.size);
	free(dest), free(data);
	close_image(&f);
	return 0;
}

int cmd_check(int argc, char **argv)
{
	struct fat f;
	struct totals t = {0};
	want_arguments(argc, argv, 1, 1);
	open_image(&f, argv[1]);
	unsigned findings = fat_check(&f);
	if (!fsck_fat(&f)) {
		printf("%s: fsck.fat finds faults (above)\n", argv[1]);
		findings++;
	}
	if (findings == 0) {
		fat_walk(&f, "/", add_up, &t);
		printf("%s: clean: %u files, programs and swap in one piece\n", argv[1], t.files);
	}
	close_image(&f);
	return findings ? EXIT_FAILED : 0;
}
