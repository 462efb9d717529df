// SPDX-License-Identifier: ISC
//
// The grammar (POSIX 2.10 without functions and here-documents), walked directly over the text. See sh.h.
#include "sh.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *at;
int breaking, aborted, continuing, loops;
static int skipping;       // walk, run nothing
static int has_pipe, has_background; // the text has any: else no look ahead is needed
static jmp_buf check_failed;

static int dry(void)
{
	return skipping || breaking || aborted;
}

// --- Tokens ---

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

static char peek(void)
{
	at = skip_blanks(at);
	return *at;
}

static void skip_newlines(void)
{
	while (peek() == '\n')
		at++;
}

static int is_end(char c)
{
	return strchr(" \t\n;&|<>()", c) != NULL; // and the NUL
}

static int keyword(const char *word)
{
	size_t n;

	if (peek() != *word)
		return 0;
	n = strlen(word);
	return strncmp(at, word, n) == 0 && is_end(at[n]);
}

// What may stand where a command begins and is none: a compound command, run by its function, or an end of one.
// A table keeps the compound commands away from the code that every line runs.
struct keyword {
	char word[6];
	void (*run)(void);
};

static const struct keyword keywords[16];

static const struct keyword *keyword_here(void)
{
	char c = peek();

	if (c == '(')
		return &keywords[0];
	if (c == ')' || !c)
		return &keywords[15];
	for (const struct keyword *k = keywords + 1; k->word[0]; k++)
		if (k->word[0] == c && keyword(k->word))
			return k;
	return NULL;
}

static int at_terminator(void)
{
	const struct keyword *k = keyword_here();

	return k && !k->run;
}

static int accept(const char *word)
{
	if (!keyword(word))
		return 0;
	at += strlen(word);
	return 1;
}

static _Noreturn void unexpected(void)
{
	char token[16];
	const char *end = skip_word(at);
	size_t n = end && end > at ? (size_t)(end - at) : 1;

	if (!*at)
		longjmp(check_failed, CHECK_INCOMPLETE);
	strlcpy(token, *at == '\n' ? "newline" : at, n < sizeof token && *at != '\n' ? n + 1 : sizeof token);
	complain("syntax error", "unexpected ", token);
	longjmp(check_failed, CHECK_ERROR);
}

static void expect(const char *word)
{
	skip_newlines();
	if (!accept(word))
		unexpected();
}

// The raw word at the cursor; steps over it and returns its end.
static const char *raw_word(void)
{
	const char *end = skip_word(at);

	if (!end)
		longjmp(check_failed, CHECK_INCOMPLETE);
	if (end == at)
		unexpected();
	return at = end;
}

// --- Simple commands ---

static int at_redirection(void)
{
	const char *p = at;

	while (*p >= '0' && *p <= '9')
		p++;
	return (*p == '<' || *p == '>') && p - at <= 1;
}

static struct redirection *new_redirection(int fd, int kind, const char *from, const char *end)
{
	char *name = expand_one(from, end);
	struct redirection *r = allocate(sizeof *r + strlen(name) + 1);

	r->next = NULL;
	r->fd = (uint8_t)fd;
	r->kind = (uint8_t)kind;
	r->from = (int8_t)(*name == '-' ? -1 : *name - '0');
	strcpy(r->name, name);
	free(name);
	return r;
}

static struct redirection *redirection(void)
{
	int fd = *at >= '0' && *at <= '9' ? *at++ - '0' : -1, input = *at++ == '<';
	int kind = input ? R_IN : R_OUT;
	const char *from;

	if (*at == '&') {
		kind = R_DUP;
		at++;
	} else if (*at == '>' && !input) {
		kind = R_APPEND;
		at++;
	}
	peek();
	from = at;
	raw_word();
	if (dry())
		return NULL;
	return new_redirection(fd < 0 ? !input : fd, kind, from, at);
}

static struct redirection *redirections(void)
{
	struct redirection *first = NULL, **last = &first;

	while (peek(), at_redirection()) {
		*last = redirection();
		if (*last)
			last = &(*last)->next;
	}
	return first;
}

static void free_redirections(struct redirection *r)
{
	while (r) {
		struct redirection *next = r->next;

		free(r);
		r = next;
	}
}

static int is_assignment(const char *p)
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
static void simple(struct simple *c)
{
	struct word **word = &c->words, **value = &c->assignments;
	struct redirection **r = &c->redirections;
	const char *start = at;
	int words = 0;

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
			if (!dry()) {
				*value = assignment(from, at);
				value = &(*value)->next;
			}
			continue;
		}
		words++;
		if (!dry())
			word = expand(from, at, word);
	}
	if (start)
		unexpected();
}

static void free_simple(struct simple *c)
{
	free_words(c->words);
	free_words(c->assignments);
	free_redirections(c->redirections);
}

// --- Compound commands ---

static void skip_list(int skip)
{
	skipping += skip;
	run_list();
	skipping -= skip;
}

