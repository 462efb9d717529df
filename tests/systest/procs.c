// SPDX-License-Identifier: ISC
//
// Processes: vfork, exit statuses, waitpid, parents, groups.
#include "systest.h"

#include <sys/utsname.h>

static void numbers(void)
{
	pid_t me = getpid(), parent = getppid(), child = vfork();

	if (child == 0)
		_exit(getpid() == me || getppid() != me);
	CHECK(me > 1 && parent > 0 && parent != me && child > 1 && child != me && child != parent);
	CHECK(exit_status(child) == 0 && getpid() == me && getppid() == parent);
	CHECK(run_helper("ppid", text_of(me), NULL, NULL) == 0);
}

static void exit_statuses(void)
{
	static const int given[] = { 0, 1, 42, 127, 128, 255, 256, 257, -1 };

	for (unsigned i = 0; i < sizeof given / sizeof given[0]; i++)
		CHECK(exit_status(ended_child(given[i])) == (given[i] & 255));
	CHECK(run_helper("exit", "77", NULL, NULL) == 77);
}

static void memory_is_lent(void)
{
	volatile int value = 1;
	pid_t pid = vfork();

	if (pid == 0) {
		value = 2;
		_exit(0);
	}
	CHECK(exit_status(pid) == 0 && value == 2);
}

static void folder_is_not_lent(void)
{
	pid_t pid;

	CHECK(mkdir("dir", 0777) == 0);
	pid = vfork();
	if (pid == 0)
		_exit(chdir("dir"));
	CHECK(exit_status(pid) == 0);
	make_file("file", "");
	CHECK(access("dir/file", F_OK) == -1);
}

// The exit status of a child of a child, and one more.
static int inner_status(void)
{
	pid_t pid = ended_child(7);
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) + 1 : 0;
}

static void vfork_in_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(inner_status());
	CHECK(exit_status(pid) == 8);
	FAILS(ECHILD, wait(NULL));
}

// ---- waiting

static void no_child(void)
{
	int status = 77;

	FAILS(ECHILD, waitpid(-1, &status, 0));
	FAILS(ECHILD, wait(&status));
	FAILS(ECHILD, waitpid(-1, &status, WNOHANG));
	FAILS(ECHILD, waitpid(getppid(), &status, 0));
	FAILS(ECHILD, waitpid(getpid(), &status, 0));
	FAILS(ECHILD, waitpid(0, &status, 0));
	FAILS(ECHILD, waitpid(-getpid(), &status, 0));
	FAILS(ECHILD, waitpid(NOBODY, &status, 0));
	CHECK(status == 77);
}

static void reaped_once(void)
{
	pid_t pid = start("exit", "3", NULL, NULL);

	CHECK(exit_status(pid) == 3);
	FAILS(ECHILD, waitpid(pid, NULL, 0));
	FAILS(ECHILD, wait(NULL));
}

static void wait_for_one(void)
{
	pid_t slow = start("nap", "300", "1", NULL), fast = start("exit", "2", NULL, NULL);

	CHECK(exit_status(slow) == 1 && exit_status(fast) == 2);
}

static void wait_for_any(void)
{
	pid_t slow = start("nap", "1200", "1", NULL), fast = start("exit", "2", NULL, NULL);
	int status;

	CHECK(wait(&status) == fast && WEXITSTATUS(status) == 2);
	CHECK(waitpid(-1, &status, 0) == slow && WEXITSTATUS(status) == 1);
}

static void wait_not(void)
{
	pid_t pid = start("nap", "800", "9", NULL);
	int status = 77;

	CHECK(waitpid(pid, &status, WNOHANG) == 0 && waitpid(-1, &status, WNOHANG) == 0 && status == 77);
	usleep(2000000);
	CHECK(waitpid(pid, &status, WNOHANG) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 9);
}

static void wait_without_status(void)
{
	pid_t pid = start("exit", "3", NULL, NULL);

	CHECK(waitpid(pid, NULL, 0) == pid);
	pid = start("exit", "3", NULL, NULL);
	CHECK(wait(NULL) == pid);
}

static void wait_options(void)
{
	pid_t pid = start("exit", "3", NULL, NULL);

	FAILS(EINVAL, waitpid(pid, NULL, 0x4000000));
	CHECK(waitpid(pid, NULL, WUNTRACED) == pid);
}

// The helper "nap" in a group of its own.
static pid_t start_group(const char *ms, const char *status)
{
	pid_t pid = vfork();

	if (pid == 0) {
		setpgid(0, 0);
		execl(self, self, "-x", "nap", ms, status, (char *)NULL);
		_exit(127);
	}
	CHECK(pid > 0);
	return pid;
}

static void wait_for_group(void)
{
	pid_t mine = start("nap", "200", "1", NULL), other = start_group("300", "2");
	int status;

	CHECK(waitpid(0, &status, 0) == mine && WEXITSTATUS(status) == 1);
	FAILS(ECHILD, waitpid(0, NULL, WNOHANG));
	CHECK(waitpid(-other, &status, 0) == other && WEXITSTATUS(status) == 2);
}

