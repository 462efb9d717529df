// SPDX-License-Identifier: ISC
//
// ls: lists files. The names of a folder are collected on the heap and sorted; getdents tells size, time and mode, so
// that no file is opened.
#include "command.h"

#include <fcntl.h>
#include <grp.h>
#include <octix/octix.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALL = 1, LONG = 2, LINES = 4 };
enum { SCREEN = 80, NAME = 12 };

struct entry {
	struct entry *next;
	unsigned long size, mtime;
	unsigned short mode;
	unsigned char uid, gid;
	unsigned char length;
	char name[];
};

static unsigned options;

// A date as FAT has it (octix/date.h); the root has none.
static void print_date(unsigned long fat)
{
	unsigned day = (unsigned)(fat >> 16), minute = (unsigned)fat >> 5;

	if (!day)
		day = 1 << 5 | 1;
	printf("%u-%02u-%02u %02u:%02u", 1980 + (day >> 9), day >> 5 & 15, day & 31, minute >> 6 & 31, minute & 63);
}

static void keep_name(char *to, const char *name, unsigned id)
{
	if (name)
		snprintf(to, NAME, "%s", name);
	else
		snprintf(to, NAME, "%u", id);
}

// The names that were asked for last are kept: they come again in nearly every line.
static void print_owner(const struct entry *e)
{
	static char user[NAME], group[NAME];
	static int uid = -1, gid = -1;

	if (uid != e->uid) {
		const struct passwd *pw = getpwuid(e->uid);

		keep_name(user, pw ? pw->pw_name : NULL, e->uid);
		uid = e->uid;
	}
	if (gid != e->gid) {
		const struct group *gr = getgrgid(e->gid);

		keep_name(group, gr ? gr->gr_name : NULL, e->gid);
		gid = e->gid;
	}
	printf("%-8s %-8s ", user, group);
}

static void print_long(const struct entry *e)
{
	char mode[11] = "-rwxrwxrwx";

	mode[0] = S_ISDIR(e->mode) ? 'd' : S_ISCHR(e->mode) ? 'c' : S_ISFIFO(e->mode) ? 'p' : '-';
	for (int i = 0; i < 9; i++)
		if (!(e->mode & 0400 >> i))
			mode[i + 1] = '-';
	for (int i = 0; i < 3; i++) // set-uid, set-gid, sticky
		if (e->mode & 04000 >> i)
			mode[3 * i + 3] = (mode[3 * i + 3] == 'x' ? "sst" : "SST")[i];
	printf("%s ", mode);
	print_owner(e);
	printf("%8lu ", e->size);
	print_date(e->mtime);
	printf(" %s\n", e->name);
}

static struct entry *new_entry(const char *name, const struct oct_stat *st)
{
	size_t n = strlen(name);
	struct entry *e = malloc(sizeof *e + n + 1);

	if (!e) {
		complain(name);
		exit(FAILED);
	}
	e->size = st->size;
	e->mtime = st->mtime;
	e->mode = st->mode;
	e->uid = st->uid;
	e->gid = st->gid;
	e->length = (unsigned char)n;
	strcpy(e->name, name);
	return e;
}

// Merges two sorted lists.
static struct entry *merge(struct entry *a, struct entry *b)
{
	struct entry *first = NULL, **last = &first;

	while (a && b) {
		struct entry **less = strcmp(a->name, b->name) <= 0 ? &a : &b;

		*last = *less;
		last = &(*last)->next;
		*less = *last;
	}
	*last = a ? a : b;
	return first;
}

// Adds an entry to runs of 1, 2, 4.. sorted entries: a merge sort that needs no array.
static void add(struct entry *runs[16], struct entry *e)
{
	int i = 0;

	for (e->next = NULL; i < 15 && runs[i]; i++) {
		e = merge(runs[i], e);
		runs[i] = NULL;
	}
	runs[i] = runs[i] ? merge(runs[i], e) : e;
}

static struct entry *sorted(struct entry *runs[16])
{
	struct entry *all = NULL;

