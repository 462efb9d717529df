// SPDX-License-Identifier: ISC
//
// Signals as far as the kernel has them: the default action or none. Handlers come with a later kernel: signal()
// answers EINVAL for one.
#include "private.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

_sig_func_ptr signal(int sig, _sig_func_ptr handler)
{
	int old;

	if (handler != SIG_DFL && handler != SIG_IGN) {
		errno = EINVAL;
		return SIG_ERR;
	}
	old = oct_signal(sig, handler == SIG_IGN);
	return old < 0 ? SIG_ERR : old ? SIG_IGN : SIG_DFL;
}

int raise(int sig)
{
	return kill(getpid(), sig);
}

int killpg(pid_t group, int sig)
{
	return kill(-group, sig);
}
