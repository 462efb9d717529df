// SPDX-License-Identifier: ISC
//
// <signal.h>: picolibc's numbers and prototypes, with struct sigaction and siginfo_t as POSIX has them.
#ifndef OCTIX_SYS_SIGNAL_H
#define OCTIX_SYS_SIGNAL_H

#define sigaction __picolibc_sigaction
#define siginfo_t __picolibc_siginfo_t
#include_next <sys/signal.h>
#undef sigaction
#undef siginfo_t
#undef SA_NOCLDSTOP
#undef sigaddset
#undef sigdelset
#undef sigemptyset
#undef sigfillset
#undef sigismember

#ifdef __cplusplus
extern "C" {
#endif

#define SA_NOCLDSTOP 0x01
#define SA_SIGINFO   0x02
#define SA_RESTART   0x04
#define SA_NODEFER   0x08
#define SA_RESETHAND 0x10

// si_code, behind picolibc's SI_ codes
#define SEGV_MAPERR   6
#define CLD_EXITED    7
#define CLD_KILLED    8
#define CLD_DUMPED    9  // does not happen
#define CLD_TRAPPED   10 // nor does this
#define CLD_STOPPED   11
#define CLD_CONTINUED 12

typedef struct {
	int si_signo;
	int si_code;             // SI_USER, SEGV_MAPERR
	union sigval si_value;
	void *si_addr;           // SIGSEGV: of the access
	pid_t si_pid;            // waitid: the child,
	int si_status;           //   its exit status, or the signal
} siginfo_t;

struct sigaction {
	union {
		void (*_handler)(int);
		void (*_sigaction)(int, siginfo_t *, void *);
	} _signal_handlers;
	sigset_t sa_mask;
	int sa_flags;
};

#define sa_handler   _signal_handlers._handler
#define sa_sigaction _signal_handlers._sigaction

int sigaction(int sig, const struct sigaction *act, struct sigaction *old);
int killpg(pid_t group, int sig);

#ifdef __cplusplus
}
#endif

#endif
