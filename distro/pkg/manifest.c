// SPDX-License-Identifier: ISC
//
// The manifest of a package: text to structure and back. See FORMAT.md.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/util.h"
#include "package.h"

static const char *const kinds[] = {"dir", "program", "file"};

const char *kind_name(enum pkg_kind kind)
{
	return kinds[kind];
}

static _Noreturn void broken(const struct package *p, const char *what, const char *line)
{
	die("%s: broken manifest: %s: '%.60s'", p->origin, what, line);
}

// take_line: cuts the next line off; NULL at the end. Only whole lines of printable characters count.
static char *take_line(struct package *p, char **at)
{
	char *line = *at, *end = strchr(line, '\n');
	if (!*line)
		return NULL;
	if (!end)
		broken(p, "the last line has no end", line);
	*end = 0;
	*at = end + 1;
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < 32 || *c == 127)
			broken(p, "control characters", line);
	return line;
}

// take_field: "key: value" or, when empty, "key:".
static char *take_field(struct package *p, char **at, const char *key)
{
	char *line = take_line(p, at);
	size_t n = strlen(key);
	if (!line || strncmp(line, key, n) || line[n] != ':' || (line[n + 1] && line[n + 1] != ' '))
		broken(p, key, line ? line : "");
	return xstrdup(line[n + 1] ? line + n + 2 : "");
}

static bool all_of(const char *s, const char *also)
{
	for (; *s; s++)
		if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) && !strchr(also, *s))
			return false;
	return true;
}

static bool is_name(const char *s)
{
	return *s && strlen(s) <= 48 && (islower((unsigned char)*s) || isdigit((unsigned char)*s)) && all_of(s, "-+.") &&
	       s[strlen(s) - 1] != '.';
}

static void check_names(struct package *p, const char *list)
{
	char *copy = xstrdup(list), *state;
	for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state))
		if (!is_name(word))
			broken(p, "not a package name", word);
	free(copy);
}

// check_path: absolute, in its shortest form, and not in the database or the kernel's own file.
static void check_path(struct package *p, const char *path)
{
	if (path[0] != '/' || !path[1] || strlen(path) > 200)
		broken(p, "not an absolute path", path);
	for (const char *part = path + 1;; part++) {
		size_t n = strcspn(part, "/");
		if (n == 0 || (part[0] == '.' && (n == 1 || (n == 2 && part[1] == '.'))))
			broken(p, "path with an empty part, . or ..", path);
		part += n;
		if (!*part)
			break;
	}
	if (strncasecmp(path, PKG_DATABASE "/", sizeof PKG_DATABASE) == 0 || strcasecmp(path, "/swap") == 0)
		broken(p, "path that belongs to the system", path);
}

static void check_sum(struct package *p, const struct pkg_file *f, const char *line)
{
	if (f->kind == KIND_DIR) {
		if (strcmp(f->sha256, "-") || f->size)
			broken(p, "a directory has no contents", line);
	} else if (strlen(f->sha256) != 64 || strspn(f->sha256, "0123456789abcdef") != 64) {
		broken(p, "not a SHA-256", line);
	}
}

// parse_file: "SHA256 SIZE MODE KIND PATH".
static void parse_file(struct package *p, char *line)
{
	struct pkg_file f = {0};
	char kind[16], sum[80];
	unsigned long size;
	unsigned mode;
	int at = 0;
	if (sscanf(line, "%79s %10lu %4o %15s %n", sum, &size, &mode, kind, &at) != 4 || !at || size > PKG_FILE_MAX)
		broken(p, "not a file line", line);
	for (f.kind = KIND_DIR; strcmp(kind, kinds[f.kind]); f.kind++)
		if (f.kind == KIND_FILE)
			broken(p, "unknown kind", line);
	snprintf(f.sha256, sizeof f.sha256, "%.64s", strlen(sum) > 64 ? "" : sum);
	f.size = (uint32_t)size, f.mode = mode;
	f.path = xstrdup(line + at);
	check_sum(p, &f, line);
	check_path(p, f.path);
	if (p->count && strcmp(p->files[p->count - 1].path, f.path) >= 0)
		broken(p, "paths are not in order", f.path);
	p->files = xrealloc(p->files, (p->count + 1) * sizeof f);
	p->files[p->count++] = f;
}

static unsigned parse_abi(struct package *p, char *text)
{
	char *end;
	unsigned long abi = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || abi > 65535)
		broken(p, "not an ABI number", text);
	free(text);
	return (unsigned)abi;
}

void manifest_parse(struct package *p, char *text, const char *origin)
{
	*p = (struct package){.origin = origin, .text = text};
	char *copy = xstrdup(text), *at = copy, *line;
	p->name = take_field(p, &at, "name");
	if (!is_name(p->name))
		broken(p, "not a package name", p->name);
	p->version = take_field(p, &at, "version");
	if (!isdigit((unsigned char)p->version[0]) || strlen(p->version) > 48 || !all_of(p->version, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.+~-"))
		broken(p, "not a version", p->version);
	p->abi = parse_abi(p, take_field(p, &at, "abi"));
	p->depends = take_field(p, &at, "depends");
	p->conflicts = take_field(p, &at, "conflicts");
	check_names(p, p->depends);
	check_names(p, p->conflicts);
	p->license = take_field(p, &at, "license");
	while ((line = take_line(p, &at)))
		parse_file(p, line);
	free(copy);
}

static void put_field(FILE *out, const char *key, const char *value)
{
	fprintf(out, "%s:%s%s\n", key, *value ? " " : "", value);
}

char *manifest_format(const struct package *p)
{
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	if (!out)
		die("out of memory");
	put_field(out, "name", p->name);
	put_field(out, "version", p->version);
	fprintf(out, "abi: %u\n", p->abi);
	put_field(out, "depends", p->depends);
	put_field(out, "conflicts", p->conflicts);
	put_field(out, "license", p->license);
	for (size_t i = 0; i < p->count; i++) {
		const struct pkg_file *f = &p->files[i];
		fprintf(out, "%s %u %04o %s %s\n", f->sha256, f->size, f->mode, kinds[f->kind], f->path);
	}
	if (fclose(out))
		die("out of memory");
	return text;
}

bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *p = list; (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == 0))
			return true;
	return false;
}

void package_free(struct package *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->files[i].path), free(p->files[i].data);
	free(p->files), free(p->text), free(p->name), free(p->version), free(p->depends), free(p->conflicts), free(p->license);
	*p = (struct package){0};
}
