// SPDX-License-Identifier: ISC
//
// Nice values: nice, getpriority, setpriority, and what they do.
#include "systest.h"

#include <sys/resource.h>
#include <time.h>

static int mine(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

static void values(void)
{
	CHECK(mine() == 0 && nice(0) == 0 && nice(3) == 3 && mine() == 3);
	CHECK(getpriority(PRIO_PROCESS, (id_t)getpid()) == 3);
	CHECK(setpriority(PRIO_PROCESS, 0, 7) == 0 && mine() == 7);
	CHECK(nice(5) == 12 && setpriority(PRIO_PROCESS, (id_t)getpid(), 100) == 0 && mine() == 19 && nice(1000) == 19);
	FAILS(EINVAL, getpriority(3, 0));
	FAILS(EINVAL, setpriority(-1, 0, 0));
	FAILS(ESRCH, getpriority(PRIO_PROCESS, 32000));
	FAILS(ESRCH, setpriority(PRIO_PGRP, 32000, 3));
}

static void children(void)
{
	pid_t pid;

	CHECK(nice(4) == 4);
	pid = fork();
	if (pid == 0)
		_exit(mine() == 4 && nice(2) == 6 ? 0 : 1);
	CHECK(exit_status(pid) == 0 && mine() == 4);
	CHECK(run_helper("nice", NULL, NULL, NULL) == 4);
	pid = fork();
	if (pid == 0) {
		usleep(100000);
		_exit(mine());
	}
	CHECK(setpriority(PRIO_PROCESS, (id_t)pid, 9) == 0 && getpriority(PRIO_PROCESS, (id_t)pid) == 9 && exit_status(pid) == 9);
}

static void groups(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		CHECK(nice(5) == 5);
		usleep(300000);
		_exit(mine());
	}
	CHECK(pid > 0);
	setpgid(pid, pid);
	usleep(100000);
	CHECK(getpriority(PRIO_PGRP, (id_t)pid) == 5 && getpriority(PRIO_PGRP, 0) == 0); // the lowest of the group
	CHECK(setpriority(PRIO_PGRP, (id_t)pid, 8) == 0 && mine() == 0 && exit_status(pid) == 8);
}

static void only_root(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		CHECK(setpriority(PRIO_PROCESS, 0, -5) == 0 && mine() == -5 && nice(-100) == -20 && nice(25) == 5);
		CHECK(setuid(66) == 0);
		CHECK(nice(3) == 8 && mine() == 8);
		FAILS(EPERM, nice(-1));
		FAILS(EACCES, setpriority(PRIO_PROCESS, 0, 0));
		CHECK(mine() == 8 && setpriority(PRIO_PROCESS, 0, 8) == 0);
		CHECK(getpriority(PRIO_PROCESS, (id_t)getppid()) == 0);
		FAILS(EPERM, setpriority(PRIO_PROCESS, (id_t)getppid(), 10));
		CHECK(getpriority(PRIO_USER, 0) == 8 && setpriority(PRIO_USER, 66, 11) == 0 && mine() == 11);
		_exit(0);
	}
	CHECK(exit_status(pid) == 0);
}

// Two compute for 3 seconds; how far each gets.
static unsigned long compete(int one, int other, unsigned long *of_other)
{
	const int values[] = { one, other };
	unsigned long count[2];
	struct timespec now, end;
	int ends[2];

	CHECK(pipe(ends) == 0 && clock_gettime(CLOCK_MONOTONIC, &end) == 0);
	end.tv_sec += 3;
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			unsigned long record[2] = { (unsigned long)i, 0 };

			setpriority(PRIO_PROCESS, 0, values[i]);
			do {
				for (volatile int k = 0; k < 100; k++)
					;
				record[1]++;
				clock_gettime(CLOCK_MONOTONIC, &now);
			} while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
			write(ends[1], record, sizeof record);
			_exit(0);
		}
	for (int i = 0; i < 2; i++) {
		unsigned long record[2];

		CHECK(read(ends[0], record, sizeof record) == (ssize_t)sizeof record);
		count[record[0] & 1] = record[1];
		CHECK(wait(NULL) > 0);
	}
	CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
	*of_other = count[1];
	return count[0];
}

// The nicer one gets less, but something.
static void shares(void)
{
	unsigned long a, b;

	a = compete(0, 0, &b);
	CHECK(a < 2 * b && b < 2 * a);
	a = compete(0, 5, &b);
	CHECK(a > b + b / 2 && a < 5 * b);
	a = compete(0, 19, &b);
	CHECK(a > 8 * b && b > a / 40);
	a = compete(-20, 0, &b);
	CHECK(a > 3 * b && b > a / 20);
}

static const struct test tests[] = {
	TEST(values, WITH_NICE),
	TEST(children, WITH_NICE),
	TEST(groups, WITH_NICE),
	TEST(only_root, WITH_NICE | WITH_USERS | ROOT),
	TEST(shares, WITH_NICE | OCTIX | ROOT),
};

AREA("nice", tests);
