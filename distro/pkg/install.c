// SPDX-License-Identifier: ISC
//
// `octix pkg add | remove | list`: packages in an image. All changes of one command are one edit (image/edit.h): the image is the old one or
// the new one. The database is the manifests themselves, /var/pkg/NAME, verbatim.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/edit.h"
#include "image/util.h"
#include "package.h"
#include <octix/oxe.h>

struct database {
	struct package *packages;
	size_t count;
};

static void load_database(const struct fat *f, struct database *db)
{
	struct fat_entry folder, e;
	*db = (struct database){0};
	if (!fat_find(f, PKG_DATABASE, &folder) || !(folder.attr & ATTR_DIR))
		die("%s: has no %s", f->name, PKG_DATABASE);
	struct fat_dir d = fat_dir_load(f, folder.cluster);
	for (uint32_t slot = 0; fat_dir_next(&d, &slot, &e);) {
		if (e.attr & ATTR_DIR)
			continue;
		struct package p;
		char *origin = xprintf("%s: %s/%s", f->name, PKG_DATABASE, e.name);
		manifest_parse(&p, (char *)fat_read_file(f, &e), origin);
		if (strcasecmp(p.name, e.name))
			die("%s: is the manifest of %s", origin, p.name);
		db->packages = xrealloc(db->packages, (db->count + 1) * sizeof p);
		db->packages[db->count++] = p;
	}
	fat_dir_free(&d);
}

static void free_database(struct database *db)
{
	for (size_t i = 0; i < db->count; i++) {
		free((char *)db->packages[i].origin);
		package_free(&db->packages[i]);
	}
	free(db->packages);
}

static struct package *find_package(const struct database *db, const char *name)
{
	for (size_t i = 0; i < db->count; i++)
		if (!strcmp(db->packages[i].name, name))
			return &db->packages[i];
	return NULL;
}

// ---- add

static void check_conflicts(const struct database *db, const struct package *p)
{
	for (size_t i = 0; i < db->count; i++) {
		const struct package *other = &db->packages[i];
		if (has_word(p->conflicts, other->name) || has_word(other->conflicts, p->name))
			die("%s: %s conflicts with %s, which is installed", p->origin, p->name, other->name);
	}
}

static void check_depends(const struct database *db, const struct package *p)
{
	char *list = xstrdup(p->depends), *state;
	for (char *word = strtok_r(list, " ", &state); word; word = strtok_r(NULL, " ", &state))
		if (!find_package(db, word))
			die("%s: %s needs %s, which is not installed", p->origin, p->name, word);
	free(list);
}

static void add_file(struct fat *f, const struct package *p, const struct pkg_file *file)
{
	struct fat_entry e;
	bool there = fat_find(f, file->path, &e);
	struct owner o = {.mode = (uint16_t)file->mode}; // root's
	if (file->kind == KIND_DIR) {
		if (there && !(e.attr & ATTR_DIR))
			die("%s: %s is a file in the image", p->origin, file->path);
		if (!there && !fat_mkdir(f, file->path, &o))
			die("%s: %s: no space", p->origin, file->path);
		return;
	}
	if (there)
		die("%s: %s is in the image already", p->origin, file->path);
	if (!fat_add(f, file->path, file->data, file->size, ATTR_ARCHIVE, PLACE_CONTIGUOUS, &o))
		die("%s: %s: no free space in one piece (%u bytes)", p->origin, file->path, file->size);
}

// add_package: its files, then its manifest.
static void add_package(struct fat *f, struct database *db, const char *path)
{
	struct package p;
	package_read(&p, path);
	if (p.abi != OXE_ABI)
		die("%s: made for ABI %u; this is ABI %u", path, p.abi, OXE_ABI);
	const struct package *old = find_package(db, p.name);
	if (old)
		die("%s: %s %s is installed already", path, old->name, old->version);
	check_conflicts(db, &p);
	for (size_t i = 0; i < p.count; i++)
		add_file(f, &p, &p.files[i]);
	char *record = xprintf("%s/%s", PKG_DATABASE, p.name);
	if (!fat_add(f, record, p.text, (uint32_t)strlen(p.text), ATTR_ARCHIVE, PLACE_CONTIGUOUS, &(struct owner){.mode = 0644}))
		die("%s: no space for the manifest", path);
	free(record);
	p.origin = xstrdup(path);
	db->packages = xrealloc(db->packages, (db->count + 1) * sizeof p);
	db->packages[db->count++] = p;
}

