// SPDX-License-Identifier: ISC
//
// Profiles in memory and as text.
#include "profile.h"

#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

enum { MAX_FUNCTION = 1 << 20 };

static const char magic[] = "octix profile 1\n";

// A file being read into a profile of its own.
struct input {
	const char *path;
	unsigned line;
	struct profile *p;
};

static _Noreturn void wrong(const struct input *in, const char *what)
{
	die("%s:%u: not a profile: %s", in->path, in->line, what);
}

uint16_t profile_function(struct profile *p, const char *name, uint32_t size)
{
	for (size_t i = 0; i < p->nfunctions; i++)
		if (p->functions[i].size == size && strcmp(p->functions[i].name, name) == 0)
			return (uint16_t)i;
	if (p->nfunctions == PROFILE_NONE)
		die("more than %d functions in profiles", PROFILE_NONE);
	p->functions = xgrow(p->functions, &p->functions_cap, p->nfunctions + 1, sizeof *p->functions);
	p->functions[p->nfunctions] = (struct profile_function){ xstrdup(name), size, xcalloc(size / 4, 1) };
	return (uint16_t)p->nfunctions++;
}

static int by_number(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

uint32_t profile_window(struct profile *p, uint16_t *functions, size_t n)
{
	struct profile_window *w;

	qsort(functions, n, sizeof *functions, by_number);
	for (size_t i = 0; i < p->nwindows; i++)
		if (p->windows[i].n == n && memcmp(p->windows[i].functions, functions, n * sizeof *functions) == 0)
			return (uint32_t)i;
	p->windows = xgrow(p->windows, &p->windows_cap, p->nwindows + 1, sizeof *p->windows);
	w = &p->windows[p->nwindows];
	*w = (struct profile_window){ n, xcalloc(n, sizeof *functions) };
	memcpy(w->functions, functions, n * sizeof *functions);
	return (uint32_t)p->nwindows++;
}

void profile_run(struct profile *p, const uint32_t *windows, size_t n)
{
	struct profile_run run = { n, xcalloc(n, sizeof *windows) };

	memcpy(run.windows, windows, n * sizeof *windows);
	p->runs = xgrow(p->runs, &p->runs_cap, p->nruns + 1, sizeof *p->runs);
	p->runs[p->nruns++] = run;
}

static uint16_t *merge_functions(struct profile *p, const struct profile *other)
{
	uint16_t *numbers = xcalloc(other->nfunctions, sizeof *numbers);

	for (size_t i = 0; i < other->nfunctions; i++) {
		const struct profile_function *f = &other->functions[i];

		numbers[i] = profile_function(p, f->name, f->size);
		for (uint32_t k = 0; k < f->size / 4; k++)
			p->functions[numbers[i]].ran[k] |= f->ran[k];
	}
	return numbers;
}

static uint32_t *merge_windows(struct profile *p, const struct profile *other, const uint16_t *functions)
{
	uint32_t *numbers = xcalloc(other->nwindows, sizeof *numbers);
	uint16_t *set = xcalloc(other->nfunctions, sizeof *set);

	for (size_t i = 0; i < other->nwindows; i++) {
		const struct profile_window *w = &other->windows[i];

		for (size_t k = 0; k < w->n; k++)
			set[k] = functions[w->functions[k]];
		numbers[i] = profile_window(p, set, w->n);
	}
	free(set);
	return numbers;
}

void profile_merge(struct profile *p, const struct profile *other)
{
	uint16_t *functions = merge_functions(p, other);
	uint32_t *windows = merge_windows(p, other, functions);

	for (size_t i = 0; i < other->nruns; i++) {
		profile_run(p, other->runs[i].windows, other->runs[i].n);
		for (size_t k = 0; k < other->runs[i].n; k++)
			p->runs[p->nruns - 1].windows[k] = windows[other->runs[i].windows[k]];
	}
	free(functions);
	free(windows);
}

// A hexadecimal number of at most `max`; *text moves behind it and the character `end` (0: a blank or the end of the line).
static uint32_t number(const struct input *in, char **text, uint32_t max, char end)
{
	char *behind;
	unsigned long v;

	errno = 0;
	v = strtoul(*text, &behind, 16);
	if (behind == *text || errno || v > max || (end ? *behind != end : *behind && !strchr(" \n", *behind)))
		wrong(in, "a number is missing or too large");
	*text = behind + (*behind != 0);
	return (uint32_t)v;
}

static void read_function(struct input *in, char *text)
{
	char *name = text + strspn(text, " ");
	struct profile *p = in->p;
	uint32_t size;
	size_t before = p->nfunctions;

	text = name + strcspn(name, " \n");
	if (text == name || *text != ' ')
		wrong(in, "a function without name or size");
	*text++ = 0;
	size = number(in, &text, MAX_FUNCTION, 0);
	if (profile_function(p, name, size) != before)
		wrong(in, "a function stands there twice");
	while (*text) {
		uint32_t start = number(in, &text, size, '-'), end = number(in, &text, size, 0);

		for (uint32_t i = start / 4; i < end / 4; i++)
			p->functions[before].ran[i] = 1;
	}
}

static void read_window(struct input *in, char *text)
{
	struct profile *p = in->p;
	uint16_t *set = xcalloc(p->nfunctions, sizeof *set);
	size_t n = 0, before = p->nwindows;

	while (*text) {
		uint32_t f = number(in, &text, UINT32_MAX, 0);

		if (f >= p->nfunctions || (n && f <= set[n - 1]))
			wrong(in, "a window's functions are not ascending numbers of functions");
		set[n++] = (uint16_t)f;
	}
	if (profile_window(p, set, n) != before)
		wrong(in, "a window stands there twice");
	free(set);
}

static void read_run(struct input *in, char *text)
{
	uint32_t *windows = NULL;
	size_t n = 0, cap = 0;

	while (*text) {
		windows = xgrow(windows, &cap, n + 1, sizeof *windows);
		windows[n] = number(in, &text, UINT32_MAX, 0);
		if (windows[n++] >= in->p->nwindows)
			wrong(in, "a run has a number that is no window's");
	}
	if (n)
		profile_run(in->p, windows, n);
	free(windows);
}

static void read_line(struct input *in, char *line)
{
	in->line++;
	if (in->line == 1 && strcmp(line, magic) != 0)
		wrong(in, "its first line is another");
	else if (strncmp(line, "F ", 2) == 0)
		read_function(in, line + 2);
	else if (strncmp(line, "W ", 2) == 0)
		read_window(in, line + 2);
	else if (strncmp(line, "R ", 2) == 0)
		read_run(in, line + 2);
	else if (in->line > 1 && *line != '#')
		wrong(in, "a line begins with none of F, W, R and #");
}

void profile_read(struct profile *p, const char *path)
{
	struct profile one = { 0 };
	struct input in = { .path = path, .p = &one };
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		die("%s: %s", path, strerror(errno));
	while (getline(&line, &size, file) >= 0)
		read_line(&in, line);
	if (ferror(file))
		die("%s: %s", path, strerror(errno));
	if (!in.line)
		wrong(&in, "it is empty");
	free(line);
	fclose(file);
	profile_merge(p, &one);
}

static void write_function(const struct profile_function *f, FILE *out)
{
	uint32_t words = f->size / 4;

	fprintf(out, "F %s %x", f->name, f->size);
	for (uint32_t i = 0, end; i < words; i = end) {
		for (end = i; end < words && f->ran[end] == f->ran[i]; end++)
			;
		if (f->ran[i])
			fprintf(out, " %x-%x", 4 * i, 4 * end);
	}
	fputc('\n', out);
}

static void write_window(const struct profile_window *w, FILE *out)
{
	fputc('W', out);
	for (size_t i = 0; i < w->n; i++)
		fprintf(out, " %x", w->functions[i]);
	fputc('\n', out);
}

static void write_run(const struct profile_run *r, FILE *out)
{
	fputc('R', out);
	for (size_t i = 0; i < r->n; i++)
		fprintf(out, " %x", r->windows[i]);
	fputc('\n', out);
}

int profile_lock(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0 || flock(fd, LOCK_EX))
		die("%s: %s", path, strerror(errno));
	return fd;
}

void profile_write(const struct profile *p, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		die("%s: %s", path, strerror(errno));
	fputs(magic, out);
	for (size_t i = 0; i < p->nfunctions; i++)
		write_function(&p->functions[i], out);
	for (size_t i = 0; i < p->nwindows; i++)
		write_window(&p->windows[i], out);
	for (size_t i = 0; i < p->nruns; i++)
		write_run(&p->runs[i], out);
	if (fclose(out))
		die("%s: %s", path, strerror(errno));
}
