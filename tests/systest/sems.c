// SPDX-License-Identifier: ISC
//
// Semaphores, with and without a name.
#include "systest.h"

#include <semaphore.h>
#include <time.h>

// A name that no other run of this program uses.
static const char *name_of(const char *what)
{
	static char name[40];

	snprintf(name, sizeof name, "/%s-%ld", what, (long)getpid());
	return name;
}

static sem_t *make(const char *name, unsigned value)
{
	sem_t *sem = sem_open(name, O_CREAT | O_EXCL, 0600, value);

	CHECK(sem != SEM_FAILED);
	return sem;
}

static int value_of(sem_t *sem)
{
	int value = -1;

	CHECK(sem_getvalue(sem, &value) == 0);
	return value;
}

static void no_sem(int error, const char *name, int flags, unsigned value)
{
	errno = 0;
	CHECK(sem_open(name, flags, 0600, value) == SEM_FAILED && errno == error);
}

static void values(void)
{
	sem_t sem;

	CHECK(sem_init(&sem, 0, 3) == 0 && value_of(&sem) == 3);
	CHECK(sem_wait(&sem) == 0 && sem_trywait(&sem) == 0 && sem_wait(&sem) == 0 && value_of(&sem) == 0);
	FAILS(EAGAIN, sem_trywait(&sem));
	CHECK(sem_post(&sem) == 0 && sem_post(&sem) == 0 && value_of(&sem) == 2 && sem_destroy(&sem) == 0);
}

static void largest_value(void)
{
	sem_t sem;

	CHECK(sem_init(&sem, 0, SEM_VALUE_MAX) == 0 && value_of(&sem) == SEM_VALUE_MAX);
	FAILS(EOVERFLOW, sem_post(&sem));
	CHECK(sem_wait(&sem) == 0 && sem_post(&sem) == 0 && value_of(&sem) == SEM_VALUE_MAX && sem_destroy(&sem) == 0);
	FAILS(EINVAL, sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1));
	no_sem(EINVAL, name_of("large"), O_CREAT, (unsigned)SEM_VALUE_MAX + 1);
}

static void several(void)
{
	sem_t a, b;

	CHECK(sem_init(&a, 0, 1) == 0 && sem_init(&b, 0, 2) == 0 && value_of(&a) == 1 && value_of(&b) == 2);
	CHECK(sem_wait(&a) == 0 && sem_post(&b) == 0 && value_of(&a) == 0 && value_of(&b) == 3);
	CHECK(sem_destroy(&a) == 0 && value_of(&b) == 3 && sem_destroy(&b) == 0);
}

static void names(void)
{
	const char *name = name_of("name");
	sem_t *sem = make(name, 1);

	CHECK(sem_open(name, 0) == sem && sem_open(name, O_CREAT, 0600, 5) == sem && value_of(sem) == 1);
	no_sem(EEXIST, name, O_CREAT | O_EXCL, 0);
	CHECK(sem_close(sem) == 0 && value_of(sem) == 1 && sem_close(sem) == 0 && sem_post(sem) == 0 && sem_close(sem) == 0);
	sem = sem_open(name, 0);
	CHECK(sem != SEM_FAILED && value_of(sem) == 2 && sem_unlink(name) == 0);
	no_sem(ENOENT, name, 0, 0);
	FAILS(ENOENT, sem_unlink(name));
}

static void unlinked(void)
{
	const char *name = name_of("unlinked");
	sem_t *old = make(name, 1), *new;

	CHECK(sem_unlink(name) == 0 && value_of(old) == 1);
	new = make(name, 7);
	CHECK(new != old && value_of(new) == 7 && sem_wait(new) == 0 && value_of(old) == 1);
	CHECK(sem_close(old) == 0 && sem_unlink(name) == 0 && value_of(new) == 6 && sem_close(new) == 0);
}

static void wrong_names(void)
{
	no_sem(EINVAL, "", O_CREAT, 0);
	no_sem(EINVAL, "/", O_CREAT, 0);
	no_sem(EINVAL, "/a/b", O_CREAT, 0);
	no_sem(ENOENT, "/nobody has made this", 0, 0);
}

static void long_names(void)
{
	sem_t *sem = make(long_name(127), 1);

	no_sem(ENOENT, long_name(126), 0, 0);
	no_sem(ENAMETOOLONG, long_name(128), O_CREAT, 0);
	CHECK(sem_unlink(long_name(127)) == 0 && sem_close(sem) == 0);
}

// The child answers each unit with one of its own.
static void between_processes(void)
{
	char here[40], there[40];
	sem_t *ping, *pong;
	pid_t pid;

	strcpy(here, name_of("ping"));
	strcpy(there, name_of("pong"));
	ping = make(here, 0);
	pong = make(there, 0);
	pid = fork();
	if (pid == 0) {
		int good = sem_open(here, 0) != SEM_FAILED;

		for (int i = 0; i < 50; i++)
			good &= sem_wait(ping) == 0 && sem_post(pong) == 0;
		_exit(!good);
	}
	for (int i = 0; i < 50; i++)
		CHECK(sem_post(ping) == 0 && sem_wait(pong) == 0);
	CHECK(exit_status(pid) == 0 && value_of(ping) == 0 && value_of(pong) == 0 && sem_unlink(here) == 0 && sem_unlink(there) == 0);
}

