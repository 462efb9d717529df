// SPDX-License-Identifier: ISC
//
// What the processes do that tests start: systest -x HELPER ARGUMENTS. There is no fork, so what goes on at the same time as a test is
// a program, this one again.
#include "systest.h"

#include <sys/resource.h>

struct helper {
	const char *name;
	int (*run)(char **arguments);
};

static int helper_exit(char **a)
{
	_exit(atoi(a[0]));
}

// MS STATUS: exits later
static int helper_nap(char **a)
{
	usleep((useconds_t)atoi(a[0]) * 1000);
	return a[1] ? atoi(a[1]) : 0;
}

// TEXT N: uses 2,500 bytes of stack; is TEXT of N bytes afterwards?
static int helper_deep(char **a)
{
	volatile unsigned char room[2500];

	for (unsigned i = 0; i < sizeof room; i++)
		room[i] = (unsigned char)i;
	return strlen(a[0]) != (size_t)atoi(a[1]) || room[2499] != (2499 & 255);
}

// FD TEXT MS: writes it, later; errno
static int helper_put(char **a)
{
	if (a[2])
		usleep((useconds_t)atoi(a[2]) * 1000);
	return write(atoi(a[0]), a[1], strlen(a[1])) < 0 ? errno : 0;
}

// FD LETTER COUNT: that many records of PIPE_BUF / 4 bytes of the letter
static int helper_records(char **a)
{
	char record[PIPE_BUF / 4];

	memset(record, a[1][0], sizeof record);
	for (int i = atoi(a[2]); i > 0; i--)
		if (write(atoi(a[0]), record, sizeof record) != (ssize_t)sizeof record)
			return 1;
	return 0;
}

// FD MS: reads to the end, later; the number of bytes, divided by 100
static int helper_drain(char **a)
{
	char buffer[100];
	ssize_t n;
	long sum = 0;

	usleep((useconds_t)atoi(a[1]) * 1000);
	while ((n = read(atoi(a[0]), buffer, sizeof buffer)) > 0)
		sum += n;
	return n < 0 ? 255 : (int)(sum / 100);
}

// FD MS MORE: reads all that is there, and at the most MORE bytes, later; waits for the end
static int helper_drain_some(char **a)
{
	char buffer[100];
	int fd = atoi(a[0]);
	ssize_t n;

	usleep((useconds_t)atoi(a[1]) * 1000);
	if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0)
		return 1;
	for (long left = atol(a[2]); left > 0 && (n = read(fd, buffer, sizeof buffer)) > 0;)
		left -= n;
	return 0;
}

// Bit n: descriptor 3 + n is open
static int helper_fds(char **a)
{
	int open = 0;

	(void)a;
	for (int fd = 3; fd < 10; fd++)
		if (lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF)
			open |= 1 << (fd - 3);
	return open;
}

// FD: leaves it with O_NONBLOCK
static int helper_nonblock(char **a)
{
	return fcntl(atoi(a[0]), F_SETFL, O_NONBLOCK) < 0;
}

static int helper_ppid(char **a)
{
	return getppid() != atoi(a[0]);
}

static int helper_group(char **a)
{
	return getpgrp() != atoi(a[0]);
}

// SIGNAL: 1 when it was ignored
static int helper_ignored(char **a)
{
	return signal(atoi(a[0]), SIG_IGN) == SIG_IGN;
}

// SIGNAL: sends it to itself
static int helper_raise(char **a)
{
	raise(atoi(a[0]));
	return 0;
}

// Starts a process that naps for MS and writes its parent's number to FD, and ends
static int helper_orphan(char **a)
{
	start("late-ppid", a[0], a[1], NULL);
	return 0;
}

static int helper_late_ppid(char **a)
{
	const char *number;

	usleep((useconds_t)atoi(a[0]) * 1000);
	number = text_of(getppid());
	return write(atoi(a[1]), number, strlen(number)) < 0;
}

// The variable's value is TEXT
static int helper_env(char **a)
{
	const char *value = getenv(a[0]);

	return !value || strcmp(value, a[1]) != 0;
}

// PATH TEXT: the file says so
static int helper_file(char **a)
{
	return !file_is(a[0], a[1]);
}

// Its vfork child, which runs in its memory, kills it
static int helper_kill_parent(char **a)
{
	pid_t parent = getpid();

	(void)a;
	if (vfork() == 0)
		_exit(kill(parent, SIGTERM));
	return 0;
}

// FD SIGNAL: sends it to the process whose number comes from FD
static int helper_kill_told(char **a)
{
	char text[24] = "";

	return read(atoi(a[0]), text, sizeof text - 1) <= 0 || (usleep(200000), kill(atoi(text), atoi(a[1]))) < 0;
}

// TEXT N: the text has N bytes
static int helper_length(char **a)
{
	return strlen(a[0]) != (size_t)atoi(a[1]);
}

// SECONDS
static int helper_sleep(char **a)
{
	return sleep((unsigned)strtoul(a[0], NULL, 10)) != 0;
}

// MASK: that of files is this one
static int helper_umask(char **a)
{
	return umask(0) != (mode_t)atoi(a[0]);
}

// UID EUID GID: the ids are these
static int helper_ids(char **a)
{
	return getuid() != (uid_t)atoi(a[0]) || geteuid() != (uid_t)atoi(a[1]) || getegid() != (gid_t)atoi(a[2]);
}

// UID GID FD: becomes this user, writes a byte to FD, and waits
static int helper_as_user(char **a)
{
	if (setgid((gid_t)atoi(a[1])) < 0 || setuid((uid_t)atoi(a[0])) < 0 || write(atoi(a[2]), "", 1) != 1)
		return 1;
	return sleep(100) != 0;
}

