// SPDX-License-Identifier: ISC
//
// fork: what the child gets, what it does not share, and what is left when there is no room.
#include "systest.h"

#include <sched.h>

// The status of a child that ends with what the expression gives: no more than the child's own copy of it.
#define IN_CHILD(expression) \
	({ \
		pid_t pid_ = fork(); \
		if (pid_ == 0) \
			_exit(expression); \
		exit_status(pid_); \
	})

static volatile int initialised = 5, zero;

static void numbers(void)
{
	pid_t me = getpid(), child = fork();

	if (child == 0)
		_exit(getpid() == me || getppid() != me);
	CHECK(child > 0 && child != me && exit_status(child) == 0 && getpid() == me);
	FAILS(ECHILD, wait(NULL));
}

static int change_all(volatile int *local, int *heap)
{
	int good = initialised == 6 && zero == 7 && *local == 8 && *heap == 9;

	initialised = zero = *local = *heap = 1;
	return !(good && initialised + zero + *local + *heap == 4);
}

static void memory_is_copied(void)
{
	volatile int local = 8;
	int *heap = malloc(sizeof *heap);

	CHECK(heap);
	initialised = 6;
	zero = 7;
	*heap = 9;
	CHECK(IN_CHILD(change_all(&local, heap)) == 0);
	CHECK(initialised == 6 && zero == 7 && local == 8 && *heap == 9);
	free(heap);
}

static int refill(unsigned seed, unsigned other)
{
	if (!pattern_is(scratch, sizeof scratch, seed, 0))
		return 1;
	pattern_fill(scratch, sizeof scratch, other, 0);
	return !pattern_is(scratch, sizeof scratch, other, 0);
}

// More than the frames hold.
static void much_memory(void)
{
	for (unsigned round = 1; round < 4; round++) {
		pattern_fill(scratch, sizeof scratch, round, 0);
		CHECK(IN_CHILD(refill(round, round + 100)) == 0);
		CHECK(pattern_is(scratch, sizeof scratch, round, 0));
	}
}

// What is zero is not copied; it is still zero when the child has changed it, and for the child when the parent has.
static void zeros(void)
{
	int ends[2];
	char byte;
	pid_t pid;

	CHECK(pipe(ends) == 0 && scratch[5000] == 0);
	pid = fork();
	if (pid == 0) {
		scratch[9000] = 1;
		_exit(read(ends[0], &byte, 1) != 1 || scratch[5000] || scratch[9000] != 1);
	}
	scratch[5000] = 2;
	CHECK(write(ends[1], "x", 1) == 1 && exit_status(pid) == 0);
	CHECK(scratch[5000] == 2 && scratch[9000] == 0);
}

// Several at once, each with memory of its own.
static void together(void)
{
	pid_t pids[3];

	for (unsigned i = 0; i < 3; i++) {
		pattern_fill(scratch, 3000, i, 0);
		pids[i] = fork();
		if (pids[i] == 0) {
			for (unsigned round = 0; round < 5; round++) {
				if (!pattern_is(scratch, 3000, i + 10 * round, 0))
					_exit(1);
				pattern_fill(scratch, 3000, i + 10 * (round + 1), 0);
				usleep(1000);
			}
			_exit(40 + (int)i);
		}
		CHECK(pids[i] > 0);
	}
	CHECK(pattern_is(scratch, 3000, 2, 0));
	for (int i = 2; i >= 0; i--)
		CHECK(exit_status(pids[i]) == 40 + i);
}

static void position_is_shared(void)
{
	int fd = file_with("file", "abcdef", 6);
	char text[3];

	CHECK(IN_CHILD(read(fd, text, 2) != 2 || memcmp(text, "ab", 2) || close(fd)) == 0);
	CHECK(read(fd, text, 2) == 2 && memcmp(text, "cd", 2) == 0);
}