static void each_unit_wakes_one(void)
{
	const char *name = name_of("many");
	sem_t *sem = make(name, 0);
	pid_t pid[3];

	for (int i = 0; i < 3; i++)
		if ((pid[i] = fork()) == 0)
			_exit(sem_wait(sem) != 0);
	usleep(200000);
	CHECK(waitpid(-1, NULL, WNOHANG) == 0 && value_of(sem) == 0);
	for (int i = 0; i < 3; i++) {
		CHECK(sem_post(sem) == 0 && wait(NULL) > 0);
		usleep(50000);
		CHECK(waitpid(-1, NULL, WNOHANG) == (i < 2 ? 0 : -1));
	}
	CHECK(value_of(sem) == 0 && sem_unlink(name) == 0);
}

static void killed_while_waiting(void)
{
	const char *name = name_of("killed");
	sem_t *sem = make(name, 0);
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(sem_wait(sem) == 0);
	usleep(100000);
	CHECK(kill(pid, SIGTERM) == 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
	CHECK(sem_post(sem) == 0 && value_of(sem) == 1 && sem_unlink(name) == 0);
}

static struct timespec in(long seconds)
{
	struct timespec t;

	CHECK(clock_gettime(CLOCK_REALTIME, &t) == 0);
	t.tv_sec += seconds;
	return t;
}

static void deadlines(void)
{
	struct timespec past = in(-10), soon = in(1), wrong = { soon.tv_sec, 1000000000 };
	sem_t sem;

	CHECK(sem_init(&sem, 0, 0) == 0);
	FAILS(EINVAL, sem_timedwait(&sem, &wrong));
	FAILS(ETIMEDOUT, sem_timedwait(&sem, &past));
	FAILS(ETIMEDOUT, sem_timedwait(&sem, &soon));
	CHECK(in(0).tv_sec >= soon.tv_sec && in(0).tv_sec <= soon.tv_sec + 1 && sem_post(&sem) == 0 && sem_timedwait(&sem, &past) == 0);
	CHECK(sem_destroy(&sem) == 0);
}

static void posted_before_the_deadline(void)
{
	const char *name = name_of("before");
	sem_t *sem = make(name, 0);
	struct timespec late = in(1000);
	pid_t pid = fork();

	if (pid == 0)
		_exit(usleep(100000) != 0 || sem_post(sem) != 0);
	CHECK(sem_timedwait(sem, &late) == 0 && exit_status(pid) == 0 && value_of(sem) == 0 && sem_unlink(name) == 0);
	FAILS(EAGAIN, sem_trywait(sem));
}

static volatile int rung;

static void ring(int sig)
{
	rung += sig == SIGALRM;
}

// A handler ends the wait; with SA_RESTART the wait goes on, until the child posts.
static void signals(void)
{
	struct sigaction action = { .sa_handler = ring };
	const char *name = name_of("signals");
	sem_t *sem = make(name, 0);
	struct timespec late = in(1000);
	pid_t pid;

	CHECK(sigaction(SIGALRM, &action, NULL) == 0);
	alarm(1);
	FAILS(EINTR, sem_wait(sem));
	alarm(1);
	FAILS(EINTR, sem_timedwait(sem, &late));
	action.sa_flags = SA_RESTART;
	CHECK(rung == 2 && sigaction(SIGALRM, &action, NULL) == 0);
	alarm(1);
	pid = fork();
	if (pid == 0)
		_exit(sleep(2) != 0 || sem_post(sem) != 0);
	CHECK(sem_wait(sem) == 0 && rung == 3 && exit_status(pid) == 0 && value_of(sem) == 0 && sem_unlink(name) == 0);
}

// ---- what only Octix promises

static void wrong_numbers(void)
{
	static const unsigned long wrong[] = { 0, 1, 8, 9, 255, 256, 257, 65536 + 1, 0x80000001, 0xffffffff };

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		for (unsigned call = CALL_oct_sem_wait; call <= CALL_oct_sem_value; call++)
			CHECK(raw_call(call, wrong[i], 0, 0) == -EINVAL && raw_call(CALL_oct_sem_close, wrong[i], 0, 0) == -EINVAL);
}

static unsigned all(void)
{
	sem_t sem;
	unsigned n = 0;

	while (sem_init(&sem, 1, 1) == 0)
		n++;
	CHECK(errno == ENOSPC);
	return n;
}

static void freed_by_the_end(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit((int)all());
		CHECK(exit_status(pid) >= 4);
	}
	CHECK(all() >= 4);
	no_sem(ENOSPC, name_of("more"), O_CREAT, 0);
}

static void shared_with_children(void)
{
	sem_t sem;
	pid_t pid;

	CHECK(sem_init(&sem, 1, 0) == 0);
	pid = fork();
	if (pid == 0)
		_exit(sem_post(&sem) != 0 || sem_destroy(&sem) != 0);
	CHECK(sem_wait(&sem) == 0 && exit_status(pid) == 0 && sem_destroy(&sem) == 0);
	FAILS(EINVAL, sem_post(&sem));
}

static const struct test tests[] = {
	TEST(values, WITH_SEMS),
	TEST(largest_value, WITH_SEMS),
	TEST(several, WITH_SEMS),
	TEST(names, WITH_SEMS),
	TEST(unlinked, WITH_SEMS),
	TEST(wrong_names, WITH_SEMS),
	TEST(long_names, OCTIX | WITH_SEMS),
	TEST(between_processes, WITH_SEMS),
	TEST(each_unit_wakes_one, WITH_SEMS),
	TEST(killed_while_waiting, WITH_SEMS),
	TEST(deadlines, WITH_SEMS),
	TEST(posted_before_the_deadline, WITH_SEMS),
	TEST(signals, WITH_SEMS),
	TEST(wrong_numbers, OCTIX | WITH_SEMS),
	TEST(freed_by_the_end, OCTIX | WITH_SEMS),
	TEST(shared_with_children, OCTIX | WITH_SEMS),
};

AREA("sems", tests);
