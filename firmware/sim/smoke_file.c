// SPDX-License-Identifier: ISC
// Reads files of smoke-test steps: format in smoke.md. One pass, line by line; what a line means
// follows from its first word.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "smoke.h"

struct reader {
	struct script *script;
	struct step *step;      // that the lines belong to
	double limit;
	int line;
	bool failed;
};

static void *grown(void *p, size_t count, size_t size)
{
	void *q = realloc(p, (count + 1) * size);
	if (!q) {
		fprintf(stderr, "oxsmoke: out of memory\n");
		exit(EXIT_USAGE);
	}
	memset((char *)q + count * size, 0, size);
	return q;
}

static char *copied(const char *s)
{
	char *p = strdup(s);
	if (!p) {
		fprintf(stderr, "oxsmoke: out of memory\n");
		exit(EXIT_USAGE);
	}
	return p;
}

static void complain(struct reader *r, const char *what, const char *text)
{
	fprintf(stderr, "oxsmoke: %s:%d: %s: %s\n", r->script->path, r->line, what, text);
	r->failed = true;
}

static struct step *add_step(struct reader *r, const char *command)
{
	struct script *s = r->script;
	s->steps = grown(s->steps, s->count, sizeof *s->steps);
	r->step = &s->steps[s->count++];
	r->step->command = command ? copied(command) : NULL;
	r->step->line = r->line;
	r->step->limit = r->limit;
	return r->step;
}

static void add_expect(struct reader *r, enum line_kind kind, const char *text)
{
	struct step *s = r->step;
	s->expect = grown(s->expect, s->expects, sizeof *s->expect);
	struct expect *e = &s->expect[s->expects++];
	e->kind = kind;
	e->text = copied(text);
	if (kind == LINE_REGEX && regcomp(&e->regex, text, REG_EXTENDED | REG_NOSUB)) {
		complain(r, "not an extended regular expression", text);
		e->kind = LINE_EXACT;
	}
}

static struct send *add_send(struct reader *r, enum send_kind kind)
{
	struct step *s = r->step;
	s->send = grown(s->send, s->sends, sizeof *s->send);
	s->send[s->sends].kind = kind;
	return &s->send[s->sends++];
}

// "5s", "200ms", "5": seconds, or -1.
static double seconds_of(const char *text)
{
	char *end;
	double v = strtod(text, &end);
	if (end == text || !(v >= 0) || v > 1e6)
		return -1;
	if (!strcmp(end, "ms"))
		return v / 1000;
	return !*end || !strcmp(end, "s") ? v : -1;
}

static void take_limit(struct reader *r, const char *text)
{
	double v = seconds_of(text);
	if (v <= 0)
		complain(r, "limit must be a time like 5s or 200ms", text);
	else
		r->limit = v;
}

static void take_pause(struct reader *r, const char *text)
{
	double v = seconds_of(text);
	if (v < 0)
		complain(r, "pause must be a time like 5s or 200ms", text);
	add_send(r, SEND_PAUSE)->seconds = v;
}

// "^C" or a single character.
static void take_key(struct reader *r, const char *text)
{
	char key = text[0];
	if (text[0] == '^' && text[1] && !text[2])
		key = text[1] == '?' ? 0x7f : (char)(toupper((unsigned char)text[1]) & 0x1f);
	else if (!text[0] || text[1])
		complain(r, "key must be one character or ^ and a letter", text);
	add_send(r, SEND_KEY)->key = key;
}

static void take_status(struct reader *r, const char *text)
{
	char *end;
	long v = strtol(text, &end, 10);
	if (!strcmp(text, "any"))
		r->step->status = -1;
	else if (end == text || *end || v < 0 || v > 255)
		complain(r, "exit status must be 0 to 255, or any", text);
	else
		r->step->status = (int)v;
}

// What stands after the word and a blank, "" when nothing does; NULL when line is another word.
static const char *after(const char *line, const char *word)
{
	size_t n = strlen(word);
	if (strncmp(line, word, n) || (line[n] && line[n] != ' '))
		return NULL;
	return line[n] ? line + n + 1 : line + n;
}

// Lines that stand on their own.
static bool take_outer(struct reader *r, const char *line)
{
	const char *rest;
	if (line[0] == '#' || !line[0])
		return true;
	if ((rest = after(line, "$")))
		add_step(r, rest);
	else if ((rest = after(line, "boot")) && !*rest && !r->script->count)
		add_step(r, NULL);
	else if ((rest = after(line, "limit")))
		take_limit(r, rest);
	else if ((rest = after(line, "prompt"))) {
		free(r->script->prompt);
		r->script->prompt = copied(rest);
	} else
		return false;
	return true;
}

// Lines that belong to a command.
static void take_inner(struct reader *r, const char *line)
{
	const char *rest;
	if (!r->step)
		complain(r, "expected output before the first command", line);
	else if ((rest = after(line, "?")))
		take_status(r, rest);
	else if ((rest = after(line, "~")))
		add_expect(r, LINE_REGEX, rest);
	else if (!strcmp(line, "..."))
		add_expect(r, LINE_ANY, line);
	else if ((rest = after(line, "=")))
		add_expect(r, LINE_EXACT, rest);
	else if ((rest = after(line, ">")))
		add_send(r, SEND_LINE)->text = copied(rest);
	else if ((rest = after(line, "key")))
		take_key(r, rest);
	else if ((rest = after(line, "pause")))
		take_pause(r, rest);
	else if (!strcmp(line, "halts"))
		r->step->end = END_HALT;
	else if (!strcmp(line, "boots"))
		r->step->end = END_BOOT;
	else
		add_expect(r, LINE_EXACT, line);
}

static void chop(char *line)
{
	size_t n = strlen(line);
	while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		line[--n] = '\0';
}

int script_read(struct script *s, const char *path, double limit)
{
	struct reader r = { .script = s, .limit = limit };
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *line = NULL;
	size_t room = 0;
	memset(s, 0, sizeof *s);
	s->path = path;
	s->prompt = copied("# ");
	if (!f) {
		fprintf(stderr, "oxsmoke: %s: cannot be opened: %s\n", path, strerror(errno));
		return -1;
	}
	while (getline(&line, &room, f) >= 0) {
		r.line++;
		chop(line);
		if (!take_outer(&r, line))
			take_inner(&r, line);
	}
	if (ferror(f))
		complain(&r, "cannot be read", strerror(errno));
	free(line);
	if (f != stdin)
		fclose(f);
	return r.failed ? -1 : 0;
}

void script_boot_only(struct script *s)
{
	memset(s, 0, sizeof *s);
	s->path = "boot";
	s->prompt = copied("# ");
}

static void free_step(struct step *s)
{
	for (size_t i = 0; i < s->expects; i++) {
		if (s->expect[i].kind == LINE_REGEX)
			regfree(&s->expect[i].regex);
		free(s->expect[i].text);
	}
	for (size_t i = 0; i < s->sends; i++)
		free(s->send[i].text);
	free(s->expect);
	free(s->send);
	free(s->command);
}

void script_free(struct script *s)
{
	for (size_t i = 0; i < s->count; i++)
		free_step(&s->steps[i]);
	free(s->steps);
	free(s->prompt);
	memset(s, 0, sizeof *s);
}
