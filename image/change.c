// SPDX-License-Identifier: ISC
//
// The subcommands that change an image: put, rm, mkdir; all work through edit.h. And owners, a step of image/build.
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edit.h"
#include "fat.h"
#include "oximage.h"
#include "util.h"
#include <octix/oxe.h>

#define FAT_FILE_MAX 0xFFFFFFFFull

// How new files and folders shall be.
struct wish {
	bool flag;           // the subcommand's own option
	bool mode, owner;    // were they given?
	struct owner is;
};

static uint8_t parse_id(const char *text, const char *end)
{
	unsigned id = 0;
	for (const char *p = text; p < end; p++)
		if (*p < '0' || *p > '9' || (id = id * 10 + (unsigned)(*p - '0')) > OWNER_MAX)
			usage_error("--owner wants numbers from 0 to %d, USER or USER:GROUP, not '%s'", OWNER_MAX, text);
	if (text == end)
		usage_error("--owner wants USER or USER:GROUP");
	return (uint8_t)id;
}

static void parse_owner(struct wish *w, const char *text)
{
	const char *colon = strchrnul(text, ':');
	w->owner = true;
	w->is.uid = w->is.gid = parse_id(text, colon);
	if (*colon)
		w->is.gid = parse_id(colon + 1, colon + strlen(colon));
}

static void parse_mode(struct wish *w, const char *text)
{
	char *end;
	unsigned long mode = strtoul(text, &end, 8);
	if (*text < '0' || *text > '7' || *end || mode > OWNER_MODE)
		usage_error("--mode wants an octal number up to 7777, not '%s'", text);
	w->mode = true;
	w->is.mode = (uint16_t)mode;
}

// parse_options: a subcommand's options, `flag` its own letter or ""; its arguments then start at argv[1].
static struct wish parse_options(int *argc, char ***argv, const char *flag)
{
	static const struct option names[] = {{"mode", required_argument, NULL, 'M'}, {"owner", required_argument, NULL, 'O'}, {0}};
	struct wish w = {0};
	for (int option; (option = getopt_long(*argc, *argv, flag, names, NULL)) != -1;) {
		if (option == '?')
			usage_error("wrong option");
		else if (option == 'M')
			parse_mode(&w, optarg);
		else if (option == 'O')
			parse_owner(&w, optarg);
		else
			w.flag = true;
	}
	*argc -= optind - 1, *argv += optind - 1;
	return w;
}

// wished: `usual`, but for what was asked for.
static struct owner wished(const struct wish *w, struct owner usual)
{
	if (w->mode)
		usual.mode = w->is.mode;
	if (w->owner)
		usual.uid = w->is.uid, usual.gid = w->is.gid;
	return usual;
}

