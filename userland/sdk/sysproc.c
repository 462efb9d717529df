// SPDX-License-Identifier: ISC
//
// System calls on processes and signals. A child is a host process; execve runs the host command of `self` again.
#include "diag.h"
#include "oxefile.h"
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <octix/abi.h>
#include <octix/errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	int octix, host;
} signals[] = {
	{ OX_SIGHUP, SIGHUP }, { OX_SIGINT, SIGINT }, { OX_SIGQUIT, SIGQUIT }, { OX_SIGILL, SIGILL },
	{ OX_SIGTRAP, SIGTRAP }, { OX_SIGABRT, SIGABRT }, { OX_SIGFPE, SIGFPE }, { OX_SIGKILL, SIGKILL },
	{ OX_SIGBUS, SIGBUS }, { OX_SIGSEGV, SIGSEGV }, { OX_SIGSYS, SIGSYS }, { OX_SIGPIPE, SIGPIPE },
	{ OX_SIGALRM, SIGALRM }, { OX_SIGTERM, SIGTERM }, { OX_SIGURG, SIGURG }, { OX_SIGSTOP, SIGSTOP },
	{ OX_SIGTSTP, SIGTSTP }, { OX_SIGCONT, SIGCONT }, { OX_SIGCHLD, SIGCHLD }, { OX_SIGTTIN, SIGTTIN },
	{ OX_SIGTTOU, SIGTTOU }, { OX_SIGIO, SIGIO }, { OX_SIGXCPU, SIGXCPU }, { OX_SIGXFSZ, SIGXFSZ },
	{ OX_SIGVTALRM, SIGVTALRM }, { OX_SIGPROF, SIGPROF }, { OX_SIGWINCH, SIGWINCH }, { OX_SIGUSR1, SIGUSR1 },
	{ OX_SIGUSR2, SIGUSR2 }, { 0, 0 },
};

int sys_host_signal(int sig)
{
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (signals[i].octix == sig)
			return signals[i].host;
	return -1;
}

int sys_octix_signal(int host)
{
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (signals[i].host == host)
			return signals[i].octix;
	return OX_SIGKILL;
}

// The parent waits until the other end of the pipe closes.
static void wait_for_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	close(fd);
}

// The child goes on at once, the parent when *go_on of the child is closed.
static int32_t start_child(struct sys *s, int *go_on)
{
	int gone[2];
	pid_t pid;

	if (pipe2(gone, O_CLOEXEC))
		return sys_error(errno);
	*go_on = fcntl(gone[1], F_DUPFD_CLOEXEC, 200);
	close(gone[1]);
	pid = *go_on < 0 ? -1 : fork();
	if (pid == 0) {
		close(gone[0]);
		s->forked = true;
		return 0;
	}
	close(*go_on);
	wait_for_end(gone[0]);
	return sys_result(pid);
}

// The parent waits until the child has called execve or is gone.
int32_t sys_vfork(struct sys *s, const uint32_t *arg)
{
	int go_on;

	(void)arg;
	return start_child(s, &go_on);
}

// The parent waits until the child has copied its memory.
int32_t sys_fork(struct sys *s, const uint32_t *arg)
{
	int go_on;
	int32_t pid = start_child(s, &go_on);

	(void)arg;
	if (pid == 0) {
		space_unshare(s->space);
		close(go_on);
	}
	return pid;
}

// Copies a NULL-terminated list of strings of the process. Returns NULL and sets *error on failure.
static char **get_list(const struct sys *s, uint32_t addr, int32_t *error)
{
	char **list = xcalloc(OXE_ARG_MAX / 4, sizeof *list), text[OXE_ARG_MAX];

	for (size_t n = 0; addr && n < OXE_ARG_MAX / 4 - 1; n++, addr += 4) {
		uint32_t at;

		if (addr % 4 || !space_allows(s->space, addr, 4, SPACE_READ)) {
			*error = -OX_EFAULT;
			return NULL;
		}
		at = space_word(s->space, addr);
		if (!at)
			break;
		*error = sys_string(s, at, text, sizeof text);
		if (*error)
			return NULL;
		list[n] = xstrdup(text);
	}
	return list;
}

