// SPDX-License-Identifier: ISC
//
// Jobs: pipelines in the background, and those that Ctrl-Z has stopped. An interactive shell gives each pipeline a process group of
// its own and the terminal to the one in the foreground. Notices are as POSIX has them (jobs, fg, bg).
#include "sh.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum state { RUNNING, STOPPED, ENDED };
enum { KEPT_ENDED = 8 };   // without a `jobs` or `wait` that asks for them

struct job {
	struct job *next;
	struct place place;    // its processes; 0: has ended
	int result;            // wait status of the last process, or of the stop
	uint8_t number, state, changed;
	char text[];
};

static struct job *first; // the last of the list is the current job
static uint8_t waiting;   // for jobs, as told to: a trap ends that

// ---- the list

static struct job **place_of(const struct job *j)
{
	struct job **link = &first;

	while (*link != j)
		link = &(*link)->next;
	return link;
}

static void unlink_job(struct job *j)
{
	*place_of(j) = j->next;
}

static void append(struct job *j)
{
	struct job **link = place_of(NULL);

	j->next = NULL;
	*link = j;
}

static void forget(struct job *j)
{
	unlink_job(j);
	free(j);
}

void forget_jobs(void)
{
	first = NULL;
}

static struct job *add(const struct place *p, const char *from, const char *end)
{
	size_t n = (size_t)(end - from);
	struct job *j;

	while (n && from[n - 1] == ' ')
		n--;
	j = allocate(sizeof *j + n + 1);

	j->place = *p;
	j->result = 0;
	j->state = RUNNING;
	j->changed = 0;
	memcpy(j->text, from, n);
	j->text[n] = 0;
	j->number = 1;
	for (const struct job *i = first; i; i = i->next)
		if (i->number >= j->number)
			j->number = i->number + 1;
	append(j);
	return j;
}

static int is_current(const struct job *j)
{
	return !j->next;
}

static int is_previous(const struct job *j)
{
	return j->next && !j->next->next;
}

// The job of %n, %%, %+, %- or %text; NULL text: the current one.
static struct job *find(const char *text)
{
	int n = text ? atoi(text + 1) : 0;

	for (struct job *j = first; j; j = j->next)
		if (n ? j->number == n : !text || strchr("%+", text[1]) ? is_current(j) : text[1] == '-' ? is_previous(j) :
			strncmp(j->text, text + 1, strlen(text + 1)) == 0)
			return j;
	complain(text ? text : "%", "no such job", "");
	return NULL;
}

pid_t job_group(const char *text)
{
	const struct job *j = find(text);

	return j ? j->place.group : 0;
}

// ---- notices

static const char *signal_text(int sig)
{
	static const char texts[] = "\1Hangup\0\3Quit\0\4Illegal instruction\0\5Trace trap\0\6Aborted\0\10Arithmetic exception\0"
				    "\11Killed\0\12Bus error\0\13Segmentation fault\0\16Alarm clock\0\17Terminated\0";

	for (const char *t = texts; *t; t += strlen(t) + 1)
		if (*t == sig)
			return t + 1;
	return NULL;
}

static void say(int fd, const char *a, const char *b, const char *c)
{
	print(fd, a);
	print(fd, b);
	print(fd, c);
}

static void print_state(int fd, const struct job *j)
{
	char number[12];
	const char *text;

	if (j->state == RUNNING)
		print(fd, "Running");
	else if (j->state == STOPPED)
		print(fd, WSTOPSIG(j->result) == SIGTTIN ? "Stopped (tty input)" : WSTOPSIG(j->result) == SIGTTOU ? "Stopped (tty output)" :
			"Stopped");
	else if (WIFSIGNALED(j->result) && (text = signal_text(WTERMSIG(j->result))))
		print(fd, text);
	else if (WIFSIGNALED(j->result))
		say(fd, "Signal ", decimal(WTERMSIG(j->result), number), "");
	else if (WEXITSTATUS(j->result))
		say(fd, "Done(", decimal(WEXITSTATUS(j->result), number), ")");
	else
		print(fd, "Done");
}

static void print_job(int fd, struct job *j)
{
	char number[12];

	say(fd, "[", decimal(j->number, number), is_current(j) ? "] + " : is_previous(j) ? "] - " : "]   ");
	print_state(fd, j);
	say(fd, " ", j->text, "\n");
	j->changed = 0;
}

// ---- waiting

static void set_status(int result)
{
	int sig = WTERMSIG(result);
	const char *text = signal_text(sig);

	if (!WIFSIGNALED(result)) {
		status = WEXITSTATUS(result);
		return;
	}
	status = STATUS_SIGNAL + sig;
	if (sig == SIGINT && interactive) {
		aborted = 1;
		was_interrupted(); // the terminal need not tell it again
	}
	if (text)
		say(2, text, "\n", "");
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
	set_status(result);
}

// Waits for the processes of a pipeline, and sets `status`. The wait status of the one that has stopped, or 0.
static int wait_all(struct place *p)
{
	for (int i = 0; i < p->count; i++) {
		int result;

		if (p->pid[i] <= 0) {
			if (p->pid[i] < 0)
				wait_for(-1);
			continue;
		}
		while (waitpid(p->pid[i], &result, interactive ? WUNTRACED : 0) < 0) {
			if (errno == EINTR && trapped && waiting)
				return EINTR;
			if (errno != EINTR) {
				status = STATUS_NOT_FOUND;
				return 0;
			}
		}
		if (WIFSTOPPED(result)) {
			status = STATUS_SIGNAL + WSTOPSIG(result);
			return result;
		}
		p->pid[i] = 0;
		set_status(result);
	}
	return 0;
}

