// SPDX-License-Identifier: ISC
//
// The cursor: words and signs of the text.
#include "parse.h"

#include <string.h>

const char *at;
int skipping;

int dry(void)
{
	return skipping || breaking || aborted || returning;
}

const char *skip_blanks(const char *p)
{
	for (;;)
		if (*p == ' ' || *p == '\t')
			p++;
		else if (*p == '\\' && p[1] == '\n')
			p += 2;
		else if (*p == '#')
			p += strcspn(p, "\n");
		else
			return p;
}

char peek(void)
{
	at = skip_blanks(at);
	return *at;
}

void skip_newlines(void)
{
	while (peek() == '\n')
		at = here_newline(at);
}

int is_end(char c)
{
	return strchr(" \t\n;&|<>()", c) != NULL; // and the NUL
}

int keyword(const char *word)
{
	size_t n;

	if (peek() != *word)
		return 0;
	n = strlen(word);
	return strncmp(at, word, n) == 0 && is_end(at[n]);
}

int accept(const char *word)
{
	if (!keyword(word))
		return 0;
	at += strlen(word);
	return 1;
}

_Noreturn void unexpected(void)
{
	char token[16];
	const char *end = skip_word(at);
	size_t n = end && end > at ? (size_t)(end - at) : 1;

	if (!*at)
		incomplete();
	strlcpy(token, *at == '\n' ? "newline" : at, n < sizeof token && *at != '\n' ? n + 1 : sizeof token);
	complain("syntax error", "unexpected ", token);
	check_fails(CHECK_ERROR);
}

_Noreturn void incomplete(void)
{
	check_fails(CHECK_INCOMPLETE);
}

void expect(const char *word)
{
	skip_newlines();
	if (!accept(word))
		unexpected();
}

const char *raw_word(void)
{
	const char *end = skip_word(at);

	if (!end)
		incomplete();
	if (end == at)
		unexpected();
	return at = end;
}
