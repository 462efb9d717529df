// SPDX-License-Identifier: ISC
//
// Shell variables: a list of NAME=value strings.
#include "sh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct variable {
	struct variable *next;
	uint8_t exported;
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
		v->exported = v->owned = 0;
		variables = v;
	} else if (v->owned)
		free(v->text);
	return v;
}

void set_variable(const char *text, int exported)
{
	size_t n = strlen(text) + 1;
	char *copy = memcpy(allocate(n), text, n);
	struct variable *v = find_or_add(copy);

	v->exported |= (uint8_t)exported;
	v->owned = 1;
	v->text = copy;
}

void import_environment(void)
{
	for (char **e = environ; *e; e++)
		if ((*e)[name_length(*e)] == '=') {
			struct variable *v = find_or_add(*e);

			v->exported = 1;
			v->text = *e;
		}
}

void export_variable(const char *name)
{
	struct variable *v = find(name, strlen(name));

	if (v)
		v->exported = 1;
}

void unset_variable(const char *name)
{
	struct variable *v = find(name, strlen(name)), **p = &variables;

	if (!v)
		return;
	while (*p != v)
		p = &(*p)->next;
	*p = v->next;
	if (v->owned)
		free(v->text);
	free(v);
}

void print_variables(int exported_only)
{
	for (struct variable *v = variables; v; v = v->next)
		if (v->exported || !exported_only) {
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

char **environment_with(const struct word *assignments, int all)
{
	int n = count_words(assignments) + 1;
	char **environment, **e;

	for (struct variable *v = variables; v; v = v->next)
		n++;
	e = environment = allocate((size_t)n * sizeof *e);
	for (struct variable *v = variables; v; v = v->next)
		if ((v->exported || all) && !assigned(assignments, v->text))
			*e++ = v->text;
	for (; assignments; assignments = assignments->next)
		*e++ = (char *)assignments->text;
	*e = NULL;
	return environment;
}
