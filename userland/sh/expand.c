// SPDX-License-Identifier: ISC
//
// From raw words to expanded ones: quotes, $parameters, $(commands), splitting, patterns (POSIX 2.6, without
// arithmetic). While a field is built, quoted characters that a pattern would understand carry a backslash.
#include "sh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct expansion {
	struct buffer field;
	struct word **last;
	uint8_t started;   // the field exists even when empty
	uint8_t whole;     // neither splitting nor patterns
};

void put_char(struct buffer *b, char c)
{
	if (b->length == b->size) {
		char *bigger;

		b->size = (uint16_t)(b->size ? b->size * 2 : 32);
		bigger = allocate(b->size);
		if (b->length)
			memcpy(bigger, b->text, b->length);
		free(b->text);
		b->text = bigger;
	}
	b->text[b->length++] = c;
}

struct word *new_word(const char *text, size_t n)
{
	struct word *w = allocate(sizeof *w + n + 1);

	memcpy(w->text, text, n);
	w->text[n] = 0;
	w->next = NULL;
	return w;
}

void free_words(struct word *w)
{
	while (w) {
		struct word *next = w->next;

		free(w);
		w = next;
	}
}

int count_words(const struct word *w)
{
	int n = 0;

	for (; w; w = w->next)
		n++;
	return n;
}

// --- Raw words ---

static const char *skip_nested(const char *p, char open, char close);

static const char *skip_double(const char *p)
{
	while (p && *p != '"') {
		if (!*p)
			return NULL;
		if (*p == '$' && p[1] == '(')
			p = skip_nested(p + 2, '(', ')');
		else if (*p == '$' && p[1] == '{')
			p = skip_nested(p + 2, '{', '}');
		else
			p += *p == '\\' && p[1] ? 2 : 1;
	}
	return p ? p + 1 : NULL;
}

static const char *skip_to(const char *p, char end)
{
	while (*p && *p != end)
		p += *p == '\\' && p[1] && end != '\'' ? 2 : 1;
	return *p ? p + 1 : NULL;
}

// One character or quoted part; NULL: it does not end.
static const char *skip_part(const char *p)
{
	switch (*p) {
	case '\'':
		return skip_to(p + 1, '\'');
	case '"':
		return skip_double(p + 1);
	case '`':
		return skip_to(p + 1, '`');
	case '\\':
		return p[1] ? p + 2 : NULL;
	case '$':
		if (p[1] == '(')
			return skip_nested(p + 2, '(', ')');
		if (p[1] == '{')
			return skip_nested(p + 2, '{', '}');
	}
	return p + 1;
}

static const char *skip_nested(const char *p, char open, char close)
{
	for (int level = 1; p && *p;) {
		if (*p == close && --level == 0)
			return p + 1;
		level += *p == open;
		p = skip_part(p);
	}
	return NULL;
}

const char *skip_word(const char *p)
{
	while (p && *p && !strchr(" \t\n;&|<>()", *p))
		p = skip_part(p);
	return p;
}

// --- Fields ---

static void end_field(struct expansion *e)
{
	if (!e->started && !e->field.length)
		return;
	put_char(&e->field, 0);
	if (is_pattern(e->field.text))
		e->last = expand_pattern(e->field.text, e->last);
	else {
		unescape(e->field.text);
		*e->last = new_word(e->field.text, strlen(e->field.text));
		e->last = &(*e->last)->next;
	}
	e->field.length = 0;
	e->started = 0;
}

static void put_quoted(struct expansion *e, char c)
{
	if (strchr("*?[]\\!-", c))
		put_char(&e->field, '\\');
	put_char(&e->field, c);
}

static void put_value(struct expansion *e, const char *value, int quoted)
{
	for (; value && *value; value++)
		if (quoted || e->whole || *value == '\\')
			put_quoted(e, *value);
		else if (*value == ' ' || *value == '\t' || *value == '\n')
			end_field(e);
		else
			put_char(&e->field, *value);
}

static void put_positional(struct expansion *e, char which, int quoted)
{
	int apart = which == '@' && !e->whole;

	if (positional_count == 0 && apart && !e->field.length)
		e->started = 0;
	for (int i = 1; i <= positional_count; i++) {
		put_value(e, positional[i], quoted);
		if (i == positional_count)
			return;
		if (apart) {
			e->started |= (uint8_t)quoted;
			end_field(e);
			e->started = (uint8_t)quoted;
		} else
			put_value(e, " ", quoted);
	}
}