// Why a file cannot be run, or 0.
static int32_t runnable(const char *path)
{
	struct oxe_file f;
	const char *failed;
	unsigned faults;

	errno = 0;
	failed = oxe_read(path, &f);
	if (failed) {
		int error = errno;

		oxe_free(&f);
		return access(path, F_OK) ? sys_error(error) : -OX_EACCES;
	}
	faults = oxe_check_header(&f, NULL, NULL);
	oxe_free(&f);
	return faults ? -OX_ENOEXEC : 0;
}

static size_t append(char **to, size_t n, const char *before, char *const *list)
{
	for (; *list; list++) {
		if (before)
			to[n++] = (char *)before;
		to[n++] = *list;
	}
	return n;
}

int32_t sys_execve(struct sys *s, const uint32_t *arg)
{
	char path[PATH_MAX], **argv, **envp, **host;
	int32_t error = sys_path(s, arg[0], path, sizeof path);
	size_t n;

	if (!error)
		error = s->self ? runnable(path) : -OX_ENOSYS;
	argv = error ? NULL : get_list(s, arg[1], &error);
	envp = error ? NULL : get_list(s, arg[2], &error);
	if (error)
		return error;
	host = xcalloc(OXE_ARG_MAX, sizeof *host);
	n = append(host, 0, NULL, s->self);
	n = append(host, n, "--env", envp);
	host[n++] = (char *)"--argv0";
	host[n++] = argv[0] ? argv[0] : path;
	host[n++] = path;
	if (argv[0])
		append(host, n, NULL, argv + 1);
	execv("/proc/self/exe", host);
	return sys_error(errno);
}

static uint32_t octix_status(int status)
{
	if (WIFSIGNALED(status))
		return (uint32_t)sys_octix_signal(WTERMSIG(status));
	if (WIFSTOPPED(status))
		return (uint32_t)sys_octix_signal(WSTOPSIG(status)) << 8 | OX_STOPPED;
	return WIFCONTINUED(status) ? OX_CONTINUED : (uint32_t)WEXITSTATUS(status) << 8;
}

_Static_assert(OX_WNOHANG == WNOHANG && OX_WUNTRACED == WSTOPPED && OX_WCONTINUED == WCONTINUED, "the host's options");

// What waitpid would have said.
static int host_status(const siginfo_t *info)
{
	switch (info->si_code) {
	case CLD_EXITED:
		return info->si_status << 8;
	case CLD_STOPPED:
	case CLD_TRAPPED:
		return info->si_status << 8 | 0x7f;
	case CLD_CONTINUED:
		return 0xffff;
	default:
		return info->si_status;
	}
}

int32_t sys_waitpid(struct sys *s, const uint32_t *arg)
{
	pid_t pid = (pid_t)(int32_t)arg[0];
	uint32_t options = arg[2];
	siginfo_t info = { .si_pid = 0 };
	int of_host = (int)(options & (OX_WNOHANG | OX_WUNTRACED | OX_WCONTINUED)) | (options & OX_WNOWAIT ? WNOWAIT : 0) | (options & OX_WNOEXIT ? 0 : WEXITED);

	if (arg[1] && !sys_bytes(s, arg[1], 4, SPACE_WRITE))
		return -OX_EFAULT;
	if (options & ~(uint32_t)(OX_WNOHANG | OX_WUNTRACED | OX_WCONTINUED | OX_WNOWAIT | OX_WNOEXIT))
		return -OX_EINVAL;
	if (waitid(pid == -1 ? P_ALL : pid > 0 ? P_PID : P_PGID, (id_t)(pid < -1 ? -pid : pid ? pid : getpgrp()), &info, of_host) < 0)
		return sys_result(-1);
	if (info.si_pid > 0 && arg[1])
		space_put_word(s->space, arg[1], octix_status(host_status(&info)));
	return sys_result(info.si_pid);
}

int32_t sys_kill(struct sys *s, const uint32_t *arg)
{
	int sig = sys_host_signal((int)arg[1]);

	(void)s;
	return sig < 0 ? -OX_EINVAL : sys_result(kill((pid_t)(int32_t)arg[0], sig));
}

