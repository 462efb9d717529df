// SPDX-License-Identifier: ISC
//
// waitid, wait3, wait4.
#include "systest.h"

#include <sys/resource.h>
#include <time.h>

static int is(const siginfo_t *info, pid_t pid, int code, int status)
{
	return info->si_signo == SIGCHLD && info->si_pid == pid && info->si_code == code && info->si_status == status;
}

static void ends(void)
{
	siginfo_t info;
	pid_t pid = start("exit", "7", NULL, NULL);

	CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0 && is(&info, pid, CLD_EXITED, 7));
	CHECK(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && is(&info, pid, CLD_EXITED, 7));
	FAILS(ECHILD, waitid(P_ALL, 0, &info, WSTOPPED | WCONTINUED)); // it will do neither
	CHECK(waitid(P_PID, (id_t)pid, &info, WEXITED) == 0 && is(&info, pid, CLD_EXITED, 7));
	FAILS(ECHILD, waitid(P_PID, (id_t)pid, &info, WEXITED));
	pid = start("exit", "0", NULL, NULL);
	CHECK(waitid(P_PID, (id_t)pid, NULL, WEXITED) == 0);
	FAILS(ECHILD, waitid(P_ALL, 0, &info, WEXITED | WNOHANG));
}

static void killed(void)
{
	siginfo_t info;
	pid_t pid = start("nap", "5000", "0", NULL);

	CHECK(waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0 && info.si_pid == 0);
	CHECK(kill(pid, SIGSTOP) == 0);
	CHECK(waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT) == 0 && is(&info, pid, CLD_STOPPED, SIGSTOP));
	CHECK(waitid(P_PGID, (id_t)getpgrp(), &info, WSTOPPED) == 0 && is(&info, pid, CLD_STOPPED, SIGSTOP));
	CHECK(waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == 0);
	CHECK(kill(pid, SIGCONT) == 0 && waitid(P_ALL, 0, &info, WCONTINUED) == 0 && is(&info, pid, CLD_CONTINUED, SIGCONT));
	CHECK(kill(pid, SIGTERM) == 0 && waitid(P_ALL, 0, &info, WEXITED) == 0 && is(&info, pid, CLD_KILLED, SIGTERM));
}

static void refused(void)
{
	siginfo_t info;
	pid_t pid = start("exit", "3", NULL, NULL);

	FAILS(EINVAL, waitid(P_ALL, 0, &info, 0));
	FAILS(EINVAL, waitid(P_ALL, 0, &info, WNOHANG));
	FAILS(EINVAL, waitid(P_ALL, 0, &info, WEXITED | 0x4000));
	FAILS(EINVAL, waitid((idtype_t)77, 1, &info, WEXITED));
	FAILS(ECHILD, waitid(P_PID, NOBODY, &info, WEXITED));
	FAILS(ECHILD, waitid(P_PGID, NOBODY, &info, WEXITED));
	CHECK(exit_status(pid) == 3);
}

// A child that has computed for a while has used time.
static void times_used(void)
{
	struct rusage usage = { .ru_utime = { 77, 77 } };
	int status;
	pid_t pid = start("nap", "300", "5", NULL);

	CHECK(wait4(pid, &status, WNOHANG, &usage) == 0);
	CHECK(wait4(pid, &status, 0, &usage) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 5);
	CHECK(usage.ru_utime.tv_sec == 0);
	FAILS(ECHILD, wait4(pid, &status, 0, &usage));
	pid = fork();
	if (pid == 0) {
		clock_t start = clock();

		while (clock() - start < CLOCKS_PER_SEC / 2)
			;
		_exit(4);
	}
	CHECK(wait3(&status, 0, &usage) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 4);
	CHECK(usage.ru_utime.tv_sec * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_sec * 1000000L + usage.ru_stime.tv_usec >= 450000);
	FAILS(ECHILD, wait3(&status, 0, NULL));
}

static const struct test tests[] = {
	TEST(ends, QUICK),
	TEST(killed, QUICK),
	TEST(refused, QUICK),
	TEST(times_used, QUICK | WITH_PROC),
};

AREA("waitid", tests);
