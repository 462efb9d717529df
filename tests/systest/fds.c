// SPDX-License-Identifier: ISC
//
// Descriptors: their numbers, dup and dup2, close-on-exec, sharing, limits.
#include "systest.h"

#include <termios.h>

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
	FAILS(EBADF, fcntl(fd, F_DUPFD, 0));
	FAILS(EBADF, fcntl(fd, F_GETFD));
	FAILS(EBADF, fcntl(fd, F_SETFD, 1));
	FAILS(EBADF, fcntl(fd, F_GETFL));
	FAILS(EBADF, fcntl(fd, F_SETFL, 0));
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

// ---- fcntl

static void copies(void)
{
	int a = file_with("file", "0123", 4), max = open_max();

	CHECK(a == 3 && fcntl(a, F_DUPFD, 0) == 4 && fcntl(a, F_DUPFD, 8) == 8 && fcntl(a, F_DUPFD, 8) == 9 && fcntl(4, F_DUPFD, 3) == 5);
	CHECK(fcntl(a, F_DUPFD, max - 1) == max - 1 && read(max - 1, &byte, 1) == 1 && read(8, &byte, 1) == 1 && byte == '1');
	FAILS(EMFILE, fcntl(a, F_DUPFD, max - 1));
	FAILS(EINVAL, fcntl(a, F_DUPFD, max));
	FAILS(EINVAL, fcntl(a, F_DUPFD, -1));
	FAILS(EINVAL, fcntl(a, F_DUPFD_CLOEXEC, INT_MAX));
	FAILS(EINVAL, fcntl(a, 9999));
	FAILS(EINVAL, fcntl(a, -1));
}

// Two descriptors share a byte in the kernel.
static void neighbours(void)
{
	int a = file_with("a", "A", 1), b = file_with("b", "B", 1);

	for (int fd = 5; fd < 9; fd++)
		CHECK(dup2(fd & 1 ? a : b, fd) == fd);
	CHECK(close(5) == 0 && lseek(6, 0, SEEK_CUR) == 0 && close(8) == 0 && lseek(7, 0, SEEK_CUR) == 0);
	CHECK(read(7, &byte, 1) == 1 && byte == 'A' && read(6, &byte, 1) == 1 && byte == 'B' && lseek(8, 0, SEEK_CUR) == -1);
}

static void descriptor_flags(void)
{
	CHECK(file_with("file", "", 0) == 3 && fcntl(3, F_GETFD) == 0 && fcntl(3, F_SETFD, FD_CLOEXEC) == 0 && fcntl(3, F_GETFD) == FD_CLOEXEC);
	CHECK(dup(3) == 4 && fcntl(4, F_GETFD) == 0 && fcntl(3, F_GETFD) == FD_CLOEXEC && fcntl(3, F_DUPFD_CLOEXEC, 5) == 5);
	CHECK(fcntl(3, F_DUPFD, 6) == 6 && open("file", O_RDONLY | O_CLOEXEC) == 7 && fcntl(7, F_GETFD) == FD_CLOEXEC && fcntl(7, F_SETFD, 0) == 0);
	CHECK(fcntl(5, F_GETFD) == FD_CLOEXEC && fcntl(6, F_GETFD) == 0 && dup2(6, 8) == 8 && fcntl(8, F_SETFD, FD_CLOEXEC) == 0 && dup2(6, 8) == 8);
	CHECK(close(5) == 0 && dup2(6, 5) == 5 && close(5) == 0 && fcntl(3, F_DUPFD_CLOEXEC, open_max() - 1) == open_max() - 1);
	CHECK(run_helper("fds", NULL, NULL, NULL) == (2 | 8 | 16 | 32)); // 4, 6, 7, 8
	CHECK(dup3(3, 9, O_CLOEXEC) == 9 && fcntl(9, F_GETFD) == FD_CLOEXEC && dup3(3, 9, 0) == 9 && fcntl(9, F_GETFD) == 0);
	FAILS(EINVAL, dup3(3, 3, 0));
	FAILS(EINVAL, dup3(3, 9, O_APPEND));
	FAILS(EBADF, dup3(10, 9, O_CLOEXEC));
}

