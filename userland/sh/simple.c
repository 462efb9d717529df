// SPDX-License-Identifier: ISC
//
// Simple commands: assignments, words, redirections (POSIX 2.9.1).
#include "parse.h"

#include <stdlib.h>
#include <string.h>

int at_redirection(void)
{
	const char *p = at;

	while (*p >= '0' && *p <= '9')
		p++;
	return (*p == '<' || *p == '>') && p - at <= 1;
}

struct redirection *new_redirection(int fd, int kind, const char *name)
{
	struct redirection *r = allocate(sizeof *r + strlen(name) + 1);

	r->next = NULL;
	r->fd = (uint8_t)fd;
	r->kind = (uint8_t)kind;
	r->from = (int8_t)(*name == '-' ? -1 : *name - '0');
	strcpy(r->name, name);
	return r;
}

static struct redirection *redirection(void)
{
	const char *operator = at, *from;
	int fd = *at >= '0' && *at <= '9' ? *at++ - '0' : -1, input = *at++ == '<';
	int kind = input ? R_IN : R_OUT, tabs = 0;
	struct redirection *r;
	char *name;

	if (*at == '&') {
		kind = R_DUP;
		at++;
	} else if (*at == '>') {
		kind = input ? R_BOTH : R_APPEND;
		at++;
	} else if (*at == '|' && !input) { // noclobber, which it overrules, is not there
		at++;
	} else if (*at == '<' && input) {
		kind = R_HERE;
		at++;
		tabs = *at == '-';
		at += tabs;
	}
	peek();
	from = at;
	raw_word();
	if (kind == R_HERE && checking)
		here_note(operator, from, at, tabs);
	if (dry())
		return NULL;
	if (fd < 0)
		fd = !input;
	if (kind == R_HERE)
		return here_redirection(fd, operator);
	name = expand_one(from, at);
	r = new_redirection(fd, kind, name);
	free(name);
	return r;
}

struct redirection *redirections(void)
{
	struct redirection *first = NULL, **last = &first;

	while (peek(), at_redirection()) {
		*last = redirection();
		if (*last)
			last = &(*last)->next;
	}
	return first;
}

void free_redirections(struct redirection *r)
{
	while (r) {
		struct redirection *next = r->next;

		free(r);
		r = next;
	}
}

int is_assignment(const char *p)
{
	size_t n = name_length(p);

	return n && p[n] == '=';
}

static struct word *assignment(const char *from, const char *end)
{
	size_t n = name_length(from) + 1, length;
	char *value = expand_one(from + n, end);
	struct word *w;

	length = strlen(value);
	w = allocate(sizeof *w + n + length + 1);
	w->next = NULL;
	memcpy(w->text, from, n);
	memcpy(w->text + n, value, length + 1);
	free(value);
	return w;
}

// Walks a simple command; expands it into c unless dry.
// Whether nothing but assignments and redirections stands from here on.
static int no_words(void)
{
	const char *start = at;
	int none = 1;

	skipping++;
	while (none && (!is_end(peek()) || at_redirection()))
		if (at_redirection()) {
			redirection();
		} else {
			none = is_assignment(at);
			raw_word();
		}
	skipping--;
	at = start;
	return none;
}

void simple(struct simple *c)
{
	struct word **word = &c->words, **value = &c->assignments;
	struct redirection **r = &c->redirections;
	const char *start = at;
	int words = 0, alone = -1;

	c->words = c->assignments = NULL;
	c->redirections = NULL;
	for (; !is_end(peek()) || at_redirection(); start = NULL) {
		const char *from = at;

		if (at_redirection()) {
			*r = redirection();
			if (*r)
				r = &(*r)->next;
			continue;
		}
		raw_word();
		if (!words && is_assignment(from)) {
			if (dry())
				continue;
			*value = assignment(from, at);
			if (alone < 0)
				alone = no_words();
			if (alone)
				set_variable((*value)->text, 0); // those behind it may want its value
			value = &(*value)->next;
			continue;
		}
		words++;
		if (!dry())
			word = expand(from, at, word);
	}
	if (start)
		unexpected();
}

void free_simple(struct simple *c)
{
	free_words(c->words);
	free_words(c->assignments);
	free_redirections(c->redirections);
}