static void killed_status(void)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGKILL, SIGALRM, SIGTERM };
	int status;
	pid_t pid;

	for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		pid = start("raise", text_of(signals[i]), NULL, NULL);
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(WIFSIGNALED(status) && !WIFEXITED(status) && !WIFSTOPPED(status) && WTERMSIG(status) == signals[i]);
	}
}

static void crash_status(void)
{
	static const char *const how[] = { "null", "read", "write", "stack" };
	int status;
	pid_t pid;

	for (unsigned i = 0; i < sizeof how / sizeof how[0]; i++) {
		pid = start("crash", how[i], NULL, NULL);
		CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	}
}

// ---- families

static void orphan(void)
{
	char text[8] = "";
	int ends[2];

	CHECK(pipe(ends) == 0 && ends[1] == 4);
	CHECK(run_helper("orphan", "300", "4", NULL) == 0 && close(ends[1]) == 0);
	CHECK(read(ends[0], text, sizeof text - 1) > 0);
	CHECK(on_octix ? atoi(text) == 1 : atoi(text) > 0);
	FAILS(ECHILD, wait(NULL)); // init's now
}

static void orphans_are_reaped(void)
{
	for (int i = 0; i < 14; i++) { // more than there are processes
		CHECK(run_helper("orphan", "0", "1000", NULL) == 0); // descriptor 1000: the message goes nowhere
		usleep(50000); // init's, where there is one place for it only
	}
	CHECK(run_helper("exit", "6", NULL, NULL) == 6);
}

static void too_many(void)
{
	pid_t pids[20];
	int n = 0;

	while (n < 20) {
		char *argv[] = { (char *)self, (char *)"-x", (char *)"nap", (char *)"60000", NULL };
		pid_t pid = vfork();

		if (pid == 0) {
			execv(self, argv);
			_exit(127);
		}
		if (pid < 0)
			break;
		pids[n++] = pid;
	}
	CHECK(errno == EAGAIN && n >= 3 && n < 20);
	for (int i = 0; i < n; i++)
		CHECK(kill(pids[i], SIGKILL) == 0 && waitpid(pids[i], NULL, 0) == pids[i]);
	CHECK(run_helper("exit", "4", NULL, NULL) == 4);
}

// ---- groups

static void group_of_child(void)
{
	pid_t me = getpid(), pid;

	CHECK(getpgrp() == me && getpgid(0) == me && getpgid(me) == me); // systest has given each test its own
	CHECK(run_helper("group", text_of(me), NULL, NULL) == 0);
	pid = vfork();
	if (pid == 0)
		_exit(setpgid(0, 0) != 0 || getpgrp() != getpid());
	CHECK(exit_status(pid) == 0);
	pid = vfork();
	if (pid == 0) {
		if (setpgid(0, 0) != 0 || setpgid(0, me) != 0)
			_exit(1);
		_exit(getpgrp() != me);
	}
	CHECK(exit_status(pid) == 0);
}

static void group_errors(void)
{
	FAILS(EINVAL, setpgid(0, -1));
	FAILS(ESRCH, setpgid(getppid(), 0));
	FAILS(ESRCH, setpgid(NOBODY, 0));
	FAILS(ESRCH, getpgid(NOBODY));
	CHECK(setpgid(0, 0) == 0 && setpgid(getpid(), getpid()) == 0);
}

static void group_of_nobody(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(setpgid(0, NOBODY) != -1 || errno != EPERM);
	CHECK(exit_status(pid) == 0);
}

static void identity(void)
{
	struct utsname name;

	CHECK(getuid() == geteuid() && getgid() == getegid());
	CHECK(uname(&name) == 0 && strlen(name.sysname) > 2 && strlen(name.release) > 2 && strlen(name.machine) > 2);
}

static const struct test tests[] = {
	TEST(numbers, QUICK),
	TEST(exit_statuses, QUICK),
	TEST(memory_is_lent, QUICK),
	TEST(folder_is_not_lent, QUICK),
	TEST(vfork_in_vfork, OCTIX), // the address sanitizer keeps but one return address
	TEST(no_child, QUICK),
	TEST(reaped_once, QUICK),
	TEST(wait_for_one, QUICK),
	TEST(wait_for_any, QUICK),
	TEST(wait_not, QUICK),
	TEST(wait_without_status, QUICK),
	TEST(wait_options, QUICK),
	TEST(wait_for_group, QUICK),
	TEST(killed_status, QUICK),
	TEST(crash_status, QUICK),
	TEST(orphan, QUICK),
	TEST(orphans_are_reaped, QUICK),
	TEST(too_many, OCTIX | WITH_MANY),
	TEST(group_of_child, QUICK),
	TEST(group_errors, QUICK),
	TEST(group_of_nobody, QUICK),
	TEST(identity, WITH_PROC),
};

AREA("procs", tests);