static void take_terminal(void)
{
	if (interactive)
		tcsetpgrp(0, shell_group);
}

static void stopped(struct job *j, int result)
{
	j->state = STOPPED;
	j->result = result;
	aborted = 1; // the list that it is in does not go on
	print_job(2, j);
}

void foreground(struct place *p, const char *from, const char *end)
{
	int result = wait_all(p);

	take_terminal();
	if (result)
		stopped(add(p, from, end), result);
}

// A process of a job has changed.
static void note(struct job *j, int i, int result)
{
	int live = 0;

	j->changed = 1;
	if (WIFSTOPPED(result) || WIFCONTINUED(result)) {
		j->changed = WIFSTOPPED(result) && j->state != STOPPED;
		j->state = WIFSTOPPED(result) ? STOPPED : RUNNING;
		j->result = result;
		return;
	}
	j->place.pid[i] = 0;
	if (i == j->place.count - 1)
		j->result = result;
	for (int k = 0; k < j->place.count; k++)
		live |= j->place.pid[k] > 0;
	if (!live)
		j->state = ENDED;
	else
		j->changed = 0;
}

static void look(struct job *j)
{
	int result;

	for (int i = 0; i < j->place.count; i++)
		if (j->place.pid[i] > 0 && waitpid(j->place.pid[i], &result, WNOHANG | WUNTRACED | WCONTINUED) > 0)
			note(j, i, result);
}

void reap(int announce)
{
	int ended = 0;

	for (struct job *j = first, *next; j; j = next) {
		next = j->next;
		look(j);
		if (j->changed && announce)
			print_job(2, j);
		if (j->state == ENDED && announce)
			forget(j);
		else
			ended += j->state == ENDED;
	}
	for (struct job *j = first, *next; j && ended > KEPT_ENDED; j = next) {
		next = j->next;
		if (j->state == ENDED) {
			forget(j);
			ended--;
		}
	}
}

void background(struct place *p, const char *from, const char *end)
{
	char number[12];
	struct job *j;

	status = 0;
	if (!p->count || p->pid[p->count - 1] < 0)
		return;
	reap(0);
	last_background = p->pid[p->count - 1];
	j = add(p, from, end);
	j->place.last = last_background;
	if (interactive) {
		say(2, "[", decimal(j->number, number), "] ");
		say(2, decimal(last_background, number), "\n", "");
	}
}

// ---- commands

static void wait_job(struct job *j)
{
	if (j->state != ENDED && wait_all(&j->place))
		return; // it has stopped
	if (j->state == ENDED)
		set_status(j->result);
	forget(j);
}

static int wait_for_jobs(char **argv)
{
	if (!argv[1]) {
		for (struct job *j = first, *next; j && !trapped; j = next) {
			next = j->next;
			if (j->state != STOPPED)
				wait_job(j);
		}
		return 0;
	}
	while (*++argv && !trapped) {
		struct job *j = **argv == '%' ? find(*argv) : first;

		while (**argv != '%' && j && j->place.last != atoi(*argv))
			j = j->next;
		status = STATUS_NOT_FOUND;
		if (j)
			wait_job(j);
	}
	return status;
}

int do_wait(char **argv)
{
	int result;

	waiting = 1;
	result = wait_for_jobs(argv);
	waiting = 0;
	return trapped ? STATUS_SIGNAL + trapped : result;
}

int do_jobs(char **argv __attribute__((unused)))
{
	reap(0);
	for (struct job *j = first, *next; j; j = next) {
		next = j->next;
		print_job(1, j);
		if (j->state == ENDED)
			forget(j);
	}
	return 0;
}

static struct job *resume(const char *name)
{
	struct job *j;

	reap(1);
	j = find(name);
	if (j) {
		unlink_job(j);
		append(j);
		j->state = RUNNING;
		j->changed = 0;
	}
	return j;
}

int do_fg(char **argv)
{
	struct job *j = resume(argv[1]);
	int result;

	if (!j)
		return 1;
	say(1, j->text, "\n", "");
	if (interactive)
		tcsetpgrp(0, j->place.group);
	kill(-j->place.group, SIGCONT);
	result = wait_all(&j->place);
	take_terminal();
	if (result)
		stopped(j, result);
	else
		forget(j);
	return status;
}

int do_bg(char **argv)
{
	struct job *j = resume(argv[1]);
	char number[12];

	if (!j)
		return 1;
	say(1, "[", decimal(j->number, number), "] ");
	say(1, j->text, "\n", "");
	kill(-j->place.group, SIGCONT);
	return 0;
}

// At the end of an interactive shell: says once that jobs are stopped.
int warn_of_stopped(void)
{
	static uint8_t said;
	const struct job *j = first;

	while (j && j->state != STOPPED)
		j = j->next;
	if (!j || said)
		return 0;
	said = 1;
	print(2, "sh: jobs are stopped; exit again to leave them\n");
	return 1;
}
