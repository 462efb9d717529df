// SPDX-License-Identifier: ISC
//
// Functions (POSIX 2.9.5), and variables that are local to a call.
#include "parse.h"

#include <stdlib.h>
#include <string.h>

struct function {
	struct function *next;
	struct here *heres;
	uint8_t pipe, background, running, replaced;
	const char *body;
	char name[];       // and the body behind it
};

// What a variable was outside.
struct outside {
	struct outside *next;
	char *text;        // NULL: not set
	uint8_t flags;
	char name[];
};

static struct function *functions;
static struct outside *outsides;
static uint8_t calls;

static struct function **place_of(const char *name)
{
	struct function **f = &functions;

	while (*f && strcmp((*f)->name, name) != 0)
		f = &(*f)->next;
	return f;
}

struct function *find_function(const char *name)
{
	return *place_of(name);
}

int in_function(void)
{
	return calls;
}

static void free_function(struct function *f)
{
	if (f->running) {
		f->replaced = 1;
		return;
	}
	here_free(f->heres);
	free(f);
}

void unset_function(const char *name)
{
	struct function **f = place_of(name), *old = *f;

	if (!old)
		return;
	*f = old->next;
	free_function(old);
}

int at_function(void)
{
	size_t n = name_length(at);
	const char *p;

	if (!n)
		return 0;
	p = skip_blanks(at + n);
	return *p == '(' && *skip_blanks(p + 1) == ')';
}

static void remember(const char *name, size_t n, const char *from, const char *end)
{
	struct function *f = allocate(sizeof *f + n + (size_t)(end - from) + 2);
	struct walk outer;
	char *body = f->name + n + 1;

	memcpy(f->name, name, n);
	f->name[n] = 0;
	memcpy(body, from, (size_t)(end - from));
	body[end - from] = 0;
	f->body = body;
	f->running = f->replaced = 0;
	begin_text(&outer);
	if (check(body) != CHECK_OK) // a here-document behind it: the only thing that does not stand in its text
		fatal(f->name, "here-documents of a function must stand within it", "");
	f->heres = checked_text(&f->pipe, &f->background);
	end_text(&outer);
	unset_function(f->name);
	f->next = functions;
	functions = f;
	status = 0;
}

void define_function(void)
{
	const char *name = at, *from;
	size_t n = name_length(at);
	const struct keyword *k;

	at = skip_blanks(skip_blanks(at + n) + 1) + 1;
	skip_newlines();
	from = at;
	k = keyword_here();
	if (!k || !k->run)
		unexpected();
	skipping++;
	compound(k);
	skipping--;
	if (!dry())
		remember(name, n, from, at);
}

// ---- calls

static void save_variable(const char *name, size_t n)
{
	struct outside *o = allocate(sizeof *o + n + 1);

	memcpy(o->name, name, n);
	o->name[n] = 0;
	o->text = copy_variable(name, n, &o->flags);
	o->next = outsides;
	outsides = o;
}

static void give_back(const struct outside *end)
{
	while (outsides != end) {
		struct outside *o = outsides;

		outsides = o->next;
		unset_variable(o->name);
		if (o->text)
			set_variable(o->text, o->flags);
		free(o->text);
		free(o);
	}
}

void call_function(struct function *f, struct simple *c)
{
	char **outer_positional = positional, **argv;
	int outer_count = positional_count, outer_loops = loops;
	const struct outside *outer_variables = outsides;
	struct word *name = c->words;
	struct walk outer;
	int8_t saved[10];

	if (calls == UINT8_MAX) {
		fatal(f->name, "calls are too deep", "");
		return;
	}
	if (redirect(c->redirections, saved) == 0) {
		for (const struct word *a = c->assignments; a; a = a->next) {
			save_variable(a->text, name_length(a->text));
			set_variable(a->text, V_EXPORTED);
		}
		positional_count = count_words(name) - 1;
		argv = positional = allocate((size_t)(positional_count + 2) * sizeof *positional);
		*argv++ = outer_positional[0];
		for (struct word *w = name->next; w; w = w->next)
			*argv++ = w->text;
		*argv = NULL;
		argv = positional;
		begin_text(&outer);
		calls++;
		depth++;
		f->running++;
		loops = 0;
		run_again(f->body, f->heres, f->pipe, f->background);
		returning = 0;
		loops = outer_loops;
		depth--;
		calls--;
		end_text(&outer);
		free(argv);
		positional = outer_positional;
		positional_count = outer_count;
		give_back(outer_variables);
		if (--f->running == 0 && f->replaced)
			free_function(f);
	}
	restore(saved);
}

// local NAME[=VALUE]... (not of POSIX, but everywhere)
int do_local(char **argv)
{
	if (!calls) {
		complain("local", "only in a function", "");
		return 1;
	}
	while (*++argv) {
		size_t n = name_length(*argv);

		if (!n || ((*argv)[n] && (*argv)[n] != '=')) {
			complain(*argv, "not a name", "");
			return 1;
		}
		save_variable(*argv, n);
		if ((*argv)[n])
			set_variable(*argv, 0);
	}
	return 0;
}
