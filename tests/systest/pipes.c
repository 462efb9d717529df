// SPDX-License-Identifier: ISC
//
// Pipes: order, blocking, ends of file, broken pipes, atomic writes.
#include "systest.h"

static void passing(void)
{
	int ends[2];

	CHECK(pipe(ends) == 0 && ends[0] == 3 && ends[1] == 4);
	CHECK(write(ends[1], "hello", 5) == 5 && write(ends[1], " you", 4) == 4);
	CHECK(read(ends[0], scratch, 3) == 3 && memcmp(scratch, "hel", 3) == 0);
	CHECK(read(ends[0], scratch, 1100) == 6 && memcmp(scratch, "lo you", 6) == 0);
	CHECK(write(ends[1], scratch, 0) == 0);
}

static void going_round(void)
{
	unsigned in = 0, out = 0;
	int ends[2];

	CHECK(pipe(ends) == 0);
	for (unsigned i = 0; i < 60; i++) {
		unsigned n = i * 37 % 211 + 1, m = i * 53 % 190 + 1;

		if (in - out + n <= PIPE_BUF) {
			pattern_fill(scratch, n, 1, in);
			CHECK(write(ends[1], scratch, n) == (ssize_t)n);
			in += n;
		}
		if (in - out) {
			m = m < in - out ? m : in - out;
			CHECK(read(ends[0], scratch, m) == (ssize_t)m && pattern_is(scratch, m, 1, out));
			out += m;
		}
	}
	CHECK(in > 2000);
}

// Small items of one size: some end where the ring does, and lie at the border of a page.
static void items(void)
{
	static const unsigned sizes[] = { 1, 4, 16, 100, 128, 255, 256 };
	unsigned char *to = scratch + 8000, *from = scratch;
	int ends[2];

	CHECK(pipe(ends) == 0);
	for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned i = 0, n = sizes[s]; i < 2 * PIPE_BUF / n + 3; i++) {
			unsigned at = i * 61 % 600;

			pattern_fill(from + at, 2 * n, i, 0);
			CHECK(write(ends[1], from + at, n) == (ssize_t)n && write(ends[1], from + at + n, n) == (ssize_t)n);
			memset(to + at, 0, 2 * n + 1);
			CHECK(read(ends[0], to + at, n) == (ssize_t)n && read(ends[0], to + at + n, n + (i % 3 == 0)) == (ssize_t)n);
			CHECK(pattern_is(to + at, 2 * n, i, 0) && to[at + 2 * n] == 0);
		}
}

static void whole_buffer(void)
{
	int ends[2];

	CHECK(pipe(ends) == 0);
	for (int i = 0; i < 3; i++) {
		pattern_fill(scratch, 512, (unsigned)i, 0);
		CHECK(write(ends[1], scratch, 512) == 512 && read(ends[0], scratch, 1100) == 512 && pattern_is(scratch, 512, (unsigned)i, 0));
	}
}

static void directions(void)
{
	struct stat st;
	int ends[2];

	CHECK(pipe(ends) == 0);
	FAILS(EBADF, write(ends[0], scratch, 1));
	FAILS(EBADF, read(ends[1], scratch, 1));
	FAILS(ESPIPE, lseek(ends[0], 0, SEEK_CUR));
	FAILS(ESPIPE, lseek(ends[1], 1, SEEK_SET));
	FAILS(ESPIPE, pread(ends[0], scratch, 1, 0));
	CHECK(fstat(ends[0], &st) == 0 && S_ISFIFO(st.st_mode) && fstat(ends[1], &st) == 0 && S_ISFIFO(st.st_mode));
	CHECK(isatty(ends[0]) == 0);
}

static void end_of_file(void)
{
	int ends[2], copy;

	CHECK(pipe(ends) == 0 && (copy = dup(ends[1])) >= 0 && write(ends[1], "abc", 3) == 3);
	CHECK(close(ends[1]) == 0 && write(copy, "d", 1) == 1 && close(copy) == 0);
	CHECK(read(ends[0], scratch, 2) == 2 && read(ends[0], scratch, 100) == 2 && read(ends[0], scratch, 1) == 0 && read(ends[0], scratch, 1) == 0);
}

