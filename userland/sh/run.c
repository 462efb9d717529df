// SPDX-License-Identifier: ISC
//
// Processes: vfork and exec, redirections, waiting, the terminal. All that allocates is done before vfork: the child
// shares our memory until it execs.
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <octix/octix.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEPT = 8, CLOSED = -2 };

static int8_t kept[KEPT];          // descriptors put aside by redirect; children close them
static uint8_t kept_count;
pid_t shell_pid;                   // $$, in its forks, too; 0: there are none yet
static uint8_t had_capture;        // the words of this command ran one: its status counts

// --- Redirections ---

static int open_file(const struct redirection *r)
{
	static const int flags[] = { O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND, O_RDWR | O_CREAT };
	int fd = open(r->name, flags[r->kind], 0666);

	if (fd < 0)
		complain(r->name, strerror(errno), "");
	return fd;
}

// The text, to be read: in a pipe if it fits, else in a file that has no name any more.
static int here_file(const char *text)
{
	size_t n = strlen(text);
	char name[24] = "/tmp/sh.", number[12];
	int fd[2];

	if (n <= PIPE_BUF) {
		if (pipe(fd) < 0)
			return -1;
		print(fd[1], text);
		close(fd[1]);
		return fd[0];
	}
	strcat(name, decimal(getpid(), number));
	fd[0] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd[0] < 0)
		return -1;
	unlink(name);
	if (write(fd[0], text, n) == (ssize_t)n && lseek(fd[0], 0, SEEK_SET) == 0)
		return fd[0];
	close(fd[0]);
	return -1;
}

static void put_aside(int fd, int8_t saved[10])
{
	if (saved[fd] != -1)
		return;
	saved[fd] = (int8_t)dup(fd);
	if (saved[fd] < 0)
		saved[fd] = CLOSED;
	else if (kept_count < KEPT)
		kept[kept_count++] = saved[fd];
}

static int redirect_one(const struct redirection *r)
{
	int fd;

	if (r->kind == R_DUP) {
		if (r->from < 0)
			return close(r->fd), 0;
		if (dup2(r->from, r->fd) >= 0)
			return 0;
		complain(r->name, strerror(errno), "");
		return -1;
	}
	if (r->kind == R_HERE) {
		fd = here_file(r->name);
		if (fd < 0)
			complain("here-document", strerror(errno), "");
	} else
		fd = open_file(r);
	if (fd < 0)
		return -1;
	if (fd != r->fd) {
		dup2(fd, r->fd);
		close(fd);
	}
	return 0;
}

int redirect(const struct redirection *r, int8_t saved[10])
{
	if (saved)
		memset(saved, -1, 10);
	for (; r; r = r->next) {
		if (saved)
			put_aside(r->fd, saved);
		if (redirect_one(r) < 0) {
			status = 1;
			return -1;
		}
	}
	return 0;
}

static void forget_kept(int fd)
{
	for (int i = 0; i < kept_count; i++)
		if (kept[i] == fd) {
			kept[i] = kept[--kept_count];
			return;
		}
}

void restore(int8_t saved[10])
{
	for (int fd = 0; fd < 10; fd++)
		if (saved[fd] == CLOSED)
			close(fd);
		else if (saved[fd] >= 0) {
			dup2(saved[fd], fd);
			close(saved[fd]);
			forget_kept(saved[fd]);
		}
}

// --- Children ---

static void move_fd(int from, int to)
{
	if (from == to)
		return;
	dup2(from, to);
	close(from);
}

void set_signals(int ignore)
{
	static const uint8_t signals[] = { SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU };

	for (unsigned i = 0; i < sizeof signals; i++)
		oct_signal(signals[i], ignore ? OCT_SIG_IGN : OCT_SIG_DFL, NULL); // without the library's table of handlers
}

static void enter_child(const struct place *p)
{
	if (interactive) {
		pid_t group = p->group ? p->group : getpid();

		setpgid(0, group);
		if (!p->background)
			tcsetpgrp(0, group);
		set_signals(0);
	} else if (p->background)
		oct_signal(SIGINT, OCT_SIG_IGN, NULL);
	move_fd(p->in, 0);
	move_fd(p->out, 1);
	if (p->other > 0)
		close(p->other);
	for (int i = 0; i < kept_count; i++)
		close(kept[i]);
}

void started(pid_t pid, struct place *p)
{
	if (p->count < STAGES)
		p->pid[p->count++] = pid;
	if (pid <= 0)
		return;
	if (!p->group)
		p->group = pid;
	if (interactive) {
		setpgid(pid, p->group);
		if (!p->background)
			tcsetpgrp(0, p->group);
	}
}

static char **arguments(const struct word *words, int extra)
{
	char **argv = allocate((size_t)(count_words(words) + extra + 1) * sizeof *argv), **a = argv + extra;

	for (; words; words = words->next)
		*a++ = (char *)words->text;
	*a = NULL;
	return argv;
}

// A script begins with #!: on FAT every text may be executable, and running any of them would be a surprise.
static int is_script(const char *path)
{
	char head[2];
	int fd = open(path, O_RDONLY), n = fd < 0 ? 0 : read(fd, head, 2);

	close(fd);
	return n == 2 && head[0] == '#' && head[1] == '!';
}

static _Noreturn void not_run(const char *name, int error)
{
	if (error == ENOENT || error == ENOTDIR) {
		complain(name, "not found", "");
		_exit(STATUS_NOT_FOUND);
	}
	complain(name, error == EACCES || error == ENOEXEC ? "not executable: " : "cannot start: ", strerror(error));
	_exit(STATUS_NOT_EXECUTABLE);
}