static bool is_program(const char *data, size_t bytes)
{
	return bytes >= 4 && memcmp(data, OXE_MAGIC, 4) == 0;
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
static void put_file(struct fat *f, const char *source, const char *path, const struct wish *w)
{
	struct fat_entry old, parent;
	const char *base;
	size_t bytes;
	char *data = read_file(source, &bytes);
	if (!data)
		die("%s: %s", source, strerror(errno));
	if (bytes > FAT_FILE_MAX)
		die("%s: too large for FAT", source);
	bool program_file = is_program(data, bytes);
	struct owner o = {.mode = program_file ? 0755 : 0644};
	fat_parent_of(f, path, &parent, &base);
	if (fat_find(f, path, &old) && strcmp(old.name, base) == 0) {
		if (old.attr & ATTR_DIR)
			die("%s: %s is a directory", f->name, path);
		refuse_system(f, path, &old);
		struct owner before;
		if (fat_owner(f, &old, &before))
			o = before;
		fat_remove(f, &old);
	}
	o = wished(w, o);
	if (!fat_add(f, path, data, (uint32_t)bytes, ATTR_ARCHIVE, program_file ? PLACE_CONTIGUOUS : PLACE_ANY, &o))
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
	struct wish w = parse_options(&argc, &argv, "");
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
		put_file(&e.fat, argv[i], path, &w);
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
	struct wish w = parse_options(&argc, &argv, "r");
	if (argc < 3)
		usage_error("too few arguments");
	if (w.mode || w.owner)
		usage_error("--mode and --owner have no meaning here");
	edit_begin(&e, argv[1]);
	for (int i = 2; i < argc; i++) {
		struct fat_entry found;
		if (!fat_find(&e.fat, argv[i], &found))
			die("%s: no such file or directory: %s", argv[1], argv[i]);
		if (!strcmp(found.name, "/"))
			die("%s: the root directory stays", argv[1]);
		remove_tree(&e.fat, argv[i], &found, w.flag);
	}
	edit_commit(&e);
	return 0;
}

static void make_folder(struct fat *f, const char *path, const struct owner *o)
{
	if (!fat_mkdir(f, path, o))
		no_space(f, path, fat_cluster_bytes(f), false);
}

// make_folders: a path with all its parents.
static void make_folders(struct fat *f, const char *path, const struct owner *o)
{
	struct fat_entry found;
	for (size_t n = strspn(path, "/"); path[n];) {
		n += strcspn(path + n, "/");
		char *part = xprintf("%.*s", (int)n, path);
		if (!fat_find(f, part, &found))
			make_folder(f, part, o);
		else if (!(found.attr & ATTR_DIR))
			die("%s: %s is a file", f->name, part);
		free(part);
		n += strspn(path + n, "/");
	}
}

int cmd_mkdir(int argc, char **argv)
{
	struct edit e;
	struct wish w = parse_options(&argc, &argv, "p");
	struct owner o = wished(&w, (struct owner){.mode = 0755});
	if (argc < 3)
		usage_error("too few arguments");
	edit_begin(&e, argv[1]);
	for (int i = 2; i < argc; i++) {
		size_t n = strlen(argv[i]);
		while (n > 1 && argv[i][n - 1] == '/')
			argv[i][--n] = 0;
		(w.flag ? make_folders : make_folder)(&e.fat, argv[i], &o);
	}
	edit_commit(&e);
	return 0;
}

// ---- owners IMAGE TABLE: a step of image/build

static bool program_entry(const struct fat *f, const struct fat_entry *e)
{
	char magic[4];
	return e->size >= sizeof magic && try_read_at(f->fd, magic, sizeof magic, fat_cluster_offset(f, e->cluster)) &&
	       is_program(magic, sizeof magic);
}

static void usual_owner(const struct fat *f, const char *path, const struct fat_entry *e, void *context)
{
	struct owner o;
	(void)path, (void)context;
	if (fat_owner(f, e, &o))
		return;
	o.mode = (e->attr & ATTR_DIR) || program_entry(f, e) ? 0755 : 0644;
	fat_set_owner(f, e, &o);
}

// own_line: PATH MODE USER GROUP; a path that is not in the image is passed over.
static void own_line(const struct fat *f, const char *line, const char *table)
{
	struct fat_entry e;
	char path[256];
	unsigned mode, uid, gid;
	if (sscanf(line, "%255s %o %u %u", path, &mode, &uid, &gid) != 4 || mode > OWNER_MODE || uid > OWNER_MAX || gid > OWNER_MAX)
		die("%s: not PATH MODE USER GROUP: '%s'", table, line);
	if (fat_find(f, path, &e))
		fat_set_owner(f, &e, &(struct owner){(uint8_t)uid, (uint8_t)gid, (uint16_t)mode});
}

// Everything that has no owner becomes root's, folders and programs 0755, other files 0644; then the lines of the table.
int cmd_owners(int argc, char **argv)
{
	struct fat f;
	if (argc != 3)
		usage_error("owners IMAGE TABLE");
	int fd = open(argv[1], O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("%s: %s", argv[1], strerror(errno));
	char *text = read_file(argv[2], NULL), *state;
	if (!text)
		die("%s: %s", argv[2], strerror(errno));
	fat_open(&f, fd, argv[1]);
	fat_walk(&f, "/", usual_owner, NULL);
	for (char *line = strtok_r(text, "\n", &state); line; line = strtok_r(NULL, "\n", &state))
		if (*line == '/')
			own_line(&f, line, argv[2]);
	free(text);
	fat_close(&f);
	return close(fd) ? EXIT_FAILED : 0;
}
