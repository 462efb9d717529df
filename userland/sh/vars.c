// SPDX-License-Identifier: ISC
//
// Shell variables: a list of NAME=value strings.
#include "sh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct variable {
	struct variable *next;
	uint8_t flags;     // V_*
	uint8_t owned;     // text is from malloc
	char *text;        // NAME=value
};

static struct variable *variables;

static int letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

size_t name_length(const char *text)
{
	size_t n = 0;

	while (text[n] == '_' || letter(text[n]) || (n && text[n] >= '0' && text[n] <= '9'))
		n++;
	return n;
}

int is_name(const char *text, size_t n)
{
	return n && name_length(text) >= n;
}

static struct variable *find(const char *name, size_t n)
{
	struct variable *v = variables;

	while (v && (strncmp(v->text, name, n) != 0 || v->text[n] != '='))
		v = v->next;
	return v;
}

const char *get_variable(const char *name, size_t n)
{
	struct variable *v = find(name, n);

	return v ? v->text + n + 1 : NULL;
}

static struct variable *find_or_add(const char *text)
{
	struct variable *v = find(text, name_length(text));

	if (!v) {
		v = allocate(sizeof *v);
		v->next = variables;
		v->flags = v->owned = 0;
		variables = v;
	} else if (v->owned)
		free(v->text);
	return v;
}

static int is_fixed(const struct variable *v, const char *name)
{
	if (!v || !(v->flags & V_READONLY))
		return 0;
	fatal(name, "may only be read", "");
	return 1;
}

void set_variable(const char *text, int flags)
{
	size_t n = strlen(text) + 1;
	char *copy;
	struct variable *v;

	if (is_fixed(find(text, name_length(text)), text))
		return;
	copy = memcpy(allocate(n), text, n);
	v = find_or_add(copy);
	v->flags |= (uint8_t)flags;
	v->owned = 1;
	v->text = copy;
}

void assign(const char *name, size_t n, const char *value)
{
	char *text = allocate(n + strlen(value) + 2);

	memcpy(text, name, n);
	text[n] = '=';
	strcpy(text + n + 1, value);
	set_variable(text, 0);
	free(text);
}

char *copy_variable(const char *name, size_t n, uint8_t *flags)
{
	const struct variable *v = find(name, n);

	if (!v)
		return NULL;
	*flags = v->flags;
	return strdup(v->text);
}

void import_environment(void)
{
	for (char **e = environ; *e; e++)
		if ((*e)[name_length(*e)] == '=') {
			struct variable *v = find_or_add(*e);

			v->flags = V_EXPORTED;
			v->text = *e;
		}
}

void mark_variable(const char *name, int flags)
{
	struct variable *v = find(name, strlen(name));

	if (v)
		v->flags |= (uint8_t)flags;
}

void unset_variable(const char *name)
{
	struct variable *v = find(name, strlen(name)), **p = &variables;

	if (!v || is_fixed(v, name))
		return;
	while (*p != v)
		p = &(*p)->next;
	*p = v->next;
	if (v->owned)
		free(v->text);
	free(v);
}

void print_variables(int flags)
{
	for (struct variable *v = variables; v; v = v->next)
		if (!flags || v->flags & flags) {
			print(1, v->text);
			print(1, "\n");
		}
}

static int assigned(const struct word *assignments, const char *text)
{
	size_t n = name_length(text) + 1;

	while (assignments && strncmp(assignments->text, text, n) != 0)
		assignments = assignments->next;
	return assignments != NULL;
}

char **environment_with(const struct word *assignments)
{
	int n = count_words(assignments) + 1;
	char **environment, **e;

	for (struct variable *v = variables; v; v = v->next)
		n++;
	e = environment = allocate((size_t)n * sizeof *e);
	for (struct variable *v = variables; v; v = v->next)
		if (v->flags & V_EXPORTED && !assigned(assignments, v->text))
			*e++ = v->text;
	for (; assignments; assignments = assignments->next)
		*e++ = (char *)assignments->text;
	*e = NULL;
	return environment;
}