static void run_if(void)
{
	int yes;

	run_list();
	expect("then");
	yes = status == 0;
	skip_list(!yes);
	if (accept("elif")) {
		skipping += yes;
		run_if();
		skipping -= yes;
		return;
	}
	if (accept("else"))
		skip_list(yes);
	else if (!yes && !dry())
		status = 0;
	expect("fi");
}

// At the end of a pass through a loop: whether to leave it.
static int leave_loop(void)
{
	if (breaking && --breaking == 0 && continuing) {
		continuing = 0;
		return 0;
	}
	return breaking || aborted || !continuing;
}

static int loop_ends(void)
{
	int left = breaking;

	if (was_interrupted())
		aborted = 1;
	return (left && leave_loop()) || aborted;
}

static void run_loop(int wanted)
{
	const char *condition = at;
	int result = 0, go;

	loops++;
	do {
		at = condition;
		run_list();
		expect("do");
		go = !dry() && (status == 0) == wanted;
		skip_list(!go);
		expect("done");
		if (go)
			result = status;
	} while (!loop_ends() && go);
	loops--;
	if (!dry())
		status = result;
}

static void run_while(void)
{
	run_loop(1);
}

static void positional_words(struct word **last)
{
	for (int i = 1; i <= positional_count; i++) {
		*last = new_word(positional[i], strlen(positional[i]));
		last = &(*last)->next;
	}
}

static void for_words(struct word **last)
{
	skip_newlines();
	if (!accept("in")) {
		if (!dry())
			positional_words(last);
		if (peek() == ';')
			at++;
		return;
	}
	while (!is_end(peek())) {
		const char *from = at;

		raw_word();
		if (!dry())
			last = expand(from, at, last);
	}
	if (*at == ';')
		at++;
}

static void set_loop_variable(const char *name, size_t n, const char *value)
{
	struct buffer b = { 0 };

	for (size_t i = 0; i < n; i++)
		put_char(&b, name[i]);
	put_char(&b, '=');
	for (; *value; value++)
		put_char(&b, *value);
	put_char(&b, 0);
	set_variable(b.text, 0);
	free(b.text);
}

static void run_for(void)
{
	struct word *words = NULL;
	const char *name, *body;
	size_t n;

	peek();
	name = at;
	n = name_length(at);
	if (!n)
		unexpected();
	at += n;
	for_words(&words);
	expect("do");
	body = at;
	if (!words)
		skip_list(1);
	loops++;
	for (struct word *w = words; w; w = w->next) {
		set_loop_variable(name, n, w->text);
		at = body;
		run_list();
		if (loop_ends())
			break;
	}
	loops--;
	free_words(words);
	expect("done");
}

static int case_matches(const char *value)
{
	int found = 0;

	if (*at == '(')
		at++;
	do {
		const char *from;
		char *pattern;

		peek();
		from = at;
		raw_word();
		if (value && !found) {
			pattern = expand_to_pattern(from, at);
			found = match(pattern, value);
			free(pattern);
		}
	} while (peek() == '|' && *at++);
	if (*at++ != ')') {
		at--;
		unexpected();
	}
	return found;
}

static void run_case(void)
{
	const char *from = (peek(), at);
	char *value;
	int done = 0;

	raw_word();
	value = dry() ? NULL : expand_one(from, at);
	if (value)
		status = 0;
	expect("in");
	for (skip_newlines(); !accept("esac"); skip_newlines()) {
		int taken = !done && case_matches(value);

		if (done)
			case_matches(NULL);
		done |= taken;
		skip_list(!taken);
		if (at[0] == ';' && at[1] == ';')
			at += 2;
		else if (!keyword("esac"))
			unexpected();
	}
	free(value);
}

static void run_subshell(void)
{
	const char *from = at;

	skip_list(1);
	if (!dry()) {
		struct place p = { .out = 1, .other = -1 };

		started(start_text(from, at, &p), &p);
		foreground(&p, from, at);
	}
	if (*at != ')')
		unexpected();
	at++;
}

static void run_until(void)
{
	run_loop(0);
}

static void run_group(void)
{
	run_list();
	expect("}");
}

static const struct keyword keywords[] = {
	{ "(", run_subshell }, { "if", run_if },       { "while", run_while }, { "until", run_until },
	{ "for", run_for },    { "case", run_case },   { "{", run_group },     { "then", NULL },
	{ "do", NULL },        { "done", NULL },       { "fi", NULL },         { "elif", NULL },
	{ "else", NULL },      { "esac", NULL },       { "}", NULL },          { "", NULL },
};

static void compound_body(const struct keyword *k)
{
	depth++;
	at += strlen(k->word);
	k->run();
	depth--;
}

// A compound command: its redirections stand behind it and are needed before.
static void compound(const struct keyword *k)
{
	const char *start = at, *end;
	struct redirection *r;
	int8_t saved[10];

	skipping++;
	compound_body(k);
	skipping--;
	r = redirections();
	if (dry())
		return;
	end = at;
	at = start;
	if (redirect(r, saved) == 0)
		compound_body(k);
	restore(saved);
	free_redirections(r);
	at = end;
}

