// SPDX-License-Identifier: ISC
//
// Sets of signals: bit n is signal n.
#include <errno.h>
#include <signal.h>

int sigemptyset(sigset_t *set)
{
	*set = 0;
	return 0;
}

int sigfillset(sigset_t *set)
{
	*set = ~0ul;
	return 0;
}

static int bad(int sig)
{
	if (sig > 0 && sig < NSIG)
		return 0;
	errno = EINVAL;
	return 1;
}

int sigaddset(sigset_t *set, int sig)
{
	if (bad(sig))
		return -1;
	*set |= 1ul << sig;
	return 0;
}

int sigdelset(sigset_t *set, int sig)
{
	if (bad(sig))
		return -1;
	*set &= ~(1ul << sig);
	return 0;
}

int sigismember(const sigset_t *set, int sig)
{
	return bad(sig) ? -1 : (int)(*set >> sig & 1);
}
