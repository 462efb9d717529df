// SPDX-License-Identifier: ISC
//
// What the processes do that tests start: systest -x HELPER ARGUMENTS. There is no fork, so what goes on at the same time as a test is
// a program, this one again.
#include "systest.h"

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

static int helper_abort(char **a)
{
	(void)a;
	abort();
}

static volatile unsigned char sink;

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
	{ "abort", helper_abort },
	{ "crash", helper_crash },
};

int helper_main(char **arguments)
{
	for (unsigned i = 0; i < sizeof helpers / sizeof helpers[0]; i++)
		if (strcmp(arguments[0], helpers[i].name) == 0)
			return helpers[i].run(arguments + 1);
	return 126;
}
