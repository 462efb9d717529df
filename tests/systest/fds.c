// SPDX-License-Identifier: ISC
//
// Descriptors: their numbers, dup and dup2, close-on-exec, sharing, limits.
#include "systest.h"

int tcdrain(int fd);

static char byte;

// ---- wrong ones

static void each_call_refuses(int fd)
{
	struct stat st;

	FAILS(EBADF, read(fd, &byte, 1));
	FAILS(EBADF, write(fd, &byte, 1));
	FAILS(EBADF, close(fd));
	FAILS(EBADF, lseek(fd, 0, SEEK_SET));
	FAILS(EBADF, fstat(fd, &st));
	FAILS(EBADF, ftruncate(fd, 0));
	FAILS(EBADF, dup(fd));
	FAILS(EBADF, dup2(fd, 5));
	FAILS(EBADF, dup2(fd, fd));
	FAILS(EBADF, tcgetpgrp(fd));
	FAILS(EBADF, tcsetpgrp(fd, getpgrp()));
	FAILS(EBADF, tcdrain(fd));
	CHECK(isatty(fd) == 0 && errno == EBADF);
}

static void wrong(void)
{
	// among them some that look open when cut to 8 or 16 bits
	static const int numbers[] = { 3, 9, 10, 11, 255, 256, 256 + 1, 65536, 65536 + 1, 0x7ffffffe, INT_MAX, -1, -2, -255, -65535, INT_MIN + 1 };

	for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		each_call_refuses(numbers[i]);
}

static void wrong_targets(void)
{
	static const int numbers[] = { -1, INT_MIN, INT_MAX, 0x1000000, -65536 + 3 };

	for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		FAILS(EBADF, dup2(1, numbers[i]));
	FAILS(EBADF, dup2(1, open_max()));
	FAILS(EBADF, dup2(1, 256 + 3));
	FAILS(EBADF, dup2(1, 65536 + 3));
	FAILS(EBADF, close(3));
}

static void closed_twice(void)
{
	int fd = file_with("file", "", 0);

	CHECK(close(fd) == 0);
	each_call_refuses(fd);
}

// ---- numbers

static void lowest(void)
{
	int a = file_with("a", "", 0), b = dup(a), c = dup(a), ends[2];

	CHECK(a == 3 && b == 4 && c == 5 && close(b) == 0 && open("a", O_RDONLY) == 4);
	CHECK(close(a) == 0 && dup(c) == 3 && close(3) == 0 && close(5) == 0 && pipe(ends) == 0 && ends[0] == 3 && ends[1] == 5);
}

static void duplicate_to(void)
{
	int a = file_with("a", "A", 1), b = file_with("b", "B", 1);

	CHECK(dup2(a, a) == a && dup2(a, 7) == 7 && read(7, &byte, 1) == 1 && byte == 'A');
	CHECK(dup2(a, b) == b && lseek(b, 0, SEEK_SET) == 0 && read(b, &byte, 1) == 1 && byte == 'A');
	CHECK(write(b, "+", 1) == 1 && close(a) == 0 && close(b) == 0 && close(7) == 0);
	CHECK(file_is("a", "A+") && file_is("b", "B"));
}

static void duplicate_over_last(void)
{
	int ends[2], fd = file_with("a", "", 0);

	CHECK(pipe(ends) == 0 && dup2(fd, ends[1]) == ends[1] && read(ends[0], &byte, 1) == 0); // the only writer is gone
}

// ---- sharing

static void share_offset(void)
{
	int a = file_with("file", "0123456789", 10), b = dup(a), c = open("file", O_RDONLY);

	CHECK(read(a, &byte, 1) == 1 && read(b, &byte, 1) == 1 && byte == '1');
	CHECK(lseek(b, 7, SEEK_SET) == 7 && read(a, &byte, 1) == 1 && byte == '7');
	CHECK(read(c, &byte, 1) == 1 && byte == '0' && close(a) == 0 && read(b, &byte, 1) == 1 && byte == '8');
}

static void share_with_child(void)
{
	int fd = file_with("file", "", 0);

	CHECK(fd == 3 && run_helper("put", "3", "child", NULL) == 0);
	CHECK(lseek(fd, 0, SEEK_CUR) == 5 && write(fd, "+me", 3) == 3 && file_is("file", "child+me"));
}

static void share_append(void)
{
	int fd, copy;

	make_file("file", "abc");
	fd = open("file", O_WRONLY | O_APPEND);
	copy = dup(fd);
	CHECK(lseek(copy, 0, SEEK_SET) == 0 && write(copy, "d", 1) == 1 && file_is("file", "abcd"));
}

static void child_closes(void)
{
	int fd = file_with("file", "x", 1);
	pid_t pid = vfork();

	if (pid == 0)
		_exit(close(fd));
	CHECK(exit_status(pid) == 0 && read(fd, &byte, 1) == 1);
}

// ---- close-on-exec

