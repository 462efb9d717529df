// SPDX-License-Identifier: ISC
//
// Commands inside the shell: those that change it, and the three that are not worth a process.
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed(const char *name, const char *what)
{
	complain(name, what, "");
	return 1;
}

static int do_true(char **argv __attribute__((unused)))
{
	return 0;
}

static int do_false(char **argv __attribute__((unused)))
{
	return 1;
}

static int do_echo(char **argv)
{
	struct buffer b = { 0 };
	int newline = 1;

	if (argv[1] && strcmp(argv[1], "-n") == 0) {
		newline = 0;
		argv++;
	}
	while (*++argv) {
		for (const char *c = *argv; *c; c++)
			put_char(&b, *c);
		if (argv[1])
			put_char(&b, ' ');
	}
	if (newline)
		put_char(&b, '\n');
	put_char(&b, 0);
	print(1, b.text);
	free(b.text);
	return 0;
}

static int do_cd(char **argv)
{
	const char *to = argv[1] ? argv[1] : get_variable("HOME", 4);

	if (chdir(to ? to : "/") == 0)
		return 0;
	return failed(to, strerror(errno));
}

static int do_exit(char **argv)
{
	if (interactive && warn_of_stopped())
		return 1;
	_exit(argv[1] ? atoi(argv[1]) : status);
}

static int do_export(char **argv)
{
	if (!argv[1])
		print_variables(1);
	while (*++argv)
		if (!is_name(*argv, 1))
			return failed(*argv, "not a name");
		else if (strchr(*argv, '='))
			set_variable(*argv, 1);
		else
			export_variable(*argv);
	return 0;
}

static int do_unset(char **argv)
{
	while (*++argv)
		unset_variable(*argv);
	return 0;
}

static void set_positional(char **values)
{
	int n = 0;
	char **copy;

	while (values[n])
		n++;
	copy = allocate((size_t)(n + 2) * sizeof *copy);
	copy[0] = positional[0];
	for (int i = 0; i < n; i++)
		copy[i + 1] = strdup(values[i]);
	copy[n + 1] = NULL;
	positional = copy; // what it was may lie on the stack of main
	positional_count = n;
}

static int do_set(char **argv)
{
	if (!argv[1])
		print_variables(0);
	else if (strcmp(argv[1], "--") == 0)
		set_positional(argv + 2);
	else if (*argv[1] == '-')
		return failed(argv[1], "no such option");
	else
		set_positional(argv + 1);
	return 0;
}

static int do_shift(char **argv)
{
	int n = argv[1] ? atoi(argv[1]) : 1;
	char **moved;

	if (n < 0 || n > positional_count)
		return failed("shift", "too many");
	moved = positional + n;
	moved[0] = positional[0];
	positional = moved;
	positional_count -= n;
	return 0;
}

static int send(const char *to, int sig)
{
	char *end;
	pid_t pid = *to == '%' ? -job_group(to) : (pid_t)strtol(to, &end, 10);

	if (*to == '%' ? !pid : end == to || *end)
		return *to == '%' ? 1 : failed(to, "not a process number");
	if (kill(pid, sig) < 0)
		return failed(to, strerror(errno));
	if (*to == '%' && (sig == SIGTERM || sig == SIGHUP))
		kill(pid, SIGCONT); // a job that is stopped could not end
	return 0;
}

static int list_signals(void)
{
	char name[SIG2STR_MAX], number[12];

	for (int sig = 1; sig < NSIG; sig++)
		if (sig2str(sig, name) == 0) {
			print(1, decimal(sig, number));
			print(1, " ");
			print(1, name);
			print(1, "\n");
		}
	return 0;
}

// kill [-SIGNAL] PID|%JOB... | -l
static int do_kill(char **argv)
{
	int sig = SIGTERM, result = 0;
	const char *name = argv[1];

	if (name && strcmp(name, "-l") == 0)
		return list_signals();
	if (name && *name == '-' && name[1] && name[1] != '-') {
		name += strncmp(name, "-SIG", 4) == 0 ? 4 : 1;
		if (str2sig(name, &sig) < 0 && strcmp(name, "0") != 0)
			return failed(argv[1], "no such signal");
		if (*name == '0')
			sig = 0;
		argv++;
	}
	if (argv[1] && strcmp(argv[1], "--") == 0)
		argv++;
	if (!argv[1])
		return failed("kill", "which process?");
	while (*++argv)
		result |= send(*argv, sig);
	return result;
}