// argv[0] is free and argv[1] the name; environ is the child's already.
static _Noreturn void execute(char **argv)
{
	if (strchr(argv[1], '/') && is_script(argv[1])) {
		argv[0] = (char *)"sh";
		execv("/bin/sh", argv);
	}
	execvp(argv[1], argv + 1);
	not_run(argv[1], errno);
}

static pid_t forked(const char *name, pid_t pid)
{
	if (pid < 0)
		complain(name, "cannot start: ", errno == EAGAIN ? "too many processes" : strerror(errno));
	return pid;
}

pid_t no_pipe(void)
{
	complain("pipe", strerror(errno), "");
	return -1;
}

pid_t start_simple(struct simple *c, const struct place *p)
{
	char **argv, **environment, **outer = environ;
	pid_t pid;

	if (!c->words)
		c->words = new_word("true", 4);
	argv = arguments(c->words, 1);
	environ = environment = environment_with(c->assignments);
	pid = vfork();
	if (pid == 0) {
		enter_child(p);
		if (redirect(c->redirections, NULL) < 0)
			_exit(1);
		execute(argv);
	}
	environ = outer;
	free(argv);
	free(environment);
	return forked(c->words->text, pid);
}

pid_t start_shell(void (*run)(void), const char *from, const char *end, const struct place *p)
{
	pid_t pid;

	if (!shell_pid)
		shell_pid = getpid();
	pid = fork();
	if (pid == 0) {
		enter_child(p);
		interactive = depth = loops = 0;
		forget_jobs();
		forget_traps();
		at = from;
		last_end = skip_blanks(end);
		run();
		leave(status);
	}
	return forked("sh", pid);
}

// --- Waiting ---

// Whether Ctrl-C was typed while no process but the shell was there to be killed: reading nothing tells.
int was_interrupted(void)
{
	char none;

	return interactive && read(0, &none, 0) < 0 && errno == EINTR;
}

// --- Simple commands ---

// A command of the shell with variables of its own: IFS= read.
static void run_with(const struct word *assignments, char **argv)
{
	size_t n = name_length(assignments->text);
	uint8_t flags = 0;
	char *old = copy_variable(assignments->text, n, &flags);

	set_variable(assignments->text, V_EXPORTED);
	if (assignments->next)
		run_with(assignments->next, argv);
	else
		status = run_builtin(argv);
	if (old) {
		set_variable(old, 0);
		free(old);
	} else {
		char *name = strdup(assignments->text);

		name[n] = 0;
		unset_variable(name);
		free(name);
	}
}

static void run_in_shell(struct simple *c)
{
	int8_t saved[10];
	char **argv = arguments(c->words, 0);
	int kept_status = had_capture ? status : 0;

	if (!c->redirections || redirect(c->redirections, saved) == 0) {
		if (!*argv)
			status = kept_status;
		else if (c->assignments)
			run_with(c->assignments, argv);
		else
			status = run_builtin(argv);
	}
	had_capture = 0;
	if (c->redirections)
		restore(saved);
	free(argv);
}

// The last command of `sh -c` takes the shell's place.
static void become(struct simple *c)
{
	char **argv = arguments(c->words, 1);

	environ = environment_with(c->assignments);
	if (redirect(c->redirections, NULL) < 0)
		_exit(1);
	execute(argv);
}

static void run_exec(struct simple *c)
{
	struct word *first = c->words;

	c->words = first->next;
	if (c->words)
		become(c);
	status = 0;
	redirect(c->redirections, NULL); // for good
	c->words = first;
}

void run_simple(struct simple *c, const char *from)
{
	struct place p = { .out = 1, .other = -1 };
	struct function *f;

	if (aborted)
		return; // an expansion has failed
	if (option('x'))
		trace(c);
	f = c->words ? find_function(c->words->text) : NULL;
	if (f) {
		call_function(f, c);
		return;
	}
	if (c->words && strcmp(c->words->text, "exec") == 0) {
		run_exec(c);
		return;
	}
	if (!c->words || is_builtin(c->words->text)) {
		run_in_shell(c);
		return;
	}
	if (last_end && depth == 0 && skip_blanks(at) == last_end && !kept_count && !has_traps())
		become(c);
	started(start_simple(c, &p), &p);
	foreground(&p, from, at);
}

// --- Command substitution ---

static void read_all(int fd, struct buffer *b)
{
	char chunk[64];
	int n;

	while ((n = read(fd, chunk, sizeof chunk)) > 0)
		for (int i = 0; i < n; i++)
			put_char(b, chunk[i]);
}

// What the child of a capture runs.
static const char *captured;

static void run_captured(void)
{
	last_end = captured + strlen(captured);
	run_text(captured);
}

char *capture(const char *text)
{
	struct buffer b = { 0 };
	struct place p = { .background = 1 };
	int fd[2];
	pid_t pid;

	if (pipe(fd) == 0) {
		p.out = fd[1];
		p.other = fd[0];
		captured = text;
		pid = start_shell(run_captured, text, text, &p);
		close(fd[1]);
		read_all(fd[0], &b);
		close(fd[0]);
		wait_for(pid);
	} else {
		wait_for(no_pipe());
	}
	had_capture = 1;
	while (b.length && b.text[b.length - 1] == '\n')
		b.length--;
	put_char(&b, 0);
	return b.text;
}