static void folder_is_not(void)
{
	CHECK(mkdir("dir", 0777) == 0 && IN_CHILD(chdir("dir")) == 0);
	make_file("file", "");
	CHECK(access("dir/file", F_OK) == -1);
}

// The end of a pipe that a child has is open until it ends.
static void pipes(void)
{
	int ends[2];
	char text[8];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		usleep(100000);
		_exit(write(ends[1], "child", 5) != 5);
	}
	CHECK(close(ends[1]) == 0 && read(ends[0], text, sizeof text) == 5 && memcmp(text, "child", 5) == 0);
	CHECK(read(ends[0], text, sizeof text) == 0 && exit_status(pid) == 0);
}

static int grandchild(int depth)
{
	initialised = depth;
	if (depth < 4 && IN_CHILD(grandchild(depth + 1)) != depth + 1)
		return 99;
	return initialised == depth ? depth : 98;
}

static void generations(void)
{
	CHECK(grandchild(1) == 1);
}

static void then_exec(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl(self, self, "-x", "exit", "33", (char *)NULL);
		_exit(127);
	}
	CHECK(exit_status(pid) == 33);
}

static void in_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(IN_CHILD(initialised + 6) != 11);
	CHECK(exit_status(pid) == 0);
}

static void signals_are_inherited(void)
{
	CHECK(signal(SIGTERM, SIG_IGN) != SIG_ERR);
	CHECK(IN_CHILD(kill(getpid(), SIGTERM) != 0) == 0);
}

// A parent that forks when it is killed ends, and its half-made child, too.
static void killed_in_fork(void)
{
	for (useconds_t ms = 1; ms < 40; ms += 6) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			pattern_fill(scratch, 6000, 1, 0);
			for (;;)
				if (IN_CHILD(0) != 0)
					_exit(1);
		}
		CHECK(pid > 0);
		usleep(200000 + ms * 1000);
		CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
}

static int fork_all(pid_t *pids, int most, const int *ends)
{
	int n = 0;
	char byte;

	while (n < most && (pids[n] = fork()) >= 0) {
		if (pids[n] == 0) {
			close(ends[1]);
			_exit(read(ends[0], &byte, 1) != 0 ? 100 : n);
		}
		n++;
	}
	return n;
}

static void too_many(void)
{
	enum { MOST = 30 };
	int counts[2];

	for (int round = 0; round < 2; round++) {
		pid_t pids[MOST];
		int ends[2];

		CHECK(pipe(ends) == 0);
		counts[round] = fork_all(pids, MOST, ends);
		CHECK(errno == EAGAIN && counts[round] >= 1 && counts[round] < MOST && close(ends[1]) == 0);
		for (int i = counts[round] - 1; i >= 0; i--)
			CHECK(exit_status(pids[i]) == i);
		CHECK(close(ends[0]) == 0);
	}
	CHECK(counts[0] == counts[1]); // nothing is lost
}

// Others run while this one has nothing to do.
static void yielding(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		for (int i = 0; i < 20; i++)
			if (sched_yield() != 0)
				_exit(1);
		_exit(7);
	}
	for (long i = 0; i < 1000000 && waitpid(pid, &status, WNOHANG) == 0; i++)
		CHECK(sched_yield() == 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static const struct test tests[] = {
	TEST(numbers, QUICK),
	TEST(memory_is_copied, QUICK),
	TEST(much_memory, QUICK),
	TEST(zeros, QUICK),
	TEST(together, WITH_MANY),
	TEST(position_is_shared, QUICK),
	TEST(folder_is_not, QUICK),
	TEST(pipes, QUICK),
	TEST(generations, WITH_MANY),
	TEST(then_exec, QUICK),
	TEST(in_vfork, OCTIX), // the address sanitizer keeps but one return address
	TEST(signals_are_inherited, QUICK),
	TEST(killed_in_fork, SLOW),
	TEST(too_many, OCTIX),
	TEST(yielding, QUICK),
};

AREA("fork", tests);
