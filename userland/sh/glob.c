// SPDX-License-Identifier: ISC
//
// Patterns: * ? [set] [!set], a backslash takes the next character literally. Expansion goes through a path component
// by component; the part already fixed stands in one buffer.
#include "sh.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 128 };

int is_pattern(const char *word)
{
	for (; *word; word++)
		if (*word == '\\' && word[1])
			word++;
		else if (*word == '*' || *word == '?' || *word == '[')
			return 1;
	return 0;
}

void unescape(char *word)
{
	char *out = word;

	for (; *word; word++) {
		if (*word == '\\' && word[1])
			word++;
		*out++ = *word;
	}
	*out = 0;
}

// The set behind a [: whether c is in it; *end is set behind the ], or to NULL when there is none.
static int in_set(const char *set, char c, const char **end)
{
	int negated = *set == '!', found = 0;
	const char *first = set += negated;

	for (; *set && (*set != ']' || set == first); set++) {
		char low, high;

		set += *set == '\\' && set[1];
		low = high = *set;
		if (set[1] == '-' && set[2] && set[2] != ']') {
			set += 2;
			high = *set;
		}
		found |= low <= c && c <= high;
	}
	*end = *set ? set + 1 : NULL;
	return found != negated;
}

static int matches(const char *pattern, const char *name, char stop)
{
	const char *end;

	for (; *pattern && *pattern != stop; name++) {
		if (*pattern == '*') {
			while (*pattern == '*')
				pattern++;
			do
				if (matches(pattern, name, stop))
					return 1;
			while (*name++);
			return 0;
		}
		if (!*name)
			return 0;
		if (*pattern == '[') {
			int found = in_set(pattern + 1, *name, &end);

			if (end && !found)
				return 0;
			if (!end && *name != '[')
				return 0;
			pattern = end ? end : pattern + 1;
			continue;
		}
		if (*pattern == '\\' && pattern[1])
			pattern++;
		else if (*pattern == '?') {
			pattern++;
			continue;
		}
		if (*pattern != *name)
			return 0;
		pattern++;
	}
	return *name == 0;
}

int match(const char *pattern, const char *name)
{
	return matches(pattern, name, '/');
}

int match_value(const char *pattern, const char *value)
{
	return matches(pattern, value, 0);
}

struct glob {
	char path[PATH_BYTES];
	struct word *found;
};

static void add_sorted(struct glob *g, const char *text)
{
	struct word **p = &g->found, *w = new_word(text, strlen(text));

	while (*p && strcmp((*p)->text, text) < 0)
		p = &(*p)->next;
	w->next = *p;
	*p = w;
}

static void walk(struct glob *g, size_t length, const char *pattern);

static void walk_folder(struct glob *g, size_t length, const char *pattern)
{
	const char *rest = pattern + strcspn(pattern, "/");
	DIR *dir = opendir(length ? g->path : ".");
	struct dirent *d;

	if (!dir)
		return;
	while ((d = readdir(dir))) {
		size_t n = strlen(d->d_name);

		if ((d->d_name[0] == '.' && *pattern != '.') || !match(pattern, d->d_name) ||
		    length + n + 2 > PATH_BYTES)
			continue;
		strcpy(g->path + length, d->d_name);
		walk(g, length + n, rest);
		g->path[length] = 0;
	}
	closedir(dir);
}

static void walk(struct glob *g, size_t length, const char *pattern)
{
	struct stat st;
	size_t n;

	while (*pattern == '/' && length + 1 < PATH_BYTES)
		g->path[length++] = *pattern++;
	g->path[length] = 0;
	if (!*pattern) {
		if (stat(g->path, &st) == 0)
			add_sorted(g, g->path);
		return;
	}
	n = strcspn(pattern, "/*?[");
	if (pattern[n] && pattern[n] != '/') {
		walk_folder(g, length, pattern);
		return;
	}
	if (length + n >= PATH_BYTES)
		return;
	memcpy(g->path + length, pattern, n);
	g->path[length + n] = 0;
	unescape(g->path + length);
	walk(g, strlen(g->path), pattern + n);
}

struct word **expand_pattern(const char *pattern, struct word **last)
{
	struct glob g = { .found = NULL };

	walk(&g, 0, pattern);
	if (!g.found) {
		g.found = new_word(pattern, strlen(pattern));
		unescape(g.found->text);
	}
	*last = g.found;
	while (*last)
		last = &(*last)->next;
	return last;
}