static const char *value_of(const char *name, size_t n, char number[12])
{
	switch (*name) {
	case '?':
		return decimal(status, number);
	case '$':
		return decimal(getpid(), number);
	case '#':
		return decimal(positional_count, number);
	case '!':
		return last_background ? decimal(last_background, number) : NULL;
	}
	if (*name >= '0' && *name <= '9')
		return *name - '0' <= positional_count ? positional[*name - '0'] : NULL;
	return get_variable(name, n);
}

static void expand_into(struct expansion *e, const char *from, const char *end, int quoted);

static int is_special(char c)
{
	return c && strchr("?$#!@*0123456789", c) != NULL;
}

// ${NAME}, ${#NAME}, ${NAME-word}, ${NAME+word}, with a colon: empty counts as unset.
static void expand_braces(struct expansion *e, const char *p, const char *end, int quoted)
{
	char number[12];
	int length = *p == '#' && p + 1 < end, colon;
	const char *name = p += length, *value;
	size_t n = is_special(*p) ? 1 : name_length(p);

	p += n;
	if ((*name == '@' || *name == '*') && !length) {
		put_positional(e, *name, quoted);
		return;
	}
	value = value_of(name, n, number);
	if (length) {
		put_value(e, decimal(value ? (long)strlen(value) : 0, number), quoted);
		return;
	}
	colon = *p == ':';
	p += colon;
	if (colon && value && !*value)
		value = NULL;
	if (p < end && ((*p == '-' && !value) || (*p == '+' && value)))
		expand_into(e, p + 1, end, quoted);
	else if (p >= end || *p != '+')
		put_value(e, value, quoted);
}

static void expand_command(struct expansion *e, const char *from, const char *end, int quoted)
{
	char *output = capture(from, end);

	put_value(e, output, quoted);
	free(output);
}

// What begins with the $ at p; returns behind it.
static const char *expand_dollar(struct expansion *e, const char *p, int quoted)
{
	const char *end;
	char number[12];
	size_t n;

	if (p[1] == '{' || p[1] == '(') {
		end = skip_part(p);
		if (p[1] == '{')
			expand_braces(e, p + 2, end - 1, quoted);
		else
			expand_command(e, p + 2, end - 1, quoted);
		return end;
	}
	p++;
	n = is_special(*p) ? 1 : name_length(p);
	if (*p == '@' || *p == '*')
		put_positional(e, *p, quoted);
	else if (n)
		put_value(e, value_of(p, n, number), quoted);
	else
		put_quoted(e, '$');
	return p + n;
}

static const char *expand_double(struct expansion *e, const char *p)
{
	e->started = 1;
	while (*p != '"')
		if (*p == '$')
			p = expand_dollar(e, p, 1);
		else if (*p == '`') {
			const char *end = skip_part(p);

			expand_command(e, p + 1, end - 1, 1);
			p = end;
		} else {
			if (*p == '\\' && strchr("$`\"\\", p[1]))
				p++;
			else if (*p == '\\' && p[1] == '\n') {
				p += 2;
				continue;
			}
			put_quoted(e, *p++);
		}
	return p + 1;
}

static const char *expand_single(struct expansion *e, const char *p)
{
	e->started = 1;
	while (*p != '\'')
		put_quoted(e, *p++);
	return p + 1;
}

static void expand_into(struct expansion *e, const char *p, const char *end, int quoted)
{
	while (p < end)
		switch (*p) {
		case '\'':
			if (!quoted) {
				p = expand_single(e, p + 1);
				break;
			}
			put_quoted(e, *p++);
			break;
		case '"':
			p = expand_double(e, p + 1);
			break;
		case '\\':
			if (p[1] != '\n')
				put_quoted(e, p[1]);
			p += 2;
			break;
		case '$':
			p = expand_dollar(e, p, quoted);
			break;
		case '`': {
			const char *close = skip_part(p);

			expand_command(e, p + 1, close - 1, quoted);
			p = close;
			break;
		}
		default:
			if (quoted)
				put_quoted(e, *p++);
			else
				put_char(&e->field, *p++);
		}
}

static const char *tilde(struct expansion *e, const char *from, const char *end)
{
	if (*from != '~' || (from + 1 < end && from[1] != '/'))
		return from;
	put_value(e, get_variable("HOME", 4), 1);
	return from + 1;
}

struct word **expand(const char *from, const char *end, struct word **last)
{
	struct expansion e = { .last = last };

	expand_into(&e, tilde(&e, from, end), end, 0);
	end_field(&e);
	free(e.field.text);
	return e.last;
}

char *expand_to_pattern(const char *from, const char *end)
{
	struct expansion e = { .whole = 1 };

	expand_into(&e, tilde(&e, from, end), end, 0);
	put_char(&e.field, 0);
	return e.field.text;
}

char *expand_one(const char *from, const char *end)
{
	char *text = expand_to_pattern(from, end);

	unescape(text);
	return text;
}