static int do_dot(char **argv)
{
	int fd = argv[1] ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return failed(argv[1] ? argv[1] : ".", argv[1] ? strerror(errno) : "which file?");
	depth++;
	status = run_file(fd);
	depth--;
	close(fd);
	return status;
}

static int read_line(struct buffer *b)
{
	char c;

	while (read(0, &c, 1) == 1) {
		if (c == '\n')
			return 0;
		put_char(b, c);
	}
	return b->length ? 0 : 1;
}

// read NAME...: the last one takes the rest of the line.
static int do_read(char **argv)
{
	struct buffer line = { 0 }, b;
	int result = read_line(&line);
	const char *p;

	put_char(&line, 0);
	p = line.text;
	while (*++argv) {
		size_t n;

		p += strspn(p, " \t");
		n = argv[1] ? strcspn(p, " \t") : strlen(p);
		b = (struct buffer){ 0 };
		for (const char *c = *argv; *c; c++)
			put_char(&b, *c);
		put_char(&b, '=');
		for (size_t i = 0; i < n; i++)
			put_char(&b, p[i]);
		put_char(&b, 0);
		set_variable(b.text, 0);
		free(b.text);
		p += n;
	}
	free(line.text);
	return result;
}

static int levels(const char *count)
{
	int n = count ? atoi(count) : 1;

	return n < 1 ? 1 : n > loops ? loops : n;
}

static int do_break(char **argv)
{
	breaking = levels(argv[1]);
	continuing = 0;
	return 0;
}

static int do_continue(char **argv)
{
	breaking = levels(argv[1]);
	continuing = 1;
	return 0;
}

static int do_umask(char **argv)
{
	mode_t old = umask(0);
	char *end = argv[1];
	unsigned long mask = argv[1] ? strtoul(argv[1], &end, 8) : old;
	char text[5];

	umask(old);
	if (end && (*end || end == argv[1] || mask > 0777))
		return failed(argv[1], "not an octal number up to 777");
	umask((mode_t)mask);
	if (argv[1])
		return 0;
	for (int i = 0; i < 4; i++)
		text[i] = (char)('0' + (old >> (9 - 3 * i) & 7));
	text[4] = '\n';
	return write(1, text, sizeof text) != sizeof text;
}

static const struct builtin {
	char name[10];
	uint8_t flags;
	int (*run)(char **argv);
} builtins[] = {
	{ ":", 0, do_true },           { "true", 0, do_true },        { "false", 0, do_false },
	{ "echo", 0, do_echo },        { "cd", B_STATE, do_cd },      { "exit", B_STATE, do_exit },
	{ "export", B_STATE, do_export }, { "unset", B_STATE, do_unset }, { "set", B_STATE, do_set },
	{ "shift", B_STATE, do_shift }, { "wait", B_STATE, do_wait }, { "jobs", B_STATE, do_jobs },
	{ ".", B_STATE, do_dot },      { "read", B_STATE, do_read },  { "break", B_STATE, do_break },
	{ "fg", B_STATE, do_fg },      { "bg", B_STATE, do_bg },      { "kill", B_STATE, do_kill },
	{ "continue", B_STATE, do_continue }, { "umask", B_STATE, do_umask }, { "test", B_STATE, do_test }, { "[", B_STATE, do_test },
};

static const struct builtin *find(const char *name)
{
	for (unsigned i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

int is_builtin(const char *name)
{
	return find(name) != NULL;
}

int changes_shell(const char *name)
{
	const struct builtin *b = find(name);

	return (b && b->flags & B_STATE) || strcmp(name, ":") == 0 || strcmp(name, "exec") == 0;
}

int run_builtin(char **argv)
{
	return find(argv[0])->run(argv);
}
