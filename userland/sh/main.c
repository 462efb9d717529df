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

PROGRAM(sh, "[-c TEXT] [FILE] [ARGUMENT...]", "the shell: runs commands");

int interactive, status, last_background, depth, last_text, positional_count;
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
	if (s->used == s->have) {
		int n;

		do
			n = read(s->fd, s->chunk, s->step);
		while (n < 0 && made_blocking(s->fd));
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
	if (interactive) {
		reap(1);
		print(2, more ? "> " : getuid() ? "$ " : "# ");
	}
}

static void run_checked(const char *text)
{
	at = text;
	aborted = breaking = 0;
	run_list();
	aborted = 0;
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
	int result = check(text);

	if (result != CHECK_OK)
		return syntax_error(result);
	run_checked(text);
	return 0;
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

static int run_source(struct source *s)
{
	struct buffer text = { 0 };
	int result;

	while ((result = read_command(s, &text)) != END)
		if (result == INTERRUPTED)
			status = STATUS_SIGNAL + SIGINT; // the terminal has begun a new line
		else if (result == CHECK_OK)
			run_checked(text.text);
		else {
			syntax_error(result);
			if (!interactive)
				break;
		}
	free(text.text);
	return status;
}

int run_file(int fd)
{
	struct source s = { .fd = fd, .step = CHUNK };
	const char *outer = at;
	int was_interactive = interactive, result;

	interactive = 0;
	result = run_source(&s);
	interactive = was_interactive;
	at = outer;
	return result;
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
	return run_source(&s);
}

static int run_argument(int argc, char **argv)
{
	if (argc < 3) {
		complain("-c", "what?", "");
		return STATUS_SYNTAX;
	}
	if (argc > 3) {
		positional = argv + 3;
		positional_count = argc - 4;
	}
	last_text = 1;
	run_text(argv[2]);
	return status;
}

int main(int argc, char **argv)
{
	positional = argv;
	import_environment();
	if (!get_variable("PATH", 4))
		set_variable("PATH=/bin:/sbin", 1);
	if (argc > 1 && strcmp(argv[1], "-c") == 0)
		_exit(run_argument(argc, argv));
	if (argc > 1 && *argv[1] == '-') {
		print(2, "usage: sh [-c TEXT] [FILE] [ARGUMENT...]\n");
		_exit(strcmp(argv[1], "--help") == 0 ? 0 : STATUS_SYNTAX);
	}
	if (argc > 1) {
		positional = argv + 1;
		positional_count = argc - 2;
		_exit(run_script(argv[1]));
	}
	_exit(run_input());
}
