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

int do_true(char **argv __attribute__((unused)))
{
	return 0;
}

int do_false(char **argv __attribute__((unused)))
{
	return 1;
}

int do_echo(char **argv)
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

// cd [FOLDER | -]: PWD and OLDPWD are kept up.
int do_cd(char **argv)
{
	const char *to = argv[1] ? argv[1] : get_variable("HOME", 4);
	int back = to && strcmp(to, "-") == 0;
	char *here;

	if (back)
		to = get_variable("OLDPWD", 6);
	if (!to)
		return failed("cd", back ? "there was none before" : "HOME is not set");
	here = getcwd(NULL, 0);
	if (chdir(to) < 0) {
		free(here);
		return failed(to, strerror(errno));
	}
	if (here)
		assign("OLDPWD", 6, here);
	free(here);
	here = getcwd(NULL, 0);
	if (here)
		assign("PWD", 3, here);
	if (back && here) {
		print(1, here);
		print(1, "\n");
	}
	free(here);
	return 0;
}

int do_exit(char **argv)
{
	if (interactive && warn_of_stopped())
		return 1;
	leave(argv[1] ? atoi(argv[1]) & 0xff : status);
}

// return [STATUS]: from a function or a sourced file
int do_return(char **argv)
{
	returning = 1;
	return argv[1] ? atoi(argv[1]) & 0xff : status;
}

static int mark(char **argv, int flag)
{
	if (argv[1] && strcmp(argv[1], "-p") == 0)
		argv++;
	if (!argv[1])
		print_variables(flag);
	while (*++argv) {
		size_t n = name_length(*argv);

		if (!n || ((*argv)[n] && (*argv)[n] != '='))
			return failed(*argv, "not a name");
		if ((*argv)[n])
			set_variable(*argv, flag);
		else if (get_variable(*argv, n) || flag == V_EXPORTED)
			mark_variable(*argv, flag);
		else
			assign(*argv, n, ""), mark_variable(*argv, flag);
	}
	return 0;
}

int do_export(char **argv)
{
	return mark(argv, V_EXPORTED);
}

int do_readonly(char **argv)
{
	return mark(argv, V_READONLY);
}

// unset [-v | -f] NAME...
int do_unset(char **argv)
{
	int functions = argv[1] && strcmp(argv[1], "-f") == 0;

	argv += functions || (argv[1] && strcmp(argv[1], "-v") == 0);
	while (*++argv)
		if (functions)
			unset_function(*argv);
		else
			unset_variable(*argv);
	return 0;
}

