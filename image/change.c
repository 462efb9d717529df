// SPDX-License-Identifier: ISC
//
// The subcommands that change an image: put, rm, mkdir. All work through edit.h.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edit.h"
#include "fat.h"
#include "oximage.h"
#include "util.h"

#define FAT_FILE_MAX 0xFFFFFFFFull

// one_flag: a subcommand's only option; its arguments then start at argv[1].
static bool one_flag(int *argc, char ***argv, const char *flag)
{
	bool given = false;
	for (int option; (option = getopt(*argc, *argv, flag)) != -1; given = true)
		if (option == '?')
			usage_error("wrong option");
	*argc -= optind - 1, *argv += optind - 1;
	return given;
}

static void no_space(const struct fat *f, const char *path, size_t bytes, bool contiguous)
{
	uint64_t step = fat_cluster_bytes(f), free_bytes = fat_free_clusters(f) * step;
	if (contiguous && bytes <= free_bytes)
		die("%s: %s: a program must lie in one piece; the largest free piece has %llu of %zu bytes (rebuild the image, or "
		    "delete files beside it)",
		    f->name, path, (unsigned long long)(fat_largest_run(f) * step), bytes);
	die("%s: %s: no space (%zu bytes wanted, %llu free)", f->name, path, bytes, (unsigned long long)free_bytes);
}

static void refuse_system(const struct fat *f, const char *path, const struct fat_entry *e)
{
	if (e->attr & ATTR_SYSTEM)
		die("%s: %s belongs to the kernel", f->name, path);
}

// put_file: one file of this machine to a path of the image, replacing a file of exactly that name.
static void put_file(struct fat *f, const char *source, const char *path)
{
	struct fat_entry old, parent;
	const char *base;
	size_t bytes;
	char *data = read_file(source, &bytes);
	if (!data)
		die("%s: %s", source, strerror(errno));
	if (bytes > FAT_FILE_MAX)
		die("%s: too large for FAT", source);
	fat_parent_of(f, path, &parent, &base);
	if (fat_find(f, path, &old) && strcmp(old.name, base) == 0) {
		if (old.attr & ATTR_DIR)
			die("%s: %s is a directory", f->name, path);
		refuse_system(f, path, &old);
		fat_remove(f, &old);
	}
	bool program_file = bytes >= 4 && memcmp(data, "OXE\x1a", 4) == 0;
	if (!fat_add(f, path, data, (uint32_t)bytes, ATTR_ARCHIVE, program_file ? PLACE_CONTIGUOUS : PLACE_ANY))
		no_space(f, path, bytes, program_file);
	free(data);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

int cmd_put(int argc, char **argv)
{
	struct edit e;
	struct fat_entry dest;
	one_flag(&argc, &argv, "");
	if (argc < 4)
		usage_error("too few arguments");
	const char *to = argv[argc - 1];
	for (int i = 2; i < argc - 1; i++)
		if (access(argv[i], R_OK))
			die("%s: %s", argv[i], strerror(errno));
	edit_begin(&e, argv[1]);
	bool folder = fat_find(&e.fat, to, &dest) && (dest.attr & ATTR_DIR);
	if (!folder && (argc > 4 || to[strlen(to) - 1] == '/'))
		die("%s: no directory %s", argv[1], to);
	for (int i = 2; i < argc - 1; i++) {
		size_t n = strlen(to);
		while (n && to[n - 1] == '/')
			n--;
		char *path = folder ? xprintf("%.*s/%s", (int)n, to, base_name(argv[i])) : xstrdup(to);
		put_file(&e.fat, argv[i], path);
		free(path);
	}
	edit_commit(&e);
	return 0;
}

static void remove_tree(struct fat *f, const char *path, const struct fat_entry *e, bool recursive)
{
	refuse_system(f, path, e);
	if (e->attr & ATTR_DIR) {
		struct fat_dir d = fat_dir_load(f, e->cluster);
		struct fat_entry child;
		for (uint32_t slot = 0; fat_dir_next(&d, &slot, &child);) {
			if (!recursive)
				die("%s: %s is not empty (rm -r)", f->name, path);
			char *below = xprintf("%s/%s", path, child.name);
			remove_tree(f, below, &child, true);
			free(below);
		}
		fat_dir_free(&d);
	}
	fat_remove(f, e);
}

int cmd_rm(int argc, char **argv)
{
	struct edit e;
	bool recursive = one_flag(&argc, &argv, "r");
	if (argc < 3)
		usage_error("too few arguments");
	edit_begin(&e, argv[1]);
	for (int i = 2; i < argc; i++) {
		struct fat_entry found;
		if (!fat_find(&e.fat, argv[i], &found))
			die("%s: no such file or directory: %s", argv[1], argv[i]);
		if (!strcmp(found.name, "/"))
			die("%s: the root directory stays", argv[1]);
		remove_tree(&e.fat, argv[i], &found, recursive);
	}
	edit_commit(&e);
	return 0;
}

static void make_folder(struct fat *f, const char *path)
{
	if (!fat_mkdir(f, path))
		no_space(f, path, fat_cluster_bytes(f), false);
}

// make_folders: a path with all its parents.
static void make_folders(struct fat *f, const char *path)
{
	struct fat_entry found;
	for (size_t n = strspn(path, "/"); path[n];) {
		n += strcspn(path + n, "/");
		char *part = xprintf("%.*s", (int)n, path);
		if (!fat_find(f, part, &found))
			make_folder(f, part);
		else if (!(found.attr & ATTR_DIR))
			die("%s: %s is a file", f->name, part);
		free(part);
		n += strspn(path + n, "/");
	}
}

int cmd_mkdir(int argc, char **argv)
{
	struct edit e;
	bool parents = one_flag(&argc, &argv, "p");
	if (argc < 3)
		usage_error("too few arguments");
	edit_begin(&e, argv[1]);
	for (int i = 2; i < argc; i++) {
		size_t n = strlen(argv[i]);
		while (n > 1 && argv[i][n - 1] == '/')
			argv[i][--n] = 0;
		(parents ? make_folders : make_folder)(&e.fat, argv[i]);
	}
	edit_commit(&e);
	return 0;
}
