// SPDX-License-Identifier: ISC
//
// Names of signals (POSIX.1-2024 sig2str): one table for kill, the shell and whoever asks.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char names[] = "HUP\0INT\0QUIT\0ILL\0TRAP\0ABRT\0EMT\0FPE\0KILL\0BUS\0SEGV\0SYS\0PIPE\0ALRM\0TERM\0URG\0STOP\0TSTP\0"
			    "CONT\0CHLD\0TTIN\0TTOU\0IO\0XCPU\0XFSZ\0VTALRM\0PROF\0WINCH\0LOST\0USR1\0USR2\0";

int sig2str(int sig, char *name)
{
	const char *at = names;

	if (sig < 1 || sig >= NSIG)
		return -1;
	while (--sig)
		at += strlen(at) + 1;
	strcpy(name, at);
	return 0;
}

// A name without SIG, or a number.
int str2sig(const char *restrict name, int *restrict sig)
{
	int n = atoi(name);

	if (n <= 0 || n >= NSIG) {
		n = 1;
		for (const char *at = names; strcmp(at, name) != 0; at += strlen(at) + 1)
			if (++n == NSIG)
				return -1;
	}
	*sig = n;
	return 0;
}
