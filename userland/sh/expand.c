// SPDX-License-Identifier: ISC
//
// From raw words to expanded ones: quotes, $parameters, $(commands), $((arithmetic)), splitting, patterns (POSIX 2.6). While a field is built, quoted characters that a pattern would understand carry a backslash.
#include "sh.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct expansion {
	struct buffer field;
	struct word **last;
	uint8_t started;   // the field exists even when empty
	uint8_t blank;     // a blank has ended the last one: it may belong to another separator
	uint8_t whole;     // neither splitting nor files that match
	uint8_t pattern;   // it is to be one: * in a value are not quoted
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
const char *skip_part(const char *p)
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
	if (!option('f') && is_pattern(e->field.text))
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
	const char *separators = quoted || e->whole ? "" : get_variable("IFS", 3);

	if (!separators)
		separators = " \t\n";
	for (; value && *value; value++) {
		if (quoted || (e->whole && !e->pattern) || *value == '\\') {
			put_quoted(e, *value);
		} else if (e->whole || !strchr(separators, *value)) {
			put_char(&e->field, *value);
			e->blank = 0;
		} else if (strchr(" \t\n", *value)) {
			e->blank |= e->started || e->field.length;
			end_field(e);
		} else {
			e->started |= !e->blank; // two of them have an empty field between them
			e->blank = 0;
			end_field(e);
		}
	}
}

static void put_positional(struct expansion *e, char which, int quoted)
{
	int apart = which == '@' && !e->whole;
	const char *separators = get_variable("IFS", 3);
	char between[2] = { separators ? *separators : ' ' };

	if (positional_count == 0 && apart && !e->field.length)
		e->started = 0;
	for (int i = 1; i <= positional_count; i++) {
		put_value(e, positional[i], quoted);
		if (i == positional_count)
			return;
		if (apart || (!quoted && !e->whole)) {
			e->started |= (uint8_t)quoted;
			end_field(e);
			e->started = (uint8_t)quoted;
		} else
			put_value(e, between, quoted);
	}
}

static const char *value_of(const char *name, size_t n, char number[12])
{
	switch (*name) {
	case '?':
		return decimal(status, number);
	case '$':
		return decimal(shell_pid ? shell_pid : getpid(), number);
	case '#':
		return decimal(positional_count, number);
	case '!':
		return last_background ? decimal(last_background, number) : NULL;
	case '-':
		return option_letters(number);
	}
	if (*name >= '0' && *name <= '9') {
		int which = 0;

		while (n-- && which <= positional_count)
			which = which * 10 + *name++ - '0';
		return which <= positional_count ? positional[which] : NULL;
	}
	return get_variable(name, n);
}

static void not_set(const char *name, size_t n, const char *why)
{
	struct word *w = new_word(name, n);

	fatal(w->text, why, "");
	free(w);
}

// The value, which must be set with -u.
static const char *checked_value(const char *name, size_t n, char number[12])
{
	const char *value = value_of(name, n, number);

	if (!value && option('u') && *name != '!')
		not_set(name, n, "not set");
	return value;
}

static void expand_into(struct expansion *e, const char *from, const char *end, int quoted);

static int is_special(char c)
{
	return c && strchr("?$#!@*-0123456789", c) != NULL;
}

// ${NAME%pattern} and the like: what is left of the value; malloc.
static char *cut(const char *value, char side, int longest, const char *pattern)
{
	size_t n = strlen(value);
	char *copy = strcpy(allocate(n + 1), value), *result = NULL;

	for (size_t i = 0; i <= n && !result; i++) {
		size_t at_end = longest == (side == '%') ? i : n - i; // where the value is cut
		char c = copy[at_end];

		if (side == '%') {
			if (match_value(pattern, copy + at_end)) {
				copy[at_end] = 0;
				result = copy;
			}
			continue;
		}
		copy[at_end] = 0;
		if (match_value(pattern, copy))
			result = strdup(value + at_end);
		copy[at_end] = c;
	}
	if (result == copy)
		return result;
	free(copy);
	return result ? result : strdup(value);
}

static void put_cut(struct expansion *e, const char *value, const char *p, const char *end, int quoted)
{
	int longest = p[1] == *p;
	char *pattern = expand_to_pattern(p + 1 + longest, end), *rest = cut(value ? value : "", *p, longest, pattern);

	put_value(e, rest, quoted);
	free(pattern);
	free(rest);
}

// The length of the parameter's name at the start of ${...}.
static size_t parameter_length(const char *p)
{
	size_t n = 0;

	while (p[n] >= '0' && p[n] <= '9')
		n++;
	return n ? n : is_special(*p) ? 1 : name_length(p);
}

