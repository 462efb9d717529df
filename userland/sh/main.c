// SPDX-License-Identifier: ISC
//
// The shell's start and where its text comes from: a terminal, a pipe, a file, the command line.
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <program.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

PROGRAM(sh, "[-efux] [-c TEXT | FILE] [ARGUMENT...]", "the shell: runs commands");

int interactive, status, last_background, depth, positional_count;
const char *last_end;
pid_t shell_group;
char **positional;

enum { CHUNK = 128, END = -1, INTERRUPTED = -2 }; // the source ends; Ctrl-C

// Where lines come from. What a command may read too is taken byte by byte, or by the line from a terminal.
struct source {
	int fd;
	uint8_t step;            // bytes to ask for at a time
	uint8_t used, have;
	char chunk[CHUNK];
};

static int next_char(struct source *s)
{
	while (s->used == s->have) {
		int n;

		do
			n = read(s->fd, s->chunk, s->step);
		while (n < 0 && made_blocking(s->fd));
		if (n < 0 && errno == EINTR && trapped) {
			run_traps();
			continue;
		}
		if (n <= 0)
			return n < 0 && errno == EINTR ? INTERRUPTED : END;
		s->used = 0;
		s->have = (uint8_t)n;
	}
	return (unsigned char)s->chunk[s->used++];
}

// Appends a line with its newline; END or INTERRUPTED when there is no more.
static int add_line(struct source *s, struct buffer *text)
{
	int c;

	do {
		c = next_char(s);
		if (c < 0)
			return c;
		if (c)
			put_char(text, (char)c);
	} while (c != '\n');
	return 1;
}

static void prompt(int more)
{
	const char *text = get_variable(more ? "PS2" : "PS1", 3);

	if (!interactive)
		return;
	reap(1);
	if (text) {
		char *expanded = expand_here(text, text + strlen(text));

		print(2, expanded);
		free(expanded);
	} else
		print(2, more ? "> " : getuid() ? "$ " : "# ");
}

static int syntax_error(int kind)
{
	if (kind == CHECK_INCOMPLETE)
		complain("syntax error", "unexpected end", "");
	status = STATUS_SYNTAX;
	return -1;
}

int run_text(const char *text)
{
	struct walk outer;
	int result;

	begin_text(&outer);
	result = check(text);
	if (result == CHECK_OK) {
		at = text;
		run_list();
	} else
		syntax_error(result);
	end_text(&outer);
	return result == CHECK_OK ? 0 : -1;
}

// Reads until the text is a whole command, a wrong one, or the source ends within one: CHECK_*.
// END or INTERRUPTED: there is none.
static int read_command(struct source *s, struct buffer *text)
{
	int result = CHECK_INCOMPLETE;

	for (text->length = 0; result == CHECK_INCOMPLETE;) {
		uint16_t before = text->length;
		int more;

		prompt(before > 0);
		more = add_line(s, text);
		if (more == INTERRUPTED)
			return INTERRUPTED;
		if (text->length == before)
			return before ? CHECK_INCOMPLETE : END;
		put_char(text, 0);
		text->length--;
		result = check(text->text);
	}
	return result;
}

static void run_source(struct source *s)
{
	struct buffer text = { 0 };
	struct walk outer;
	int result;

	begin_text(&outer);
	while (!returning && (result = read_command(s, &text)) != END) {
		if (result == INTERRUPTED)
			status = STATUS_SIGNAL + SIGINT; // the terminal has begun a new line
		else if (result != CHECK_OK)
			syntax_error(result);
		else {
			at = text.text;
			run_list();
			result = aborted ? CHECK_ERROR : CHECK_OK;
		}
		breaking = 0;
		if (interactive)
			aborted = 0;
		else if (result != CHECK_OK)
			break;
	}
	end_text(&outer);
	free(text.text);
}

int run_file(int fd)
{
	struct source s = { .fd = fd, .step = CHUNK };
	int was_interactive = interactive;

	interactive = 0;
	status = 0;
	run_source(&s);
	interactive = was_interactive;
	returning = 0;
	return status;
}

static int run_script(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		complain(path, strerror(errno), "");
		return STATUS_NOT_FOUND;
	}
	return run_file(fd);
}

static int run_input(void)
{
	struct source s = { .step = 1 };

	if (isatty(0)) {
		s.step = CHUNK;
		interactive = 1;
		set_signals(1);
		setpgid(0, 0);
		shell_group = getpgrp();
		tcsetpgrp(0, shell_group);
	}
	run_source(&s);
	return status;
}

static int run_argument(char **argv)
{
	if (!*argv) {
		complain("-c", "what?", "");
		return STATUS_SYNTAX;
	}
	last_end = *argv + strlen(*argv);
	run_text(*argv);
	return status;
}

static void take_positional(char **from, int count)
{
	if (count > 0) {
		positional = from;
		positional_count = count - 1;
	}
}

static _Noreturn void usage(int with)
{
	print(2, "usage: sh [-efux] [-c TEXT | FILE] [ARGUMENT...]\n");
	_exit(with);
}

int main(int argc, char **argv)
{
	char **end = argv + argc, **arguments = argv + 1;
	int text = 0;

	positional = argv;
	import_environment();
	if (!get_variable("PATH", 4))
		set_variable("PATH=/bin:/sbin", V_EXPORTED);
	for (; *arguments && (**arguments == '-' || **arguments == '+') && (*arguments)[1]; arguments++) {
		char *one[] = { *arguments, NULL }, **rest = one, *c = strchr(*arguments, 'c');

		if (strcmp(*arguments, "--") == 0) {
			arguments++;
			break;
		}
		if (strcmp(*arguments, "--help") == 0)
			usage(0);
		if (c) { // -c, and others with it
			text = 1;
			memmove(c, c + 1, strlen(c));
		}
		if ((*arguments)[1] && set_options(&rest) == 1)
			usage(STATUS_SYNTAX);
	}
	take_positional(arguments + text, (int)(end - arguments) - text);
	if (text)
		leave(run_argument(arguments));
	leave(*arguments ? run_script(*arguments) : run_input());
}
