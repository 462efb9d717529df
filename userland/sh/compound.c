// SPDX-License-Identifier: ISC
//
// Compound commands (POSIX 2.9.4): if, loops, case, groups, subshells.
#include "parse.h"

#include <stdlib.h>
#include <string.h>

int loops, continuing;

// A table keeps the compound commands away from the code that every line runs.
static const struct keyword keywords[16];

const struct keyword *keyword_here(void)
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

int at_terminator(void)
{
	const struct keyword *k = keyword_here();

	return k && !k->run;
}

void skip_list(int skip)
{
	skipping += skip;
	run_list();
	skipping -= skip;
}

static void run_condition(void)
{
	tested++;
	run_list();
	tested--;
}

static void run_if(void)
{
	int yes;

	run_condition();
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
	return breaking || aborted || returning || !continuing;
}

static int loop_ends(void)
{
	int left = breaking;

	if (was_interrupted())
		aborted = 1;
	return (left && leave_loop()) || aborted || returning;
}

static void run_loop(int wanted)
{
	const char *condition = at;
	int result = 0, go;

	loops++;
	do {
		at = condition;
		run_condition();
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
		assign(name, n, w->text);
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
			found = match_value(pattern, value);
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

		started(start_shell(run_list, from, at, &p), &p);
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
void compound(const struct keyword *k)
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

