// SPDX-License-Identifier: ISC
//
// Here-documents (POSIX 2.7.4). Their bodies are found while a text is checked, since a walk may begin again behind an operator: each is known by
// the place of its operator, and by the newline that its body follows.
#include "parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct here {
	struct here *next;
	const char *operator, *newline, *body, *body_end, *end;
	uint8_t quoted, tabs;
};

static struct here *heres; // of the text that is walked

struct here *here_swap(struct here *others)
{
	struct here *old = heres;

	heres = others;
	return old;
}

void here_free(struct here *h)
{
	while (h) {
		struct here *next = h->next;

		free(h);
		h = next;
	}
}

const char *here_newline(const char *newline)
{
	const char *end = newline + 1;

	for (const struct here *h = heres; h; h = h->next) // the last one first
		if (h->newline == newline)
			return h->end;
	return end;
}

// The end of the line that p is in.
static const char *line_end(const char *p)
{
	while (p && *p && *p != '\n')
		if (*p == '#' && (p[-1] == ' ' || p[-1] == '\t'))
			p += strcspn(p, "\n");
		else
			p = skip_part(p);
	if (!p || !*p)
		incomplete();
	return p;
}

// The word without quotes, and whether it had any.
static char *plain(const char *from, const char *end, uint8_t *quoted)
{
	char *word = allocate((size_t)(end - from) + 1), *to = word;

	*quoted = 0;
	for (; from < end; from++)
		if (strchr("'\"\\", *from))
			*quoted = 1;
		else
			*to++ = *from;
	*to = 0;
	return word;
}

void here_note(const char *operator, const char *from, const char *end, int tabs)
{
	struct here *h = allocate(sizeof *h);
	char *word = plain(from, end, &h->quoted);
	size_t n = strlen(word);
	const char *line;

	h->next = heres;
	heres = h;
	h->operator = operator;
	h->newline = NULL;
	h->tabs = (uint8_t)tabs;
	line = line_end(end);
	h->body = here_newline(line);
	h->newline = line;
	for (line = h->body;; line += strcspn(line, "\n") + 1) {
		const char *text = line + (tabs ? strspn(line, "\t") : 0);

		if (strncmp(text, word, n) == 0 && (text[n] == '\n' || !text[n])) {
			h->body_end = line;
			h->end = text + n + (text[n] == '\n');
			break;
		}
		if (!line[strcspn(line, "\n")]) {
			free(word);
			incomplete();
		}
	}
	free(word);
}

static char *body_of(const struct here *h)
{
	struct buffer b = { 0 };
	char *expanded;

	for (const char *p = h->body; p < h->body_end;) {
		const char *end = p + strcspn(p, "\n") + 1;

		if (h->tabs)
			p += strspn(p, "\t");
		while (p < end)
			put_char(&b, *p++);
	}
	put_char(&b, 0);
	if (h->quoted)
		return b.text;
	expanded = expand_here(b.text, b.text + b.length - 1);
	free(b.text);
	return expanded;
}

struct redirection *here_redirection(int fd, const char *operator)
{
	const struct here *h = heres;
	char *body;
	struct redirection *r;

	while (h->operator != operator)
		h = h->next;
	body = body_of(h);
	r = new_redirection(fd, R_HERE, body);
	free(body);
	return r;
}
