// SPDX-License-Identifier: ISC
//
// `oxpkg pack RECIPE ROOT OUTPUT`: makes a package from a tree of files. A step of distro/pkg/build.
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "image/util.h"
#include "package.h"
#include <octix/oxe.h>

static struct package *packing; // nftw has no context
static size_t root_length;

// is_of_every_image: folders that belong to the system, from distro/folders and what it implies.
static bool is_of_every_image(const char *path)
{
	static const char *const folders[] = {"/bin",  "/sbin", "/etc",       "/root", "/home",
	                                      "/tmp",  "/usr",  "/usr/share", "/var",  "/var/pkg"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!strcmp(folders[i], path))
			return true;
	return false;
}

// fill_file: contents, kind and mode; of the source's mode only the set-id bits count, so that no umask gets into a package.
static void fill_file(struct pkg_file *f, const char *source, mode_t mode)
{
	size_t bytes;
	f->data = (uint8_t *)read_file(source, &bytes);
	if (!f->data)
		die("%s: %s", source, strerror(errno));
	if (bytes > PKG_FILE_MAX)
		die("%s: too large for a package", source);
	f->size = (uint32_t)bytes;
	sha256_hex(f->data, bytes, f->sha256);
	f->kind = bytes >= 4 && !memcmp(f->data, OXE_MAGIC, 4) ? KIND_PROGRAM : KIND_FILE;
	if (f->kind == KIND_PROGRAM)
		check_program(f->data, bytes, "oxpkg pack", f->path);
	f->mode = (f->kind == KIND_PROGRAM ? 0755 : 0644) | (mode & (S_ISUID | S_ISGID));
}

static int visit(const char *source, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	const char *path = source + root_length;
	struct pkg_file f = {.mode = 0755, .kind = KIND_DIR, .sha256 = "-"};
	if (!*path || (type == FTW_D && is_of_every_image(path)))
		return 0;
	if (type != FTW_D && (type != FTW_F || !S_ISREG(st->st_mode)))
		die("%s: neither a file nor a folder; FAT holds nothing else", source);
	f.path = xstrdup(path);
	if (type == FTW_F)
		fill_file(&f, source, st->st_mode);
	packing->files = xrealloc(packing->files, (packing->count + 1) * sizeof f);
	packing->files[packing->count++] = f;
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct pkg_file *)a)->path, ((const struct pkg_file *)b)->path);
}

// recipe_field: NAME=VALUE of a recipe.
static char *recipe_field(const char *text, const char *name)
{
	char *key = xprintf("\n%s=", name);
	const char *at = strstr(text, key);
	if (!at)
		die("recipe without '%s='", name);
	at += strlen(key);
	free(key);
	return xprintf("%.*s", (int)strcspn(at, "\n"), at);
}

int cmd_pack(int argc, char **argv)
{
	if (argc != 4)
		usage_error("pack RECIPE ROOT OUTPUT");
	struct package p = {.origin = argv[1], .abi = OXE_ABI}, check;
	char *recipe = read_file(argv[1], NULL);
	if (!recipe)
		die("%s: %s", argv[1], strerror(errno));
	p.name = recipe_field(recipe, "name");
	p.version = recipe_field(recipe, "version");
	p.depends = recipe_field(recipe, "depends");
	p.conflicts = recipe_field(recipe, "conflicts");
	p.license = recipe_field(recipe, "license");
	packing = &p;
	root_length = strlen(argv[2]);
	if (nftw(argv[2], visit, 16, FTW_PHYS))
		die("%s: %s", argv[2], strerror(errno));
	qsort(p.files, p.count, sizeof *p.files, by_path);
	p.text = manifest_format(&p);
	manifest_parse(&check, xstrdup(p.text), argv[1]); // what we write, we would take
	package_write(&p, argv[3]);
	package_free(&check), package_free(&p), free(recipe);
	return 0;
}
