// SPDX-License-Identifier: ISC
//
// Handlers: the table of them, and the code that the kernel enters for each signal that is caught (struct oct_sigframe). The kernel
// knows one bit a signal; masks and flags are looked at here.
#include "private.h"

#include <errno.h>
#include <signal.h>

_Static_assert(SIGHUP == OX_SIGHUP && SIGINT == OX_SIGINT && SIGQUIT == OX_SIGQUIT && SIGILL == OX_SIGILL && SIGTRAP == OX_SIGTRAP
	       && SIGABRT == OX_SIGABRT && SIGFPE == OX_SIGFPE && SIGKILL == OX_SIGKILL && SIGBUS == OX_SIGBUS
	       && SIGSEGV == OX_SIGSEGV && SIGSYS == OX_SIGSYS && SIGPIPE == OX_SIGPIPE && SIGALRM == OX_SIGALRM
	       && SIGTERM == OX_SIGTERM && SIGURG == OX_SIGURG && SIGSTOP == OX_SIGSTOP && SIGTSTP == OX_SIGTSTP
	       && SIGCONT == OX_SIGCONT && SIGCHLD == OX_SIGCHLD && SIGTTIN == OX_SIGTTIN && SIGTTOU == OX_SIGTTOU
	       && SIGIO == OX_SIGIO && SIGXCPU == OX_SIGXCPU && SIGXFSZ == OX_SIGXFSZ && SIGVTALRM == OX_SIGVTALRM
	       && SIGPROF == OX_SIGPROF && SIGWINCH == OX_SIGWINCH && SIGUSR1 == OX_SIGUSR1 && SIGUSR2 == OX_SIGUSR2
	       && NSIG == OX_NSIG, "the numbers of octix/abi.h are those of <signal.h>");

// Of signals that are caught. Others keep what was there: a child of vfork that sets one to its default must not take the handler
// away from its parent.
static struct sigaction actions[NSIG];

// Entered with all signals blocked, on the stack of whatever ran.
static _Noreturn void handle(int sig, struct oct_sigframe *frame)
{
	const struct sigaction a = actions[sig]; // the handler may change it
	sigset_t mask = frame->mask | a.sa_mask;

	if (!(a.sa_flags & SA_NODEFER))
		mask |= 1ul << sig;
	if (a.sa_flags & SA_RESETHAND)
		oct_signal(sig, OCT_SIG_DFL, NULL);
	oct_sigmask(OCT_SETMASK, mask, NULL);
	if (a.sa_flags & SA_SIGINFO) {
		siginfo_t info = { .si_signo = sig, .si_code = frame->address ? SEGV_MAPERR : SI_USER };

		info.si_addr = (void *)(uintptr_t)frame->address;
		a.sa_sigaction(sig, &info, frame);
	} else {
		a.sa_handler(sig);
	}
	oct_sigreturn(frame, a.sa_flags & SA_RESTART);
	__builtin_trap();
}

static int disposition(int sig, const struct sigaction *act)
{
	int to = act->sa_handler == SIG_DFL ? OCT_SIG_DFL : act->sa_handler == SIG_IGN ? OCT_SIG_IGN : OCT_SIG_CATCH;

	return sig == SIGCHLD && act->sa_flags & SA_NOCLDSTOP ? to | OCT_SIG_NOCLDSTOP : to;
}

static void tell(int sig, int was, struct sigaction *old)
{
	*old = (struct sigaction){ 0 };
	if (was & OCT_SIG_CATCH)
		*old = actions[sig];
	else if (was & OCT_SIG_IGN)
		old->sa_handler = SIG_IGN;
	if (was & OCT_SIG_NOCLDSTOP)
		old->sa_flags = SA_NOCLDSTOP;
}

int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	struct sigaction was, new;
	unsigned long mask;
	int result;

	if (act)
		new = *act; // may be the same as old
	oct_sigmask(OCT_SETMASK, ~0ul, &mask);
	result = oct_signal(sig, act ? disposition(sig, &new) : OCT_SIG_ASK, (void *)handle);
	if (result >= 0) {
		tell(sig, result, &was);
		if (act && disposition(sig, &new) & OCT_SIG_CATCH)
			actions[sig] = new;
		if (old)
			*old = was;
	}
	oct_sigmask(OCT_SETMASK, mask, NULL);
	return result < 0 ? -1 : 0;
}

_sig_func_ptr signal(int sig, _sig_func_ptr handler)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = SA_RESTART };

	return sigaction(sig, &act, &act) < 0 ? SIG_ERR : act.sa_handler;
}
