// SPDX-License-Identifier: ISC
//
// kill: sends a signal, by name or number.
#include "command.h"

#include <octix/abi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	char name[5];
	unsigned char number;
} signals[] = {
	{ "HUP", OX_SIGHUP },   { "INT", OX_SIGINT },   { "QUIT", OX_SIGQUIT }, { "ILL", OX_SIGILL },   { "TRAP", OX_SIGTRAP },
	{ "ABRT", OX_SIGABRT }, { "BUS", OX_SIGBUS },   { "FPE", OX_SIGFPE },   { "KILL", OX_SIGKILL }, { "SEGV", OX_SIGSEGV },
	{ "PIPE", OX_SIGPIPE }, { "ALRM", OX_SIGALRM }, { "TERM", OX_SIGTERM },
};

enum { SIGNALS = sizeof signals / sizeof signals[0] };

static int signal_of(const char *name)
{
	unsigned long value;

	if (number(name, &value) == 0)
		return value < OX_NSIG ? (int)value : -1;
	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	for (int i = 0; i < SIGNALS; i++)
		if (strcmp(signals[i].name, name) == 0)
			return signals[i].number;
	return -1;
}

static int list_signals(void)
{
	for (int i = 0; i < SIGNALS; i++)
		printf("%2u %s\n", signals[i].number, signals[i].name);
	return OK;
}

static int send(const char *process, int sig)
{
	char *end;
	long pid = strtol(process, &end, 10);

	if (end == process || *end)
		return complain_because(process, "not a process number");
	return kill((int)pid, sig) < 0 ? complain(process) : OK;
}

COMMAND(kill, "[-SIGNAL] PID... | -l", "send a signal to processes")
{
	int sig = OX_SIGTERM, status = OK;

	if (argv[1] && strcmp(argv[1], "-l") == 0)
		return list_signals();
	if (argv[1] && argv[1][0] == '-' && argv[1][1] != '-') {
		sig = signal_of(argv[1] + 1);
		if (sig < 0)
			return complain_because(argv[1] + 1, "no such signal");
		argv++;
	}
	if (argv[1] && strcmp(argv[1], "--") == 0)
		argv++;
	if (!*++argv)
		misused();
	for (; *argv; argv++)
		status |= send(*argv, sig);
	return status;
}