	for (int i = 0; i < 16; i++)
		all = merge(runs[i], all);
	return all;
}

// What a folder says of an entry; a directory on the card has to be asked itself for mode and owner.
static void describe(struct oct_stat *st, const char *folder, const struct oct_dirent *d)
{
	char path[PATH_BYTES];

	*st = (struct oct_stat){ .size = d->size, .mtime = d->mtime, .mode = d->mode, .uid = d->uid, .gid = d->gid };
	if (options & LONG && S_ISDIR(d->mode) && snprintf(path, sizeof path, "%s/%s", folder, d->name) < PATH_BYTES
	    && oct_stat(path, st) == 0)
		st->mtime = d->mtime;
}

static int read_folder(const char *path, struct entry *runs[16])
{
	static _Alignas(4) char batch[256];
	int fd = open(path, O_RDONLY), n;

	if (fd < 0)
		return complain(path);
	while ((n = getdents(fd, batch, sizeof batch)) > 0)
		for (int at = 0; at < n;) {
			const struct oct_dirent *d = (const struct oct_dirent *)(batch + at);

			at += d->reclen;
			if (d->name[0] != '.' || options & ALL) {
				struct oct_stat st;

				describe(&st, path, d);
				add(runs, new_entry(d->name, &st));
			}
		}
	close(fd);
	return n < 0 ? complain(path) : OK;
}

static void print_cell(const struct entry *e, unsigned width, int last)
{
	fputs(e->name, stdout);
	if (last)
		fputc('\n', stdout);
	else
		for (unsigned i = e->length; i < width; i++)
			fputc(' ', stdout);
}

// Columns as on paper: down first, as many as fit the screen.
static void print_columns(const struct entry *list)
{
	unsigned width = 0, count = 0, rows, columns;
	const struct entry *e;

	for (e = list; e; e = e->next, count++)
		if (e->length + 2u > width)
			width = e->length + 2u;
	if (!count)
		return;
	columns = width < SCREEN ? SCREEN / width : 1;
	rows = (count + columns - 1) / columns;
	for (unsigned row = 0; row < rows; row++, list = list->next)
		for (e = list; e;) {
			const struct entry *right = e;

			for (unsigned i = 0; right && i < rows; i++)
				right = right->next;
			print_cell(e, width, right == NULL);
			e = right;
		}
}

static void print_list(struct entry *list)
{
	if (!(options & (LONG | LINES))) {
		print_columns(list);
		return;
	}
	for (; list; list = list->next)
		if (options & LONG)
			print_long(list);
		else
			puts(list->name);
}

static void free_list(struct entry *list)
{
	while (list) {
		struct entry *next = list->next;

		free(list);
		list = next;
	}
}

static int list_folder(const char *path, int titled)
{
	static int later;
	struct entry *runs[16] = { NULL }, *list;
	int status;

	if (titled)
		printf("%s%s:\n", later ? "\n" : "", path);
	later = 1;
	status = read_folder(path, runs);
	list = sorted(runs);
	print_list(list);
	free_list(list);
	return status;
}

// Files among the operands come first, in one list.
static int list_files(char **operands)
{
	struct entry *runs[16] = { NULL }, *list;
	struct oct_stat st;
	int status = OK;

	for (; *operands; operands++)
		if (oct_stat(*operands, &st) < 0)
			status = complain(*operands);
		else if (!S_ISDIR(st.mode))
			add(runs, new_entry(*operands, &st));
	list = sorted(runs);
	print_list(list);
	free_list(list);
	return status;
}

COMMAND(ls, "[-al1] [FILE...]", "list files; -a: hidden too, -l: details")
{
	int status;

	options = parse(&argc, &argv, "al1");
	if (!(options & LONG) && !isatty(1))
		options |= LINES;
	if (argc == 0)
		return list_folder(".", 0);
	status = list_files(argv);
	for (; *argv; argv++)
		if (is_dir(*argv))
			status |= list_folder(*argv, argc > 1);
	return status;
}