// ${NAME}, ${#NAME}, and ${NAME-word} with one of - = ? +, or these behind a colon: empty counts as unset; % %% # ## cut off a pattern.
static void expand_braces(struct expansion *e, const char *p, const char *end, int quoted)
{
	char number[12], *word;
	int length = *p == '#' && p + 1 < end && !(p[1] == '-' && p + 2 < end), colon;
	const char *name = p += length, *value;
	size_t n = parameter_length(p);

	p += n;
	if ((*name == '@' || *name == '*') && p == end) {
		if (length)
			put_value(e, decimal(positional_count, number), quoted);
		else
			put_positional(e, *name, quoted);
		return;
	}
	colon = *p == ':';
	p += colon;
	if (!n || p > end || (p < end && (length || !strchr(colon ? "-=?+" : "-=?+%#", *p))) || (p == end && colon)) {
		not_set(name, (size_t)(end - name), "no such substitution");
		return;
	}
	value = p < end && strchr("-=?+", *p) ? value_of(name, n, number) : checked_value(name, n, number);
	if (length) {
		put_value(e, decimal(value ? (long)strlen(value) : 0, number), quoted);
		return;
	}
	if (p == end) {
		put_value(e, value, quoted);
		return;
	}
	if (*p == '%' || *p == '#') {
		put_cut(e, value, p, end, quoted);
		return;
	}
	if (colon && value && !*value)
		value = NULL;
	if (*p == '+' ? value != NULL : *p == '-' && !value) {
		expand_into(e, p + 1, end, quoted);
	} else if (*p == '+' || value) {
		put_value(e, *p == '+' ? NULL : value, quoted);
	} else if (*p == '=') {
		word = expand_one(p + 1, end);
		assign(name, n, word);
		free(word);
		put_value(e, get_variable(name, n), quoted);
	} else {
		word = expand_one(p + 1, end);
		not_set(name, n, *word ? word : "not set");
		free(word);
	}
}

// $(...); in backquotes a backslash is taken away before these and itself.
static void expand_command(struct expansion *e, const char *from, const char *end, int quoted, int backquoted)
{
	struct word *text = new_word(from, (size_t)(end - from));
	char *output, *to = text->text;

	for (const char *p = to; backquoted && (*to = *p); to++, p++)
		if (*p == '\\' && p[1] && strchr("$`\\", p[1]))
			*to = *++p;
	output = capture(text->text);
	free(text);
	put_value(e, output, quoted);
	free(output);
}

static void expand_arithmetic(struct expansion *e, const char *from, const char *end, int quoted)
{
	char *expression = expand_here(from, end), number[12];

	put_value(e, decimal(arithmetic(expression), number), quoted);
	free(expression);
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
		else if (p[2] == '(' && end[-2] == ')')
			expand_arithmetic(e, p + 3, end - 2, quoted);
		else
			expand_command(e, p + 2, end - 1, quoted, 0);
		return end;
	}
	p++;
	n = is_special(*p) ? 1 : name_length(p);
	if (*p == '@' || *p == '*')
		put_positional(e, *p, quoted);
	else if (n)
		put_value(e, checked_value(p, n, number), quoted);
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

			expand_command(e, p + 1, end - 1, 1, 1);
			p = end;
		} else {
			if (*p == '\\' && p[1] && strchr("$`\"\\", p[1]))
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

			expand_command(e, p + 1, close - 1, quoted, 1);
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

static char *expand_whole(const char *from, const char *end, int pattern)
{
	struct expansion e = { .whole = 1, .pattern = (uint8_t)pattern };

	expand_into(&e, tilde(&e, from, end), end, 0);
	put_char(&e.field, 0);
	return e.field.text;
}

char *expand_to_pattern(const char *from, const char *end)
{
	return expand_whole(from, end, 1);
}

char *expand_one(const char *from, const char *end)
{
	char *text = expand_whole(from, end, 0);

	unescape(text);
	return text;
}

char *expand_here(const char *p, const char *end)
{
	struct expansion e = { .whole = 1 };

	while (p < end)
		if (*p == '$') {
			p = expand_dollar(&e, p, 1);
		} else if (*p == '`') {
			const char *close = skip_part(p);

			expand_command(&e, p + 1, close - 1, 1, 1);
			p = close;
		} else if (*p == '\\' && p[1] == '\n') {
			p += 2;
		} else {
			p += *p == '\\' && p + 1 < end && strchr("$`\\", p[1]);
			put_quoted(&e, *p++);
		}
	put_char(&e.field, 0);
	unescape(e.field.text);
	return e.field.text;
}