// The default and ignoring; there is nobody here to call handlers.
int32_t sys_oct_signal(struct sys *s, const uint32_t *arg)
{
	int sig = sys_host_signal((int)arg[0]);
	struct sigaction old, new = { .sa_handler = arg[1] == OCT_SIG_IGN ? SIG_IGN : SIG_DFL };

	(void)s;
	if (sig <= 0 || arg[1] > (sig == SIGCHLD ? OCT_SIG_CATCH | OCT_SIG_NOCLDSTOP : OCT_SIG_ASK))
		return -OX_EINVAL;
	if (arg[1] != OCT_SIG_ASK && arg[1] & OCT_SIG_CATCH)
		return -OX_ENOSYS;
	if (sigaction(sig, arg[1] == OCT_SIG_ASK ? NULL : &new, &old))
		return sys_error(errno);
	return old.sa_handler == SIG_IGN ? OCT_SIG_IGN : OCT_SIG_DFL;
}

static void host_set(sigset_t *to, uint32_t set)
{
	sigemptyset(to);
	for (int sig = 1; sig < OX_NSIG; sig++)
		if (set >> sig & 1 && sys_host_signal(sig) > 0)
			sigaddset(to, sys_host_signal(sig));
}

static uint32_t octix_set(const sigset_t *from)
{
	uint32_t set = 0;

	for (int sig = 1; sig < OX_NSIG; sig++)
		if (sys_host_signal(sig) > 0 && sigismember(from, sys_host_signal(sig)) == 1)
			set |= 1u << sig;
	return set;
}

int32_t sys_oct_sigmask(struct sys *s, const uint32_t *arg)
{
	static const int how[] = { [OCT_SETMASK] = SIG_SETMASK, [OCT_BLOCK] = SIG_BLOCK, [OCT_UNBLOCK] = SIG_UNBLOCK };
	sigset_t new, old;

	if (arg[0] > OCT_UNBLOCK)
		return -OX_EINVAL;
	if (arg[2] && (arg[2] % 4 || !sys_bytes(s, arg[2], 4, SPACE_WRITE)))
		return -OX_EFAULT;
	host_set(&new, arg[1]);
	sigprocmask(how[arg[0]], &new, &old);
	if (arg[2])
		space_put_word(s->space, arg[2], octix_set(&old));
	return 0;
}

int32_t sys_oct_sigsuspend(struct sys *s, const uint32_t *arg)
{
	sigset_t mask;

	(void)s;
	host_set(&mask, arg[0]);
	return sys_result(sigsuspend(&mask));
}

int32_t sys_oct_sigpending(struct sys *s, const uint32_t *arg)
{
	sigset_t set;

	(void)s;
	(void)arg;
	sigpending(&set);
	return (int32_t)octix_set(&set);
}

int32_t sys_oct_alarm(struct sys *s, const uint32_t *arg)
{
	struct itimerval new = { .it_value = { arg[0] / 1000, arg[0] % 1000 * 1000 } }, old;

	(void)s;
	setitimer(ITIMER_REAL, &new, &old);
	return (int32_t)(old.it_value.tv_sec * 1000 + (old.it_value.tv_usec + 999) / 1000);
}

int32_t sys_oct_nice(struct sys *s, const uint32_t *arg)
{
	int which = (int)arg[0], value = (int)arg[2], now;

	(void)s;
	if (arg[0] > OX_PRIO_USER || (int)arg[1] < 0 || value >= 40)
		return -OX_EINVAL;
	if (value >= 0 && setpriority((__priority_which_t)which, arg[1], value - 20) < 0)
		return sys_result(-1);
	errno = 0;
	now = getpriority((__priority_which_t)which, arg[1]);
	return errno ? sys_result(-1) : now + 20;
}

int32_t sys_sched_yield(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return sched_yield();
}

int32_t sys_getpid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return getpid();
}

int32_t sys_getppid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return getppid();
}

int32_t sys_setpgid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return sys_result(setpgid((pid_t)arg[0], (pid_t)arg[1]));
}

int32_t sys_getpgrp(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return getpgrp();
}

int32_t sys_setsid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return sys_result(setsid());
}

int32_t sys_getsid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return sys_result(getsid((pid_t)arg[0]));
}

int32_t sys_getpgid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return sys_result(getpgid((pid_t)arg[0]));
}