int cmd_add(const char *image, int argc, char **argv)
{
	struct edit e;
	struct database db;
	if (argc < 2)
		usage_error("which package?");
	edit_begin(&e, image);
	load_database(&e.fat, &db);
	size_t before = db.count;
	for (int i = 1; i < argc; i++)
		add_package(&e.fat, &db, argv[i]);
	for (size_t i = before; i < db.count; i++)
		check_depends(&db, &db.packages[i]);
	edit_commit(&e);
	free_database(&db);
	return 0;
}

// ---- remove

static void check_needed(const struct database *db, const struct package *p, int argc, char **argv)
{
	for (size_t i = 0; i < db->count; i++) {
		bool goes = false;
		for (int k = 1; k < argc; k++)
			goes = goes || !strcmp(argv[k], db->packages[i].name);
		if (!goes && has_word(db->packages[i].depends, p->name))
			die("%s is needed by %s", p->name, db->packages[i].name);
	}
}

static bool is_empty(const struct fat *f, uint32_t cluster)
{
	struct fat_dir d = fat_dir_load(f, cluster);
	struct fat_entry e;
	uint32_t slot = 0;
	bool empty = !fat_dir_next(&d, &slot, &e);
	fat_dir_free(&d);
	return empty;
}

// owned_by_other: does another installed package list this folder?
static bool owned_by_other(const struct database *db, const struct package *p, const char *path)
{
	for (size_t i = 0; i < db->count; i++)
		for (size_t k = 0; k < db->packages[i].count && &db->packages[i] != p; k++)
			if (!strcmp(db->packages[i].files[k].path, path))
				return true;
	return false;
}

// remove_package: files in reverse order, so that folders are empty when their turn comes; the manifest last.
static void remove_package(struct fat *f, const struct database *db, struct package *p)
{
	struct fat_entry e;
	for (size_t i = p->count; i--;) {
		const struct pkg_file *file = &p->files[i];
		bool folder = file->kind == KIND_DIR, there = fat_find(f, file->path, &e);
		if (!there || folder != !!(e.attr & ATTR_DIR))
			warn("%s: was gone already", file->path);
		else if (!folder || (is_empty(f, e.cluster) && !owned_by_other(db, p, file->path)))
			fat_remove(f, &e);
	}
	char *record = xprintf("%s/%s", PKG_DATABASE, p->name);
	if (fat_find(f, record, &e))
		fat_remove(f, &e);
	free(record);
	for (size_t i = 0; i < p->count; i++)
		*p->files[i].path = 0; // owns nothing any more
}

int cmd_remove(const char *image, int argc, char **argv)
{
	struct edit e;
	struct database db;
	if (argc < 2)
		usage_error("which package?");
	edit_begin(&e, image);
	load_database(&e.fat, &db);
	for (int i = 1; i < argc; i++) {
		struct package *p = find_package(&db, argv[i]);
		if (!p)
			die("%s is not installed", argv[i]);
		check_needed(&db, p, argc, argv);
	}
	for (int i = 1; i < argc; i++)
		remove_package(&e.fat, &db, find_package(&db, argv[i]));
	edit_commit(&e);
	free_database(&db);
	return 0;
}

// ---- list

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct package *)a)->name, ((const struct package *)b)->name);
}

int cmd_list(const char *image, int argc, char **argv)
{
	struct fat f;
	struct database db;
	(void)argv;
	if (argc > 1)
		usage_error("list takes no arguments");
	int fd = open(image, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", image, strerror(errno));
	fat_open(&f, fd, image);
	load_database(&f, &db);
	if (db.count)
		qsort(db.packages, db.count, sizeof *db.packages, by_name);
	for (size_t i = 0; i < db.count; i++)
		printf("%s %s\n", db.packages[i].name, db.packages[i].version);
	free_database(&db);
	fat_close(&f);
	close(fd);
	return 0;
}
