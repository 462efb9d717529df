// SPDX-License-Identifier: ISC
//
// The signal mask, waiting for signals, sending them.
#include "private.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

enum { LONGEST = 2000000 }; // seconds of an alarm: the kernel counts milliseconds

_Static_assert(SIG_SETMASK == OCT_SETMASK && SIG_BLOCK == OCT_BLOCK && SIG_UNBLOCK == OCT_UNBLOCK, "octix/abi.h");

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	return set ? oct_sigmask(how, *set, old) : oct_sigmask(OCT_BLOCK, 0, old);
}

int sigpending(sigset_t *set)
{
	*set = oct_sigpending();
	return 0;
}

int sigsuspend(const sigset_t *mask)
{
	return oct_sigsuspend(*mask);
}

int pause(void)
{
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	return oct_sigsuspend(mask);
}

unsigned alarm(unsigned seconds)
{
	unsigned long left = oct_alarm((seconds < LONGEST ? seconds : LONGEST) * 1000ul);

	return (unsigned)((left + 999) / 1000);
}

int raise(int sig)
{
	return kill(getpid(), sig);
}

int killpg(pid_t group, int sig)
{
	if (group < 2) { // -1 would be everybody
		errno = EINVAL;
		return -1;
	}
	return kill(-group, sig);
}

void __oct_sigsave(sigjmp_buf env, int save)
{
	env->saved = save;
	if (save)
		oct_sigmask(OCT_BLOCK, 0, &env->mask);
}

void siglongjmp(sigjmp_buf env, int value)
{
	if (env->saved)
		oct_sigmask(OCT_SETMASK, env->mask, NULL);
	longjmp(env->registers, value);
}
