// SPDX-License-Identifier: ISC
//
// kill: sends a signal, by name or number.
#include "command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int signal_of(const char *name)
{
	int sig;

	if (strcmp(name, "0") == 0)
		return 0;
	if (strncmp(name, "SIG", 3) == 0)
		name += 3;
	return str2sig(name, &sig) == 0 && sig < NSIG ? sig : -1;
}

static int list_signals(void)
{
	char name[SIG2STR_MAX];

	for (int sig = 1; sig < NSIG; sig++)
		if (sig2str(sig, name) == 0)
			printf("%2d %s\n", sig, name);
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
	int sig = SIGTERM, status = OK;

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
