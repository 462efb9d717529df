// SPDX-License-Identifier: ISC
//
// scandir: the chosen entries of a directory, sorted; each entry takes no more of the heap than its name needs.
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct found {
	struct dirent **entry;
	int count, room;
};

static int keep(struct found *f, const struct dirent *e)
{
	size_t size = offsetof(struct dirent, d_name) + e->d_namlen + 1;

	if (f->count == f->room) {
		struct dirent **more = realloc(f->entry, (size_t)(f->room + 16) * sizeof *more);

		if (!more)
			return -1;
		f->entry = more;
		f->room += 16;
	}
	f->entry[f->count] = malloc(size);
	if (!f->entry[f->count])
		return -1;
	memcpy(f->entry[f->count++], e, size);
	return 0;
}

static int give_up(struct found *f, DIR *dir)
{
	while (f->count)
		free(f->entry[--f->count]);
	free(f->entry);
	closedir(dir);
	errno = ENOMEM;
	return -1;
}

int scandir(const char *path, struct dirent ***list, int (*choose)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
	struct found f = { NULL, 0, 0 };
	struct dirent *e;
	DIR *dir = opendir(path);

	if (!dir)
		return -1;
	while ((e = readdir(dir)))
		if ((!choose || choose(e)) && keep(&f, e) < 0)
			return give_up(&f, dir);
	closedir(dir);
	if (compare && f.count)
		qsort(f.entry, (size_t)f.count, sizeof *f.entry, (int (*)(const void *, const void *))compare);
	*list = f.entry;
	return f.count;
}

int alphasort(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}
