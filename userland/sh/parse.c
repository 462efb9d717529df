// SPDX-License-Identifier: ISC
//
// Pipelines and lists of the grammar (POSIX 2.10), walked directly over the text. See sh.h.
#include "parse.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int breaking, aborted, returning, checking, tested;
static uint8_t has_pipe, has_background; // the text has any: else no look ahead is needed
static jmp_buf check_failed;

void command(void)
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
	if (at_function()) {
		define_function();
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
	char name[32];
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
	return changes_shell(name) || find_function(name);
}

static void start_stage(const char *from, const char *end, struct place *p)
{
	struct simple c;
	pid_t pid;

	if (needs_shell(from))
		pid = start_shell(command, from, end, p);
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

// Whether it had more than one command.
static int pipeline_body(void)
{
	const char *start = at;
	int more = 0;

	if (has_pipe && !dry()) {
		skip_command();
		more = at_pipe();
		at = start;
		if (more) {
			run_pipe(0);
			return 1;
		}
	}
	for (command(); at_pipe(); command()) {
		has_pipe = 1;
		at++;
		skip_newlines();
	}
	return 0;
}

// One that has failed ends the shell (set -e), but for compound commands: what has failed in them has ended it, or was to be no reason.
static int ends_shell(const char *start, int piped)
{
	const struct keyword *k;
	const char *end = at;

	if (tested || piped)
		return !tested;
	at = start;
	k = keyword_here();
	at = end;
	return !k || *k->word == '(';
}

static void pipeline(void)
{
	int negated = 0, piped;
	const char *start;

	while (accept("!"))
		negated++;
	start = at;
	depth += negated;
	tested += negated;
	piped = pipeline_body();
	depth -= negated;
	tested -= negated;
	if (dry())
		return;
	if (negated & 1)
		status = !status;
	else if (status && option('e') && !negated && ends_shell(start, piped))
		leave(status);
}

static int at_and_or(void)
{
	char c = peek();

	return (c == '&' || c == '|') && at[1] == c ? c : 0;
}

// A pipeline of an and-or list: whether it is the last one shows behind it.
static void tested_pipeline(void)
{
	const char *start = at;
	int operator;

	if (!option('e') || dry()) {
		pipeline();
		return;
	}
	skipping++;
	pipeline();
	operator = at_and_or();
	skipping--;
	at = start;
	tested += operator;
	pipeline();
	tested -= operator;
}

static void and_or(void)
{
	int operator;

	for (tested_pipeline(); (operator = at_and_or()); ) {
		int skip = operator== '&' ? status != 0 : status == 0;

		at += 2;
		skip_newlines();
		skipping += skip;
		tested_pipeline();
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
		started(start_shell(and_or, start, end, &p), &p);
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
		if (trapped)
			run_traps();
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

_Noreturn void check_fails(int why)
{
	longjmp(check_failed, why);
}

int check(const char *text)
{
	int outer_depth = depth, outer_loops = loops; // not changed between setjmp and longjmp
	int result = setjmp(check_failed);

	depth = outer_depth;
	loops = outer_loops;
	if (result == 0) {
		here_free(here_swap(NULL));
		at = text;
		has_pipe = has_background = 0;
		checking = skipping = 1;
		run_list();
		if (*at)
			unexpected();
		if (continues(text))
			result = CHECK_INCOMPLETE;
	}
	checking = skipping = 0;
	return result;
}

// --- Texts within texts ---

void begin_text(struct walk *outer)
{
	outer->at = at;
	outer->heres = here_swap(NULL);
	outer->pipe = has_pipe;
	outer->background = has_background;
}

void end_text(const struct walk *outer)
{
	at = outer->at;
	here_free(here_swap(outer->heres));
	has_pipe = outer->pipe;
	has_background = outer->background;
}

struct here *checked_text(uint8_t *pipe, uint8_t *background)
{
	*pipe = has_pipe;
	*background = has_background;
	return here_swap(NULL);
}

void run_again(const char *text, struct here *heres, uint8_t pipe, uint8_t background)
{
	at = text;
	here_swap(heres);
	has_pipe = pipe;
	has_background = background;
	command();
	here_swap(NULL);
}