static void on_exec(void)
{
	CHECK(file_with("file", "", 0) == 3 && open("file", O_RDONLY | O_CLOEXEC) == 4 && dup(4) == 5);
	CHECK(open("file", O_RDONLY | O_CLOEXEC) == 6 && dup2(6, 6) == 6);
	CHECK(run_helper("fds", NULL, NULL, NULL) == (1 | 4)); // 3 and 5
	CHECK(lseek(4, 0, SEEK_CUR) == 0 && lseek(6, 0, SEEK_CUR) == 0);
}

static void on_exec_cleared(void)
{
	CHECK(file_with("file", "", 0) == 3 && open("file", O_RDONLY | O_CLOEXEC) == 4);
	CHECK(dup2(3, 4) == 4 && dup2(4, 5) == 5 && open("file", O_RDONLY | O_CLOEXEC) == 6 && close(6) == 0 && dup(3) == 6);
	CHECK(run_helper("fds", NULL, NULL, NULL) == 15);
}

static void on_failed_exec(void)
{
	char *const argv[] = { (char *)"none", NULL };
	int fd = (make_file("file", "x"), open("file", O_RDONLY | O_CLOEXEC));

	FAILS(ENOENT, execv("./none", argv));
	CHECK(read(fd, &byte, 1) == 1 && run_helper("fds", NULL, NULL, NULL) == 0);
}

// ---- limits

// Descriptors from 3 on, all open.
static void open_all(int limit)
{
	make_file("file", "x");
	for (int fd = 3; fd < limit; fd++)
		CHECK(open("file", O_RDONLY) == fd);
}

static void too_many(void)
{
	int ends[2] = { -5, -5 }, max = open_max();

	open_all(max);
	FAILS(EMFILE, open("file", O_RDONLY));
	FAILS(EMFILE, dup(0));
	FAILS(EMFILE, pipe(ends));
	CHECK(ends[0] == -5 && dup2(0, max - 1) == max - 1);
	CHECK(close(max - 2) == 0);
	FAILS(EMFILE, pipe(ends)); // there is room for one end
	CHECK(dup(0) == max - 2 && close(5) == 0 && open("file", O_RDONLY) == 5);
}

static void too_many_changes_nothing(void)
{
	open_all(open_max());
	FAILS(EMFILE, open("new", O_WRONLY | O_CREAT, 0666));
	FAILS(EMFILE, open("file", O_WRONLY | O_TRUNC));
	CHECK(access("new", F_OK) == -1 && file_size("file") == 1);
}

// In a child, whose parent's files stay open: opens all there are. 0, or which check failed.
static int fill_table(int max)
{
	int ends[2], n = 0;

	for (int fd = 3; fd < max; fd++)
		close(fd);
	while (n < max - 3 && open("file", O_RDONLY) >= 0)
		n++;
	if (n == max - 3 || errno != ENFILE)
		return 1;
	if (open("new", O_WRONLY | O_CREAT, 0666) != -1 || errno != ENFILE)
		return 2;
	if (open("file", O_WRONLY | O_TRUNC) != -1 || errno != ENFILE)
		return 3;
	while (pipe(ends) == 0 && dup(ends[0]) >= 0)
		;
	return errno == ENFILE || errno == EMFILE ? 0 : 4;
}

static void table_full(void)
{
	pid_t pid;

	open_all(open_max());
	pid = vfork();
	if (pid == 0)
		_exit(fill_table(open_max()));
	CHECK(exit_status(pid) == 0 && access("new", F_OK) == -1 && file_size("file") == 1);
	CHECK(close(9) == 0 && open("file", O_RDONLY) == 9);
}

static void limits(void)
{
	int max = open_max();

	CHECK(sysconf(_SC_OPEN_MAX) == max);
	CHECK(sysconf(_SC_PAGESIZE) > 0 && sysconf(_SC_CLK_TCK) > 0 && sysconf(_SC_ARG_MAX) > 0);
	FAILS(EINVAL, (int)sysconf(9999));
	CHECK(pathconf(".", _PC_NAME_MAX) > 12 && pathconf(".", _PC_PATH_MAX) > 100 && pathconf(".", _PC_PIPE_BUF) >= 512);
	FAILS(EINVAL, (int)pathconf(".", 9999));
	FAILS(ENOENT, (int)pathconf("none", _PC_NAME_MAX));
	FAILS(EBADF, (int)fpathconf(9, _PC_NAME_MAX));
}

static const struct test tests[] = {
	TEST(wrong, QUICK),
	TEST(wrong_targets, QUICK),
	TEST(closed_twice, QUICK),
	TEST(lowest, QUICK),
	TEST(duplicate_to, QUICK),
	TEST(duplicate_over_last, QUICK),
	TEST(share_offset, QUICK),
	TEST(share_with_child, QUICK),
	TEST(share_append, QUICK),
	TEST(child_closes, QUICK),
	TEST(on_exec, QUICK),
	TEST(on_exec_cleared, QUICK),
	TEST(on_failed_exec, QUICK),
	TEST(too_many, QUICK),
	TEST(too_many_changes_nothing, QUICK),
	TEST(table_full, OCTIX),
	TEST(limits, QUICK),
};

AREA("fds", tests);