static void command(void)
{
	struct simple c;
	const struct keyword *k = keyword_here();
	const char *from = at;

	if (k && !k->run)
		unexpected();
	if (k) {
		compound(k);
		return;
	}
	simple(&c);
	if (!dry())
		run_simple(&c, from);
	free_simple(&c);
}

// --- Pipelines and lists ---

static int at_pipe(void)
{
	return peek() == '|' && at[1] != '|';
}

static void skip_command(void)
{
	skipping++;
	command();
	skipping--;
}

// Whether the stage at `from` must be run by a shell of its own.
static int needs_shell(const char *from)
{
	char name[12];
	const char *end;
	size_t n;

	at = from;
	if (keyword_here() || is_assignment(at) || at_redirection())
		return 1;
	end = skip_word(at);
	n = (size_t)(end - at);
	if (n >= sizeof name)
		return 0;
	memcpy(name, at, n);
	name[n] = 0;
	return changes_shell(name);
}

static void start_stage(const char *from, const char *end, struct place *p)
{
	struct simple c;
	pid_t pid;

	if (needs_shell(from))
		pid = start_text(from, end, p);
	else {
		at = from;
		simple(&c);
		pid = start_simple(&c, p);
		free_simple(&c);
	}
	started(pid, p);
	at = end;
}

// No pipe can be made: this stage does not run, nor do those behind it.
static pid_t skip_stages(void)
{
	while (at_pipe()) {
		at++;
		skip_newlines();
		skip_command();
	}
	return no_pipe();
}

// Starts all stages from the cursor on.
static void start_stages(struct place *p)
{
	int more, fd[2];

	do {
		const char *from = (skip_newlines(), at), *end;

		skip_command();
		more = at_pipe() && p->count < STAGES - 1;
		end = at;
		fd[0] = -1;
		if (more && pipe(fd) < 0) {
			started(skip_stages(), p);
			break;
		}
		p->out = more ? fd[1] : 1;
		p->other = fd[0];
		start_stage(from, end, p);
		if (p->in)
			close(p->in);
		if (more) {
			close(fd[1]);
			at++;
		}
		p->in = fd[0];
	} while (more);
	if (p->in > 0)
		close(p->in);
}

static void run_pipe(int in_background)
{
	struct place p = { .background = (uint8_t)in_background };
	const char *from = at;

	start_stages(&p);
	if (in_background)
		background(&p, from, at);
	else
		foreground(&p, from, at);
}

static void pipeline_body(void)
{
	const char *start = at;

	if (has_pipe && !dry()) {
		skip_command();
		if (at_pipe()) {
			at = start;
			run_pipe(0);
			return;
		}
		at = start;
	}
	for (command(); at_pipe(); command()) {
		has_pipe = 1;
		at++;
		skip_newlines();
	}
}

static void pipeline(void)
{
	int negated = 0;

	while (accept("!"))
		negated ^= 1;
	pipeline_body();
	if (negated && !dry())
		status = !status;
}

static int at_and_or(void)
{
	char c = peek();

	return (c == '&' || c == '|') && at[1] == c ? c : 0;
}

static void and_or(void)
{
	int operator;

	for (pipeline(); (operator = at_and_or()); ) {
		int skip = operator== '&' ? status != 0 : status == 0;

		at += 2;
		skip_newlines();
		skipping += skip;
		pipeline();
		skipping -= skip;
	}
}

// The and-or list [start, at) stands before an &.
static void in_background(const char *start)
{
	const char *end = at;
	struct place p = { .out = 1, .other = -1, .background = 1 };

	at = start;
	skipping++;
	pipeline();
	skipping--;
	if (peek(), at == end) {
		at = start;
		run_pipe(1);
	} else {
		started(start_text(start, end, &p), &p);
		background(&p, start, end);
	}
	at = end;
}

static void item(void)
{
	const char *start = at;

	if (has_background && !dry()) {
		skipping++;
		and_or();
		skipping--;
		if (peek() == '&') {
			in_background(start);
			return;
		}
		at = start;
	}
	and_or();
}

void run_list(void)
{
	for (;;) {
		skip_newlines();
		if (at_terminator() || (at[0] == ';' && at[1] == ';'))
			return;
		item();
		if (peek() == '&') {
			has_background = 1;
			at++;
		} else if (*at == ';' && at[1] != ';')
			at++;
		else if (*at != '\n')
			return;
	}
}

// A line that ends with a backslash goes on in the next.
static int continues(const char *text)
{
	size_t n = strlen(text);

	return n >= 2 && strcmp(text + n - 2, "\\\n") == 0 && (n < 3 || text[n - 3] != '\\');
}

int check(const char *text)
{
	int outer_depth = depth, outer_loops = loops; // not changed between setjmp and longjmp
	int result = setjmp(check_failed);

	depth = outer_depth;
	loops = outer_loops;
	if (result == 0) {
		at = text;
		has_pipe = has_background = 0;
		skipping = 1;
		run_list();
		if (*at)
			unexpected();
		if (continues(text))
			result = CHECK_INCOMPLETE;
	}
	skipping = 0;
	return result;
}