static void broken(void)
{
	int ends[2];

	CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR && pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && close(ends[0]) == 0);
	FAILS(EPIPE, write(ends[1], "x", 1));
	FAILS(EPIPE, write(ends[1], scratch, 1100));
	CHECK(close(ends[1]) == 0);
}

static void broken_kills(void)
{
	int ends[2], status;
	pid_t pid;

	CHECK(pipe(ends) == 0 && close(ends[0]) == 0);
	pid = start("put", "4", "text", NULL);
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

static void reader_waits(void)
{
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	pid = start("put", "4", "late", "200");
	CHECK(read(ends[0], scratch, 100) == 4 && memcmp(scratch, "late", 4) == 0 && exit_status(pid) == 0);
}

static void reader_waits_for_end(void)
{
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	pid = start("nap", "200", "5", NULL);
	CHECK(close(ends[1]) == 0 && read(ends[0], scratch, 100) == 0 && exit_status(pid) == 5);
}

// A reader that has not the write end.
static pid_t start_drain(const int *ends, const char *ms)
{
	char *argv[] = { (char *)self, (char *)"-x", (char *)"drain", (char *)"3", (char *)ms, NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		close(ends[1]);
		execv(self, argv);
		_exit(127);
	}
	CHECK(pid > 0);
	return pid;
}

static void more_than_fits(void)
{
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0 && ends[0] == 3);
	pid = start_drain(ends, "100");
	CHECK(write(ends[1], scratch, 12000) == 12000 && write(ends[1], scratch, 1000) == 1000 && close(ends[1]) == 0);
	CHECK(exit_status(pid) == 130);
}

static void broken_while_waiting(void)
{
	int ends[2];
	ssize_t n = 1;
	pid_t pid;

	CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR && pipe(ends) == 0);
	pid = start("nap", "300", "0", NULL); // the only reader, soon
	CHECK(close(ends[0]) == 0);
	for (int i = 0; i < 10 && n > 0; i++)
		n = write(ends[1], scratch, sizeof scratch);
	CHECK(n == -1 && errno == EPIPE && exit_status(pid) == 0);
}

// Records of two writers must not mix.
static void atomic_writes(void)
{
	enum { RECORD = PIPE_BUF / 4, EACH = 12 };
	unsigned char *record = malloc(RECORD);
	int ends[2], count[2] = { 0, 0 };
	pid_t one, two;

	CHECK(record && pipe(ends) == 0);
	one = start("records", "4", "a", text_of(EACH));
	two = start("records", "4", "b", text_of(EACH));
	CHECK(close(ends[1]) == 0);
	for (;;) {
		unsigned got = 0;
		ssize_t n;

		while (got < RECORD && (n = read(ends[0], record + got, RECORD - got)) > 0)
			got += (unsigned)n;
		if (!got)
			break;
		CHECK(got == RECORD);
		for (unsigned i = 1; i < RECORD; i++)
			CHECK(record[i] == record[0]);
		count[record[0] != 'a']++;
	}
	CHECK(count[0] == EACH && count[1] == EACH && exit_status(one) == 0 && exit_status(two) == 0);
}

static void none_left(void)
{
	int ends[8][2], n = 0;

	while (n < 8 && pipe(ends[n]) == 0)
		n++;
	CHECK(n >= 2 && n < 8 && errno == ENFILE);
	for (int i = 0; i < n; i++)
		CHECK(write(ends[i][1], &i, 1) == 1);
	for (int i = 0; i < n; i++)
		CHECK(read(ends[i][0], scratch, 2) == 1 && scratch[0] == i && close(ends[i][0]) == 0 && close(ends[i][1]) == 0);
}

static void none_lost(void)
{
	int ends[2];

	for (int i = 0; i < 40; i++) {
		CHECK(pipe(ends) == 0 && ends[0] == 3 && ends[1] == 4 && write(ends[1], "x", 1) == 1);
		CHECK(close(ends[i & 1]) == 0 && close(ends[!(i & 1)]) == 0);
	}
}