// eval WORD...: the words, with blanks between them, are a command.
int do_eval(char **argv)
{
	struct buffer b = { 0 };

	status = 0;
	while (*++argv) {
		for (const char *c = *argv; *c; c++)
			put_char(&b, *c);
		put_char(&b, argv[1] ? ' ' : '\n');
	}
	put_char(&b, 0);
	depth++;
	run_text(b.text);
	depth--;
	free(b.text);
	return status;
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

int do_set(char **argv)
{
	int dashes = argv[1] && strcmp(argv[1], "--") == 0;

	if (!argv[1]) {
		print_variables(0);
		return 0;
	}
	argv++;
	switch (set_options(&argv)) {
	case 0:
		set_positional(argv);
		break;
	case 1:
		if (!interactive)
			leave(STATUS_SYNTAX);
		return STATUS_SYNTAX;
	default:
		if (dashes)
			set_positional(argv);
	}
	return 0;
}

int do_shift(char **argv)
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
int do_kill(char **argv)
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

int do_dot(char **argv)
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

// A line, in which a backslash stands before each character that is no separator whatever it is. 1: the input has ended.
static int read_line(struct buffer *b, int raw)
{
	char c;

	while (read(0, &c, 1) == 1) {
		if (c == '\n')
			return 0;
		if (c == '\\') {
			if (!raw && read(0, &c, 1) != 1)
				return 1;
			if (!raw && c == '\n')
				continue; // the next line belongs to it
			put_char(b, '\\');
		}
		put_char(b, c);
	}
	return 1;
}

static const char *skip_white(const char *p, const char *separators)
{
	while (*p && strchr(" \t\n", *p) && strchr(separators, *p))
		p++;
	return p;
}

// Takes a field off the line, into the variable; returns behind its separator. The last one takes the rest.
static const char *read_field(const char *name, const char *p, const char *separators, int last)
{
	struct buffer b = { 0 };
	uint16_t length = 0; // without the separators at the end

	for (; *p && (last || !strchr(separators, *p)); p++) {
		int literal = *p == '\\';

		p += literal;
		put_char(&b, *p);
		if (literal || !strchr(" \t\n", *p) || !strchr(separators, *p))
			length = b.length;
	}
	b.length = last ? length : b.length;
	put_char(&b, 0);
	assign(name, strlen(name), b.text);
	free(b.text);
	p = skip_white(p, separators);
	if (*p && strchr(separators, *p))
		p = skip_white(p + 1, separators);
	return p;
}

// read [-r] [NAME...]: the last one takes the rest of the line.
int do_read(char **argv)
{
	static char reply[] = "REPLY";
	char *usual[] = { reply, NULL };
	int raw = argv[1] && strcmp(argv[1], "-r") == 0, result;
	const char *separators = get_variable("IFS", 3), *p;
	struct buffer line = { 0 };
	char *set;

	argv += 1 + raw;
	if (!*argv)
		argv = usual;
	set = strdup(separators ? separators : " \t\n"); // IFS may be among the names
	result = read_line(&line, raw);
	put_char(&line, 0);
	p = skip_white(line.text, set);
	for (; *argv; argv++) {
		if (!is_name(*argv, strlen(*argv))) {
			result = failed(*argv, "not a name");
			break;
		}
		p = read_field(*argv, p, set, !argv[1]);
	}
	free(set);
	free(line.text);
	return result;
}

static int levels(const char *count)
{
	int n = count ? atoi(count) : 1;

	return n < 1 ? 1 : n > loops ? loops : n;
}

int do_break(char **argv)
{
	breaking = levels(argv[1]);
	continuing = 0;
	return 0;
}

int do_continue(char **argv)
{
	breaking = levels(argv[1]);
	continuing = 1;
	return 0;
}

int do_umask(char **argv)
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

static int next_option(const char *letters, const char *name, char **args, int count)
{
	static uint8_t within; // so many letters of the argument have been taken
	const char *text = get_variable("OPTIND", 6), *arg, *known;
	int i = text ? atoi(text) : 1, quiet = *letters == ':';
	char letter[2] = "?", number[12];

	if (i < 1 || (within && i > count))
		within = 0;
	arg = i >= 1 && i <= count ? args[i] : "";
	unset_variable("OPTARG");
	if (!within) {
		if (*arg != '-' || !arg[1])
			return 1;
		if (strcmp(arg, "--") == 0) {
			assign("OPTIND", 6, decimal(i + 1, number));
			return 1;
		}
		within = 1;
	}
	letter[0] = arg[within++];
	known = letter[0] == ':' ? NULL : strchr(letters + quiet, letter[0]);
	if (known && known[1] == ':') {
		if (!arg[within])
			arg = ++i <= count ? args[i] : NULL;
		else
			arg += within;
		i++;
		within = 0;
	} else if (!arg[within]) {
		i++;
		within = 0;
	}
	assign("OPTIND", 6, decimal(i, number));
	if (known && (known[1] != ':' || arg)) {
		if (known[1] == ':')
			assign("OPTARG", 6, arg);
		assign(name, strlen(name), letter);
		return 0;
	}
	if (quiet)
		assign("OPTARG", 6, letter);
	else
		complain(letter, known ? "this option needs an argument" : "no such option", "");
	assign(name, strlen(name), quiet && known ? ":" : "?");
	return 0;
}

// getopts LETTERS NAME [ARGUMENT...]
int do_getopts(char **argv)
{
	int count = 0;

	if (!argv[1] || !argv[2] || !is_name(argv[2], strlen(argv[2])))
		return failed("getopts", "option letters and a name are needed"), STATUS_SYNTAX;
	if (!argv[3])
		return next_option(argv[1], argv[2], positional, positional_count);
	while (argv[3 + count])
		count++;
	return next_option(argv[1], argv[2], argv + 2, count);
}

// Where a program lies, from malloc; NULL: nowhere.
static char *look_up(const char *name)
{
	const char *path = get_variable("PATH", 4);
	size_t length = strlen(name);

	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? strdup(name) : NULL;
	while (path && *path) {
		size_t n = strcspn(path, ":");
		char *file = allocate(n + length + 2);

		memcpy(file, path, n);
		file[n] = '/';
		strcpy(file + n + (n > 0), name);
		if (access(file, X_OK) == 0)
			return file;
		free(file);
		path += n + (path[n] == ':');
	}
	return NULL;
}

static int describe(const char *name, int brief)
{
	char *file = NULL;
	const char *what = find_function(name) ? " is a function" : is_builtin(name) || strcmp(name, "exec") == 0 ? " is a command of the shell" : NULL;

	if (!what) {
		file = look_up(name);
		if (!file) {
			if (!brief)
				complain(name, "not found", "");
			return STATUS_NOT_FOUND;
		}
	}
	print(1, file && brief ? file : name);
	if (!brief) {
		print(1, what ? what : " is ");
		print(1, file ? file : "");
	}
	print(1, "\n");
	free(file);
	return 0;
}

int do_type(char **argv)
{
	int result = 0;

	while (*++argv)
		result |= describe(*argv, 0);
	return result;
}

// command [-v | -V] NAME [ARGUMENT...]: no function
int do_command(char **argv)
{
	struct place p = { .out = 1, .other = -1 };
	struct simple c = { 0 };
	struct word **last = &c.words;
	pid_t pid;

	if (argv[1] && (strcmp(argv[1], "-v") == 0 || strcmp(argv[1], "-V") == 0))
		return argv[2] ? describe(argv[2], argv[1][1] == 'v') : 1;
	if (!argv[1])
		return 0;
	if (is_builtin(argv[1]))
		return run_builtin(argv + 1);
	while (*++argv) {
		*last = new_word(*argv, strlen(*argv));
		last = &(*last)->next;
	}
	pid = start_simple(&c, &p);
	started(pid, &p);
	foreground(&p, c.words->text, c.words->text + strlen(c.words->text));
	free_words(c.words);
	return status;
}
