// SPDX-License-Identifier: ISC
//
// Signals without handlers: kill, ignoring, what a signal ends.
#include "systest.h"

static int ended_by(pid_t pid, int signal)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

static void kill_errors(void)
{
	pid_t gone = start("exit", "0", NULL, NULL);

	CHECK(exit_status(gone) == 0);
	FAILS(ESRCH, kill(gone, 0));
	FAILS(ESRCH, kill(gone, SIGTERM));
	FAILS(ESRCH, kill(-NOBODY, SIGTERM));
	FAILS(EINVAL, kill(getpid(), -1));
	FAILS(EINVAL, kill(getpid(), 1000));
	FAILS(EINVAL, kill(getpid(), 65536 + 9));
	FAILS(EINVAL, kill(getpid(), 256 + 9));
	CHECK(kill(getpid(), 0) == 0 && kill(getppid(), 0) == 0 && kill(0, 0) == 0 && kill(-getpgrp(), 0) == 0 && raise(0) == 0);
}

static void huge_numbers(void)
{
	FAILS(ESRCH, kill(65536 + 2, SIGKILL));
	FAILS(ESRCH, kill(INT_MAX, SIGKILL));
	FAILS(ESRCH, kill(-65536, SIGKILL));
	FAILS(ESRCH, kill(INT_MIN + 1, SIGKILL));
}

static void zombie(void)
{
	pid_t pid = start("exit", "5", NULL, NULL);

	usleep(1000000);
	CHECK(kill(pid, 0) == 0 && kill(pid, SIGKILL) == 0 && exit_status(pid) == 5);
}

static void init_lives(void)
{
	CHECK(kill(1, SIGKILL) == 0 && kill(1, SIGTERM) == 0 && kill(1, 0) == 0);
}

static void ends_sleep(void)
{
	pid_t pid = start("nap", "60000", NULL, NULL);

	CHECK(kill(pid, 0) == 0 && kill(pid, SIGTERM) == 0 && ended_by(pid, SIGTERM));
	pid = start("nap", "60000", NULL, NULL);
	usleep(300000); // it sleeps by now
	CHECK(kill(pid, SIGINT) == 0 && ended_by(pid, SIGINT));
}

static void ends_read(void)
{
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	pid = start("drain", "3", "0", NULL);
	usleep(300000);
	CHECK(kill(pid, SIGHUP) == 0 && ended_by(pid, SIGHUP));
}

static void ends_write(void)
{
	char text[4] = "";
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	pid = start("records", "4", "x", "1000");
	usleep(300000);
	CHECK(kill(pid, SIGTERM) == 0 && ended_by(pid, SIGTERM) && read(ends[0], text, 4) == 4 && memcmp(text, "xxxx", 4) == 0);
}

static void ends_wait(void)
{
	pid_t pid = start("orphan", "60000", "1", NULL); // its child stays behind, in our group

	CHECK(exit_status(pid) == 0);
}

static void kills_parent_in_vfork(void)
{
	CHECK(ended_by(start("kill-parent", NULL, NULL, NULL), SIGTERM));
}

// What has borrowed our memory is killed before it has executed anything.
static void killed_in_vfork(void)
{
	volatile int before = 4711;
	int ends[2];
	pid_t killer, pid;

	CHECK(pipe(ends) == 0);
	killer = start("kill-told", "3", text_of(SIGKILL), NULL);
	pid = vfork();
	if (pid == 0) {
		const char *number = text_of(getpid());

		if (write(ends[1], number, strlen(number) + 1) < 0)
			_exit(1);
		sleep(60);
		_exit(2);
	}
	CHECK(before == 4711 && ended_by(pid, SIGKILL) && exit_status(killer) == 0);
}

static void group(void)
{
	pid_t a = start("nap", "60000", NULL, NULL), b = start("nap", "60000", NULL, NULL);

	CHECK(signal(SIGTERM, SIG_IGN) == SIG_DFL && kill(0, SIGTERM) == 0); // we are in it
	CHECK(ended_by(a, SIGTERM) && ended_by(b, SIGTERM) && signal(SIGTERM, SIG_DFL) == SIG_IGN);
	CHECK(signal(SIGHUP, SIG_IGN) == SIG_DFL);
	a = start("nap", "300", "4", NULL); // ignores it, too
	CHECK(killpg(getpgrp(), SIGHUP) == 0 && exit_status(a) == 4);
}

static void ignoring(void)
{
	CHECK(signal(SIGTERM, SIG_IGN) == SIG_DFL && signal(SIGTERM, SIG_IGN) == SIG_IGN && raise(SIGTERM) == 0);
	CHECK(run_helper("ignored", text_of(SIGTERM), NULL, NULL) == 1 && run_helper("ignored", text_of(SIGINT), NULL, NULL) == 0);
	CHECK(run_helper("raise", text_of(SIGTERM), NULL, NULL) == 0 && signal(SIGTERM, SIG_DFL) == SIG_IGN);
	CHECK(run_helper("ignored", text_of(SIGTERM), NULL, NULL) == 0);
}

static void child_ignores_alone(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(signal(SIGTERM, SIG_IGN) != SIG_DFL);
	CHECK(exit_status(pid) == 0 && signal(SIGTERM, SIG_DFL) == SIG_DFL);
}

static void not_ignorable(void)
{
	CHECK(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
	CHECK(signal(0, SIG_IGN) == SIG_ERR && errno == EINVAL);
	CHECK(signal(-1, SIG_IGN) == SIG_ERR && errno == EINVAL);
	CHECK(signal(1000, SIG_DFL) == SIG_ERR && errno == EINVAL);
	CHECK(signal(65536 + SIGTERM, SIG_IGN) == SIG_ERR && errno == EINVAL);
}

static void killed_though_ignoring(void)
{
	pid_t pid;

	CHECK(signal(SIGTERM, SIG_IGN) == SIG_DFL);
	pid = start("nap", "60000", NULL, NULL);
	CHECK(kill(pid, SIGTERM) == 0 && waitpid(pid, NULL, WNOHANG) == 0 && kill(pid, SIGKILL) == 0 && ended_by(pid, SIGKILL));
}

static void aborting(void)
{
	CHECK(ended_by(start("abort", NULL, NULL, NULL), SIGABRT));
	CHECK(signal(SIGABRT, SIG_IGN) == SIG_DFL && ended_by(start("abort", NULL, NULL, NULL), SIGABRT));
}

static void child_signal(void)
{
	CHECK(signal(SIGCHLD, SIG_DFL) == SIG_DFL && kill(getpid(), SIGCHLD) == 0);
	CHECK(exit_status(start("exit", "1", NULL, NULL)) == 1);
}

static const struct test tests[] = {
	TEST(kill_errors, QUICK),
	TEST(huge_numbers, QUICK),
	TEST(zombie, QUICK),
	TEST(init_lives, OCTIX),
	TEST(ends_sleep, QUICK),
	TEST(ends_read, QUICK),
	TEST(ends_write, QUICK),
	TEST(ends_wait, QUICK),
	TEST(kills_parent_in_vfork, QUICK),
	TEST(killed_in_vfork, QUICK),
	TEST(group, QUICK),
	TEST(ignoring, QUICK),
	TEST(child_ignores_alone, QUICK),
	TEST(not_ignorable, QUICK),
	TEST(killed_though_ignoring, QUICK),
	TEST(aborting, QUICK),
	TEST(child_signal, QUICK),
};

AREA("signals", tests);
