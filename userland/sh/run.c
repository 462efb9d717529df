// SPDX-License-Identifier: ISC
//
// Processes: vfork and exec, redirections, waiting, the terminal. All that allocates is done before vfork: the child
// shares our memory until it execs.
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 8, KEPT = 8, CLOSED = -2 };

static pid_t job[JOBS];            // running in the background
static int8_t kept[KEPT];          // descriptors put aside by redirect; children close them
static uint8_t kept_count;
static uint8_t had_capture;        // the words of this command ran one: its status counts

// --- Redirections ---

static int open_file(const struct redirection *r)
{
	static const int flags[] = { O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND };
	int fd = open(r->name, flags[r->kind], 0666);

	if (fd < 0)
		complain(r->name, strerror(errno), "");
	return fd;
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

static void enter_child(const struct place *p)
{
	if (interactive) {
		pid_t group = p->group ? p->group : getpid();

		setpgid(0, group);
		if (!p->background)
			tcsetpgrp(0, group);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
	} else if (p->background)
		signal(SIGINT, SIG_IGN);
	move_fd(p->in, 0);
	move_fd(p->out, 1);
	if (p->other > 0)
		close(p->other);
	for (int i = 0; i < kept_count; i++)
		close(kept[i]);
}

void started(pid_t pid, struct place *p)
{
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
	environ = environment = environment_with(c->assignments, 0);
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

// `sh -c TEXT $0 $1 ..` with all variables in its environment.
pid_t start_text(const char *from, const char *end, const struct place *p)
{
	struct word *text = new_word(from, (size_t)(end - from));
	char **argv = allocate((size_t)(positional_count + 5) * sizeof *argv), **environment = environment_with(NULL, 1);
	pid_t pid;

	argv[0] = (char *)"sh";
	argv[1] = (char *)"-c";
	argv[2] = text->text;
	memcpy(argv + 3, positional, (size_t)(positional_count + 1) * sizeof *argv);
	argv[4 + positional_count] = NULL;
	pid = vfork();
	if (pid == 0) {
		enter_child(p);
		execve("/bin/sh", argv, environment);
		not_run("/bin/sh", errno);
	}
	free(argv);
	free(environment);
	free(text);
	return forked("/bin/sh", pid);
}

// --- Waiting ---

static const char *signal_text(int sig)
{
	static const char texts[] = "\1Hangup\0\3Quit\0\4Illegal instruction\0\5Trace trap\0\6Aborted\0\10Arithmetic exception\0"
				    "\11Killed\0\12Bus error\0\13Segmentation fault\0\16Alarm clock\0\17Terminated\0";

	for (const char *t = texts; *t; t += strlen(t) + 1)
		if (*t == sig)
			return t + 1;
	return NULL;
}

// Whether Ctrl-C was typed while no process but the shell was there to be killed: reading nothing tells.
int was_interrupted(void)
{
	char none;

	return interactive && read(0, &none, 0) < 0 && errno == EINTR;
}

static void killed(int sig)
{
	const char *text = signal_text(sig);

	status = STATUS_SIGNAL + sig;
	if (sig == SIGINT && interactive) {
		aborted = 1;
		was_interrupted(); // the terminal need not tell it again
	}
	if (text) {
		print(2, text);
		print(2, "\n");
	}
}

void wait_for(pid_t pid)
{
	int result;

	if (pid < 0) {
		status = STATUS_NOT_EXECUTABLE;
		return;
	}
	while (waitpid(pid, &result, 0) < 0)
		if (errno != EINTR) {
			status = STATUS_NOT_FOUND;
			return;
		}
	if (WIFSIGNALED(result))
		killed(WTERMSIG(result));
	else
		status = WEXITSTATUS(result);
}

void take_terminal(void)
{
	if (interactive)
		tcsetpgrp(0, shell_group);
}

void remember_background(pid_t pid)
{
	char number[12];

	status = 0;
	if (pid < 0)
		return;
	last_background = pid;
	for (int i = 0; i < JOBS; i++)
		if (!job[i]) {
			job[i] = pid;
			break;
		}
	if (interactive) {
		print(2, decimal(pid, number));
		print(2, "\n");
	}
}

static int forget_job(pid_t pid)
{
	for (int i = 0; i < JOBS; i++)
		if (job[i] == pid) {
			job[i] = 0;
			return 1;
		}
	return 0;
}

// Collects background processes that have ended.
void reap(int announce)
{
	char number[12];
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		if (forget_job(pid) && announce) {
			print(2, decimal(pid, number));
			print(2, " done\n");
		}
}

void print_jobs(void)
{
	char number[12];

	for (int i = 0; i < JOBS; i++)
		if (job[i]) {
			print(1, decimal(job[i], number));
			print(1, " running\n");
		}
}

void wait_jobs(void)
{
	for (int i = 0; i < JOBS; i++)
		if (job[i]) {
			wait_for(job[i]);
			job[i] = 0;
		}
	status = 0;
}

void wait_job(pid_t pid)
{
	if (forget_job(pid))
		wait_for(pid);
	else
		status = STATUS_NOT_FOUND;
}

// --- Simple commands ---

static void run_in_shell(struct simple *c)
{
	int8_t saved[10];
	char **argv = arguments(c->words, 0);

	if (!c->redirections || redirect(c->redirections, saved) == 0) {
		for (const struct word *a = *argv ? NULL : c->assignments; a; a = a->next)
			set_variable(a->text, 0);
		status = *argv ? run_builtin(argv) : had_capture ? status : 0;
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

	environ = environment_with(c->assignments, 0);
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

void run_simple(struct simple *c)
{
	struct place p = { .out = 1, .other = -1 };
	pid_t pid;

	if (c->words && strcmp(c->words->text, "exec") == 0) {
		run_exec(c);
		return;
	}
	if (!c->words || is_builtin(c->words->text)) {
		run_in_shell(c);
		return;
	}
	if (last_text && depth == 0 && !*skip_blanks(at) && !kept_count)
		become(c);
	pid = start_simple(c, &p);
	started(pid, &p);
	wait_for(pid);
	take_terminal();
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

char *capture(const char *from, const char *end)
{
	struct buffer b = { 0 };
	struct place p = { .background = 1 };
	int fd[2];
	pid_t pid;

	if (pipe(fd) == 0) {
		p.out = fd[1];
		p.other = fd[0];
		pid = start_text(from, end, &p);
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