// ---- O_NONBLOCK

static void empty_at_once(void)
{
	int ends[2];

	CHECK(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0 && fcntl(ends[0], F_GETFD) == FD_CLOEXEC && fcntl(ends[1], F_GETFD) == FD_CLOEXEC);
	FAILS(EAGAIN, read(ends[0], scratch, 10));
	CHECK(read(ends[0], scratch, 0) == 0 && write(ends[1], "abc", 3) == 3 && read(ends[0], scratch, 10) == 3);
	FAILS(EAGAIN, read(ends[0], scratch, 1));
	CHECK(close(ends[1]) == 0 && read(ends[0], scratch, 1) == 0);
	FAILS(EINVAL, pipe2(ends, O_APPEND));
}

// Up to PIPE_BUF bytes are written whole or not at all, more as far as they fit.
static void full_at_once(void)
{
	unsigned filled = 0;
	int ends[2];
	ssize_t n;

	CHECK(pipe(ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
	while ((n = write(ends[1], scratch, PIPE_BUF)) > 0)
		filled += (unsigned)n;
	CHECK(n == -1 && errno == EAGAIN && filled >= PIPE_BUF && filled % PIPE_BUF == 0);
	FAILS(EAGAIN, write(ends[1], scratch, PIPE_BUF));
	FAILS(EAGAIN, write(ends[1], scratch, PIPE_BUF + 1));
	for (unsigned got = 0; got < filled; got += (unsigned)n)
		CHECK((n = read(ends[0], scratch, filled - got > sizeof scratch ? sizeof scratch : filled - got)) > 0);
	CHECK(write(ends[1], "x", 1) == 1 && read(ends[0], scratch, 10) == 1);
}

static void part_at_once(void)
{
	int ends[2];

	CHECK(pipe2(ends, O_NONBLOCK) == 0 && write(ends[1], "abc", 3) == 3);
	pattern_fill(scratch, 2000, 5, 0);
	CHECK(write(ends[1], scratch, 2000) == 509); // what fits, of more than PIPE_BUF
	FAILS(EAGAIN, write(ends[1], scratch, 1));
	CHECK(read(ends[0], scratch, 3) == 3 && write(ends[1], scratch + 700, 3) == 3); // the next call starts anew
	CHECK(read(ends[0], scratch, 2000) == 512 && pattern_is(scratch, 509, 5, 0));
	FAILS(EAGAIN, read(ends[0], scratch, 1));
}

// The flag belongs to one end, and is seen through all its descriptors.
static void one_end(void)
{
	int ends[2], copy;
	pid_t pid;

	CHECK(pipe(ends) == 0 && (copy = dup(ends[0])) == 5 && fcntl(copy, F_SETFL, O_NONBLOCK) == 0);
	FAILS(EAGAIN, read(ends[0], scratch, 1));
	CHECK(fcntl(ends[0], F_SETFL, 0) == 0);
	pid = start("put", "4", "late", "200");
	CHECK(read(copy, scratch, 10) == 4 && exit_status(pid) == 0);
}

static const struct test tests[] = {
	TEST(passing, QUICK),
	TEST(going_round, QUICK),
	TEST(items, QUICK),
	TEST(whole_buffer, QUICK),
	TEST(directions, QUICK),
	TEST(end_of_file, QUICK),
	TEST(broken, QUICK),
	TEST(broken_kills, QUICK),
	TEST(reader_waits, QUICK),
	TEST(reader_waits_for_end, QUICK),
	TEST(more_than_fits, QUICK),
	TEST(broken_while_waiting, QUICK),
	TEST(atomic_writes, QUICK),
	TEST(empty_at_once, QUICK),
	TEST(full_at_once, QUICK),
	TEST(part_at_once, OCTIX),
	TEST(one_end, QUICK),
	TEST(none_left, OCTIX),
	TEST(none_lost, QUICK),
};

AREA("pipes", tests);
