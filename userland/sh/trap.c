// SPDX-License-Identifier: ISC
//
// Traps, and the end of the shell (POSIX trap, exit).
#include "sh.h"

#include <octix/octix.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT = 0 };

struct trap {
	struct trap *next;
	uint8_t signal;
	char action[];     // empty: the signal is ignored
};

volatile uint8_t trapped;
static volatile uint32_t pending; // bit n: signal n
static struct trap *traps;

// What the kernel enters: the library's table of handlers would take a page that every line needs.
static _Noreturn void caught(int signal, struct oct_sigframe *frame)
{
	pending |= (uint32_t)1 << signal;
	trapped = (uint8_t)signal;
	oct_sigreturn(frame, 0);
	__builtin_trap();
}

static struct trap **place_of(int signal)
{
	struct trap **t = &traps;

	while (*t && (*t)->signal != signal)
		t = &(*t)->next;
	return t;
}

int has_traps(void)
{
	return traps != NULL;
}

static void run_action(const struct trap *t)
{
	int outer = status;
	char *action = strdup(t->action); // which it may change

	depth++;
	run_text(action);
	depth--;
	status = outer;
	free(action);
}

void run_traps(void)
{
	while (trapped) {
		trapped = 0;
		for (int signal = 1; signal < NSIG; signal++)
			if (pending >> signal & 1) {
				const struct trap *t = *place_of(signal);

				pending &= ~((uint32_t)1 << signal);
				if (t)
					run_action(t);
			}
	}
}

_Noreturn void leave(int with)
{
	const struct trap *t = *place_of(EXIT);

	status = with;
	if (t) {
		char *action = strdup(t->action);

		forget_traps();
		breaking = aborted = returning = 0;
		run_text(action);
	}
	_exit(with);
}

void fatal(const char *what, const char *why, const char *more)
{
	complain(what, why, more);
	status = STATUS_SYNTAX;
	if (!interactive)
		leave(STATUS_SYNTAX);
	aborted = 1;
}

static void set_action(int signal, const char *action)
{
	struct trap **place = place_of(signal), *t = *place;

	if (t) {
		*place = t->next;
		free(t);
	}
	if (action) {
		t = allocate(sizeof *t + strlen(action) + 1);
		t->signal = (uint8_t)signal;
		strcpy(t->action, action);
		t->next = traps;
		traps = t;
	}
	if (signal != EXIT)
		oct_signal(signal, !action ? OCT_SIG_DFL : *action ? OCT_SIG_CATCH : OCT_SIG_IGN, (void *)caught);
}

void forget_traps(void)
{
	for (struct trap *t = traps, *next; t; t = next) {
		next = t->next;
		if (*t->action)
			set_action(t->signal, NULL);
	}
}

static int number_of(const char *name)
{
	int signal;

	if (strcmp(name, "EXIT") == 0 || strcmp(name, "0") == 0)
		return EXIT;
	return str2sig(strncmp(name, "SIG", 3) == 0 ? name + 3 : name, &signal) < 0 ? -1 : signal;
}

static void print_traps(void)
{
	for (const struct trap *t = traps; t; t = t->next) {
		char name[SIG2STR_MAX] = "EXIT";

		if (t->signal)
			sig2str(t->signal, name);
		print(1, "trap -- '");
		for (const char *c = t->action; *c; c++) {
			char text[2] = { *c };

			print(1, *c == '\'' ? "'\\''" : text);
		}
		print(1, "' ");
		print(1, name);
		print(1, "\n");
	}
}

// trap [ACTION | -] SIGNAL... | SIGNAL...
int do_trap(char **argv)
{
	const char *action = *++argv;
	int result = 0;

	if (action && strcmp(action, "--") == 0)
		action = *++argv;
	if (!action)
		print_traps();
	else if (!argv[1] && number_of(action) >= 0)
		action = NULL;
	else if (strcmp(action, "-") == 0)
		action = NULL, argv++;
	else
		argv++;
	for (; *argv; argv++) {
		int signal = number_of(*argv);

		if (signal < 0) {
			complain(*argv, "no such signal", "");
			result = 1;
		} else
			set_action(signal, action);
	}
	return result;
}
