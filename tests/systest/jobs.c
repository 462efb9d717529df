// SPDX-License-Identifier: ISC
//
// Stopping and continuing; groups that are orphaned; sessions.
#include "systest.h"

static volatile sig_atomic_t count, last;

static void on_signal(int sig)
{
	count++;
	last = sig;
}

static void (*const volatile counting)(int) = on_signal; // a code address is not computed with

// The status of the next change of the process; -1 when there is none yet.
static int change(pid_t pid, int options)
{
	int status = -1;
	pid_t who = waitpid(pid, &status, options);

	CHECK(who == pid || who == 0);
	return who ? status : -1;
}

static int stopped_by(int status, int sig)
{
	return WIFSTOPPED(status) && WSTOPSIG(status) == sig && !WIFEXITED(status) && !WIFSIGNALED(status) && !WIFCONTINUED(status);
}

static int continued(int status)
{
	return WIFCONTINUED(status) && !WIFSTOPPED(status) && !WIFEXITED(status) && !WIFSIGNALED(status);
}

static pid_t stopped(const char *ms, const char *code, int sig)
{
	pid_t pid = start("nap", ms, code, NULL);

	CHECK(kill(pid, sig) == 0 && stopped_by(change(pid, WUNTRACED), sig));
	return pid;
}

static void stops(void)
{
	static const int signals[] = { SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU };

	for (unsigned i = 0; i < 4; i++) {
		pid_t pid = stopped("10", "3", signals[i]);

		CHECK(change(pid, WUNTRACED | WNOHANG) == -1 && change(pid, WNOHANG) == -1); // told once
		usleep(100000);
		CHECK(change(pid, WNOHANG) == -1); // though its time is over
		CHECK(kill(pid, SIGCONT) == 0 && exit_status(pid) == 3);
	}
}

static void not_asked(void)
{
	pid_t pid = start("nap", "100", "3", NULL);

	CHECK(kill(pid, SIGSTOP) == 0 && change(pid, WNOHANG) == -1 && kill(pid, SIGCONT) == 0 && exit_status(pid) == 3);
}

static void continues(void)
{
	pid_t pid = stopped("300", "3", SIGSTOP);

	CHECK(kill(pid, SIGCONT) == 0 && continued(change(pid, WCONTINUED)) && change(pid, WCONTINUED | WNOHANG) == -1);
	CHECK(exit_status(pid) == 3);
}

