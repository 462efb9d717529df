// SPDX-License-Identifier: ISC
//
// The family of wait. POSIX wait, waitid; 4.3BSD's wait3 and wait4.
#include "private.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

pid_t wait(int *status)
{
	return waitpid(-1, status, 0);
}

static void explain(siginfo_t *info, int status)
{
	info->si_signo = SIGCHLD;
	info->si_status = WSTOPSIG(status);
	if (WIFCONTINUED(status)) {
		info->si_code = CLD_CONTINUED;
		info->si_status = SIGCONT;
	} else if (WIFSTOPPED(status)) {
		info->si_code = CLD_STOPPED;
	} else if (WIFEXITED(status)) {
		info->si_code = CLD_EXITED;
	} else {
		info->si_code = CLD_KILLED;
		info->si_status = WTERMSIG(status);
	}
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	int status;
	pid_t pid = type == P_ALL ? -1 : type == P_PID ? (pid_t)id : -(pid_t)id;

	if ((type != P_ALL && type != P_PGID && (type != P_PID || pid <= 0)) || !(options & (WEXITED | WSTOPPED | WCONTINUED))
	    || options & ~(WNOHANG | WEXITED | WSTOPPED | WCONTINUED | WNOWAIT)) {
		errno = EINVAL;
		return -1;
	}
	pid = waitpid(pid, &status, options & WEXITED ? options - WEXITED : options | OX_WNOEXIT);
	if (pid < 0)
		return -1;
	if (info) {
		memset(info, 0, sizeof *info);
		info->si_pid = pid;
		if (pid)
			explain(info, status);
	}
	return 0;
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	if (usage) { // while the kernel still knows it
		long ticks;

		memset(usage, 0, sizeof *usage);
		pid = waitpid(pid, status, options | WNOWAIT);
		if (pid <= 0)
			return pid;
		ticks = __oct_process(pid, "ticks");
		if (ticks < 0)
			return -1;
		usage->ru_utime.tv_sec = ticks / 100;
		usage->ru_utime.tv_usec = ticks % 100 * 10000;
		options |= WNOHANG;
	}
	return waitpid(pid, status, options);
}

pid_t wait3(int *status, int options, struct rusage *usage)
{
	return wait4(-1, status, options, usage);
}