static int helper_abort(char **a)
{
	(void)a;
	abort();
}

// SIGNAL MS TIMES: sends it to its parent, so often
static int helper_send(char **a)
{
	pid_t parent = getppid();

	for (int n = atoi(a[2]); n > 0; n--) {
		usleep((useconds_t)atoi(a[1]) * 1000);
		if (kill(parent, atoi(a[0])) < 0)
			return 1;
	}
	return 0;
}

static void nothing(int sig)
{
	(void)sig;
}

// PID N: sends SIGUSR1, N times, each after a SIGUSR2 has come back
static int helper_echo_signals(char **a)
{
	sigset_t set, before;

	signal(SIGUSR2, nothing);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &before);
	for (int n = atoi(a[1]); n > 0; n--) {
		if (kill(atoi(a[0]), SIGUSR1) < 0)
			return 1;
		sigsuspend(&before);
	}
	return 0;
}

static int helper_alarm(char **a)
{
	(void)a;
	alarm(1);
	pause();
	return 0;
}

// SIGNAL: is it blocked?
static int helper_mask(char **a)
{
	sigset_t set;

	sigprocmask(SIG_BLOCK, NULL, &set);
	return sigismember(&set, atoi(a[0]));
}

// Catches SIGABRT, and is ended by it
static int helper_caught_abort(char **a)
{
	(void)a;
	signal(SIGABRT, nothing);
	abort();
}

// WHAT, in a session of its own: check it; stop, which has no effect there; wait
static int helper_new_session(char **a)
{
	pid_t sid = setsid();

	if (sid != getpid() || getsid(0) != sid || getpgrp() != sid)
		return 1;
	if (strcmp(a[0], "stop-self") == 0)
		return raise(SIGTSTP) != 0 || raise(SIGTTIN) != 0 || raise(SIGTTOU) != 0;
	if (strcmp(a[0], "wait") == 0)
		sleep(60);
	return 0;
}

// Its nice value
static int helper_nice(char **a)
{
	(void)a;
	return getpriority(PRIO_PROCESS, 0);
}

// FD: leaves a child behind that is stopped, in a group of its own, and holds the descriptor
static int helper_leave_stopped(char **a)
{
	int status;
	pid_t pid = start("own-group", NULL, NULL, NULL);

	(void)a;
	return waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status);
}

static int helper_own_group(char **a)
{
	(void)a;
	setpgid(0, 0);
	raise(SIGSTOP);
	sleep(60);
	return 0;
}

static volatile unsigned char sink;

// Catches SIGSEGV but blocks it, and uses memory that it may not
static int helper_blocked_crash(char **a)
{
	sigset_t set;

	(void)a;
	signal(SIGSEGV, nothing);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sink = *(volatile unsigned char *)edge_address(0);
	return 0;
}

// Gets a signal while its stack pointer is nowhere
static int helper_bad_stack(char **a)
{
	(void)a;
	signal(SIGUSR1, nothing);
	return bad_stack_kill(SIGUSR1);
}

static unsigned dig(unsigned depth)
{
	volatile unsigned char frame[64];

	frame[depth & 63] = 1;
	return depth ? dig(depth + 1) + frame[5] : 0;
}

// HOW: uses memory that it may not
__attribute__((no_sanitize("undefined"))) static int helper_crash(char **a)
{
	void *address = NULL;
	unsigned n = 0;

	if (strcmp(a[0], "stack") == 0)
		return (int)dig(1);
	if (strcmp(a[0], "null") != 0)
		while (bad_address(n, strcmp(a[0], "write") == 0, &address))
			n++; // the last is between heap and stack, or read-only
	if (strcmp(a[0], "read") == 0)
		sink = *(volatile unsigned char *)address;
	else
		*(volatile unsigned char *)address = 2;
	return 0;
}

static const struct helper helpers[] = {
	{ "exit", helper_exit },
	{ "deep", helper_deep },
	{ "nap", helper_nap },
	{ "put", helper_put },
	{ "records", helper_records },
	{ "drain", helper_drain },
	{ "drain-some", helper_drain_some },
	{ "fds", helper_fds },
	{ "nonblock", helper_nonblock },
	{ "ppid", helper_ppid },
	{ "group", helper_group },
	{ "ignored", helper_ignored },
	{ "raise", helper_raise },
	{ "orphan", helper_orphan },
	{ "late-ppid", helper_late_ppid },
	{ "env", helper_env },
	{ "file", helper_file },
	{ "kill-parent", helper_kill_parent },
	{ "kill-told", helper_kill_told },
	{ "length", helper_length },
	{ "sleep", helper_sleep },
	{ "umask", helper_umask },
	{ "ids", helper_ids },
	{ "as-user", helper_as_user },
	{ "abort", helper_abort },
	{ "crash", helper_crash },
	{ "new-session", helper_new_session },
	{ "nice", helper_nice },
	{ "leave-stopped", helper_leave_stopped },
	{ "own-group", helper_own_group },
	{ "send", helper_send },
	{ "echo-signals", helper_echo_signals },
	{ "alarm", helper_alarm },
	{ "mask", helper_mask },
	{ "caught-abort", helper_caught_abort },
	{ "blocked-crash", helper_blocked_crash },
	{ "bad-stack", helper_bad_stack },
};

int helper_main(char **arguments)
{
	for (unsigned i = 0; i < sizeof helpers / sizeof helpers[0]; i++)
		if (strcmp(arguments[0], helpers[i].name) == 0)
			return helpers[i].run(arguments + 1);
	return 126;
}
