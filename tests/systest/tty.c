// SPDX-License-Identifier: ISC
//
// The terminal: what is one, and its foreground group.
#include "systest.h"

int tcdrain(int fd);

static void none(void)
{
	int file = file_with("file", "", 0), ends[2];

	CHECK(pipe(ends) == 0);
	for (int fd = file; fd <= ends[1]; fd++) {
		CHECK(isatty(fd) == 0 && errno == ENOTTY);
		FAILS(ENOTTY, tcgetpgrp(fd));
		FAILS(ENOTTY, tcsetpgrp(fd, getpgrp()));
		FAILS(ENOTTY, tcdrain(fd));
	}
	CHECK(isatty(9) == 0 && errno == EBADF);
}

static void is_one(void)
{
	struct stat st;
	char byte = 0;

	CHECK(isatty(0) == 1 && fstat(0, &st) == 0 && S_ISCHR(st.st_mode));
	FAILS(ESPIPE, lseek(0, 0, SEEK_CUR));
	CHECK(read(0, &byte, 0) == 0 && write(0, &byte, 0) == 0 && tcdrain(0) == 0);
}

static void foreground(void)
{
	pid_t group = tcgetpgrp(0);

	CHECK(group > 0 && group == getpgrp() && tcsetpgrp(0, group) == 0 && tcgetpgrp(0) == group);
}

static void wrong_group(void)
{
	CHECK(tcsetpgrp(0, -5) == -1 && (errno == EINVAL || errno == ESRCH || errno == EPERM));
	CHECK(tcsetpgrp(0, NOBODY) == -1 && (errno == EPERM || errno == ESRCH));
	CHECK(tcgetpgrp(0) == getpgrp());
}

static void background_reads(void)
{
	char byte;
	pid_t pid = vfork();

	if (pid == 0)
		_exit(setpgid(0, 0) < 0 || read(0, &byte, 1) != -1 || errno != EIO);
	CHECK(exit_status(pid) == 0);
}

static void much_output(void)
{
	char line[61];

	for (int i = 0; i < 10; i++) {
		memset(line, '0' + i, 60);
		line[60] = '\r';
		CHECK(write(1, line, 61) == 61);
	}
	memset(line, ' ', 60);
	line[60] = '\n';
	CHECK(write(1, line, 61) == 61 && tcdrain(1) == 0);
}

static void at_once(void)
{
	int flags = fcntl(0, F_GETFL);
	char byte;

	CHECK(fcntl(0, F_SETFL, flags | O_NONBLOCK) == 0);
	CHECK(on_octix || read(0, &byte, 1) == 0 || errno == EAGAIN); // there it may be at its end
	if (on_octix)
		FAILS(EAGAIN, read(0, &byte, 1));
	CHECK(fcntl(0, F_SETFL, flags) == 0 && (fcntl(0, F_GETFL) & O_NONBLOCK) == 0);
}

static const struct test tests[] = {
	TEST(none, QUICK),
	TEST(is_one, TTY),
	TEST(foreground, TTY),
	TEST(wrong_group, TTY),
	TEST(background_reads, TTY | OCTIX),
	TEST(much_output, TTY),
	TEST(at_once, TTY),
};

AREA("tty", tests);