static void killed_while_stopped(void)
{
	pid_t pid = stopped("60000", NULL, SIGSTOP);
	int status;

	CHECK(kill(pid, SIGTERM) == 0 && (usleep(100000), change(pid, WNOHANG) == -1));
	CHECK(kill(pid, SIGCONT) == 0);
	status = change(pid, 0);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	pid = stopped("60000", NULL, SIGSTOP);
	CHECK(kill(pid, SIGKILL) == 0);
	status = change(pid, 0);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void parent_told(void)
{
	struct sigaction act = { .sa_handler = on_signal };
	sigset_t none, child;
	pid_t pid;

	sigemptyset(&none);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	sigaction(SIGCHLD, &act, NULL);
	pid = start("nap", "60000", NULL, NULL);
	CHECK(kill(pid, SIGSTOP) == 0);
	FAILS(EINTR, sigsuspend(&none));
	CHECK(stopped_by(change(pid, WUNTRACED | WNOHANG), SIGSTOP) && kill(pid, SIGCONT) == 0);
	FAILS(EINTR, sigsuspend(&none));
	CHECK(count == 2 && continued(change(pid, WCONTINUED | WNOHANG)));
	act.sa_flags = SA_NOCLDSTOP;
	CHECK(sigaction(SIGCHLD, &act, NULL) == 0 && kill(pid, SIGSTOP) == 0 && stopped_by(change(pid, WUNTRACED), SIGSTOP));
	CHECK(sigpending(&child) == 0 && !sigismember(&child, SIGCHLD) && kill(pid, SIGKILL) == 0);
	FAILS(EINTR, sigsuspend(&none));
	CHECK(count == 3);
}

// A stop signal takes a SIGCONT away that is pending, and the other way round.
static void discarded(void)
{
	sigset_t all, set;

	sigfillset(&all);
	CHECK(sigprocmask(SIG_BLOCK, &all, NULL) == 0 && signal(SIGCONT, on_signal) == SIG_DFL);
	CHECK(raise(SIGTSTP) == 0 && raise(SIGTTIN) == 0 && sigpending(&set) == 0 && sigismember(&set, SIGTSTP));
	CHECK(raise(SIGCONT) == 0 && sigpending(&set) == 0 && !sigismember(&set, SIGTSTP) && !sigismember(&set, SIGTTIN));
	CHECK(sigismember(&set, SIGCONT) && raise(SIGTSTP) == 0 && sigpending(&set) == 0 && !sigismember(&set, SIGCONT));
	CHECK(sigismember(&set, SIGTSTP) && raise(SIGCONT) == 0);
}

static void caught_stops(void)
{
	CHECK(signal(SIGTSTP, counting) == SIG_DFL && signal(SIGCONT, counting) == SIG_DFL);
	CHECK(raise(SIGTSTP) == 0 && count == 1 && raise(SIGCONT) == 0 && count == 2);
}

// A child of vfork stops when it has given its parent's memory back.
static void stops_after_exec(void)
{
	char *const argv[] = { (char *)self, (char *)"-x", (char *)"exit", (char *)"3", NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		raise(SIGSTOP);
		usleep(50000); // and it waits like others meanwhile
		execv(self, argv);
		_exit(1);
	}
	CHECK(stopped_by(change(pid, WUNTRACED), SIGSTOP) && kill(pid, SIGCONT) == 0 && exit_status(pid) == 3);
}

// Nobody could continue a group that is orphaned: the terminal's signals do not stop it.
static void orphaned(void)
{
	pid_t pid = start("new-session", "stop-self", NULL, NULL);

	CHECK(exit_status(pid) == 0);
}

// What is stopped when its group becomes orphaned gets SIGHUP and goes on.
static void left_stopped(void)
{
	char byte;
	int ends[2];

	CHECK(pipe(ends) == 0);
	CHECK(exit_status(start("leave-stopped", text_of(ends[1]), NULL, NULL)) == 0 && close(ends[1]) == 0);
	CHECK(read(ends[0], &byte, 1) == 0); // it has ended
}

// A call goes on where it was.
static void pipe_goes_on(void)
{
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0);
	pid = start("drain", text_of(ends[0]), "0", NULL);
	usleep(200000);
	CHECK(kill(pid, SIGSTOP) == 0 && stopped_by(change(pid, WUNTRACED), SIGSTOP) && write(ends[1], scratch, 300) == 300);
	usleep(100000);
	CHECK(kill(pid, SIGCONT) == 0 && write(ends[1], scratch, 200) == 200 && close(ends[1]) == 0 && exit_status(pid) == 5);
}

static void sessions(void)
{
	pid_t parent = getppid();

	CHECK(getsid(0) == getsid(getpid()) && getsid(0) == getsid(parent) && getpgid(0) == getpgrp() && getpgid(parent) > 0);
	FAILS(EPERM, setsid()); // the leader of its group
	FAILS(ESRCH, getsid(NOBODY));
	FAILS(ESRCH, getpgid(NOBODY));
	FAILS(ESRCH, getpgid(-5));
	CHECK(exit_status(start("new-session", "check", NULL, NULL)) == 0);
}

static void groups_within_session(void)
{
	pid_t pid = start("new-session", "wait", NULL, NULL);

	usleep(500000);
	CHECK(getsid(pid) == pid && getpgid(pid) == pid);
	FAILS(EPERM, setpgid(0, pid));
	FAILS(EPERM, setpgid(pid, getpgrp()));
	CHECK(kill(pid, SIGKILL) == 0);
}

static const struct test tests[] = {
	TEST(stops, QUICK),
	TEST(not_asked, QUICK),
	TEST(continues, QUICK),
	TEST(killed_while_stopped, QUICK),
	TEST(parent_told, QUICK),
	TEST(discarded, QUICK),
	TEST(caught_stops, QUICK),
	TEST(stops_after_exec, OCTIX),
	TEST(orphaned, QUICK),
	TEST(left_stopped, QUICK),
	TEST(pipe_goes_on, QUICK),
	TEST(sessions, QUICK),
	TEST(groups_within_session, QUICK),
};

AREA("jobs", tests);