static void status_flags(void)
{
	int ends[2], fd = file_with("file", "abc", 3), copy = dup(fd), other = open("file", O_WRONLY | O_APPEND | O_CLOEXEC);
	const int flags = O_ACCMODE | O_APPEND | O_NONBLOCK;

	CHECK((fcntl(fd, F_GETFL) & flags) == O_RDWR && (fcntl(other, F_GETFL) & flags) == (O_WRONLY | O_APPEND));
	CHECK(fcntl(copy, F_SETFL, O_APPEND) == 0 && (fcntl(fd, F_GETFL) & flags) == (O_RDWR | O_APPEND));
	CHECK(write(fd, "d", 1) == 1 && file_is("file", "abcd"));
	CHECK(fcntl(fd, F_SETFL, O_WRONLY | O_CREAT | O_TRUNC | O_EXCL) == 0 && (fcntl(copy, F_GETFL) & flags) == O_RDWR); // only what may change
	CHECK(lseek(fd, 0, SEEK_SET) == 0 && write(fd, "A", 1) == 1 && file_is("file", "Abcd"));
	CHECK(fcntl(other, F_SETFL, O_NONBLOCK) == 0 && (fcntl(other, F_GETFL) & flags) == (O_WRONLY | O_NONBLOCK));
	CHECK(open("file", O_RDONLY | O_NONBLOCK) == 6 && (fcntl(6, F_GETFL) & flags) == O_NONBLOCK);
	CHECK(read(6, &byte, 1) == 1 && byte == 'A');
	CHECK(pipe(ends) == 0 && (fcntl(ends[0], F_GETFL) & flags) == O_RDONLY && (fcntl(ends[1], F_GETFL) & flags) == O_WRONLY);
	CHECK(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 && (fcntl(ends[1], F_GETFL) & flags) == (O_WRONLY | O_NONBLOCK));
	CHECK((fcntl(ends[0], F_GETFL) & flags) == O_RDONLY);
}

// ---- limits

// Descriptors from 3 on, all open. (Copies: there are fewer open files than descriptors.)
static void open_all(int limit)
{
	CHECK(file_with("file", "x", 1) == 3);
	for (int fd = 4; fd < limit; fd++)
		CHECK(dup(3) == fd);
}

static void too_many(void)
{
	int ends[2] = { -5, -5 }, max = open_max();

	open_all(max);
	FAILS(EMFILE, open("file", O_RDONLY));
	FAILS(EMFILE, dup(0));
	FAILS(EMFILE, fcntl(0, F_DUPFD, 0));
	FAILS(EMFILE, fcntl(0, F_DUPFD_CLOEXEC, max - 1));
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

// All open files that there are; the next one fails and changes nothing.
static void table_full(void)
{
	int ends[2], max = open_max(), n = 0;

	make_file("file", "x");
	while (n < max - 3 && open("file", O_RDONLY) >= 0)
		n++;
	CHECK(n > 5 && n < max - 3 && errno == ENFILE);
	FAILS(ENFILE, open("new", O_WRONLY | O_CREAT, 0666));
	FAILS(ENFILE, open("file", O_WRONLY | O_TRUNC));
	while (pipe(ends) == 0)
		;
	CHECK(errno == ENFILE && access("new", F_OK) == -1 && file_size("file") == 1);
	CHECK(dup(3) >= 0 && close(9) == 0 && open("file", O_RDONLY) == 9);
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
	TEST(copies, QUICK),
	TEST(neighbours, QUICK),
	TEST(descriptor_flags, QUICK),
	TEST(status_flags, QUICK),
	TEST(too_many, QUICK),
	TEST(too_many_changes_nothing, QUICK),
	TEST(table_full, OCTIX),
	TEST(limits, QUICK),
};

AREA("fds", tests);
