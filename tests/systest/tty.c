// SPDX-License-Identifier: ISC
//
// The terminal: what is one, its foreground group, how it behaves (termios).
#include "systest.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>

static struct termios mode;
static struct winsize size;

static void none(void)
{
	int file = file_with("file", "", 0), ends[2];

	CHECK(pipe(ends) == 0);
	for (int fd = file; fd <= ends[1]; fd++) {
		CHECK(isatty(fd) == 0 && errno == ENOTTY);
		FAILS(ENOTTY, tcgetpgrp(fd));
		FAILS(ENOTTY, tcsetpgrp(fd, getpgrp()));
		FAILS(ENOTTY, tcdrain(fd));
		FAILS(ENOTTY, tcgetattr(fd, &mode));
		FAILS(ENOTTY, tcsetattr(fd, TCSANOW, &mode));
		FAILS(ENOTTY, tcflush(fd, TCIFLUSH));
		FAILS(ENOTTY, tcflow(fd, TCOON));
		FAILS(ENOTTY, tcsendbreak(fd, 0));
		FAILS(ENOTTY, ioctl(fd, TIOCGWINSZ, &size));
		CHECK(ttyname(fd) == NULL && errno == ENOTTY);
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

// ---- termios

// The mode of the terminal when the test began, given back at its end.
static struct termios before;

static void give_back(void)
{
	tcsetattr(0, TCSANOW, &before);
}

static void begin(void)
{
	CHECK(tcgetattr(0, &before) == 0 && tcgetattr(0, &mode) == 0 && atexit(give_back) == 0);
}

static tcflag_t *flags(struct termios *of, unsigned field)
{
	return field == 0 ? &of->c_iflag : field == 1 ? &of->c_oflag : &of->c_lflag;
}

static void each_flag(void)
{
	static const struct {
		unsigned field;
		tcflag_t bit;
	} all[] = { { 0, ICRNL }, { 0, INLCR }, { 0, IGNCR }, { 0, ISTRIP }, { 0, IXON }, { 0, IXOFF }, { 1, OPOST }, { 1, ONLCR },
		{ 2, ISIG }, { 2, ICANON }, { 2, ECHO }, { 2, ECHOE }, { 2, ECHOK }, { 2, ECHONL }, { 2, ECHOCTL }, { 2, NOFLSH },
		{ 2, TOSTOP }, { 2, IEXTEN } };
	struct termios now;

	begin();
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		mode = before;
		*flags(&mode, all[i].field) ^= all[i].bit;
		CHECK(tcsetattr(0, TCSANOW, &mode) == 0 && tcgetattr(0, &now) == 0);
		CHECK(*flags(&now, all[i].field) == *flags(&mode, all[i].field));
		CHECK(tcsetattr(0, TCSADRAIN, &before) == 0);
	}
}

static void each_character(void)
{
	static const unsigned char all[] = { VINTR, VQUIT, VSUSP, VLNEXT, VSTOP, VSTART, VERASE, VKILL, VWERASE, VEOF, VEOL, VMIN, VTIME };
	struct termios now;

	begin();
	for (unsigned i = 0; i < sizeof all; i++)
		mode.c_cc[all[i]] = (cc_t)('a' + i);
	CHECK(tcsetattr(0, TCSANOW, &mode) == 0 && tcgetattr(0, &now) == 0);
	for (unsigned i = 0; i < sizeof all; i++)
		CHECK(now.c_cc[all[i]] == 'a' + i);
	mode.c_cc[VINTR] = _POSIX_VDISABLE;
	CHECK(tcsetattr(0, TCSAFLUSH, &mode) == 0 && tcgetattr(0, &now) == 0 && now.c_cc[VINTR] == _POSIX_VDISABLE);
}

static void wrong_mode(void)
{
	void *bad;

	CHECK(tcgetattr(0, &mode) == 0);
	FAILS(EINVAL, tcsetattr(0, 77, &mode));
	FAILS(EINVAL, tcflush(0, 77));
	FAILS(EINVAL, tcflow(0, 77));
	FAILS(EBADF, tcgetattr(9, &mode));
	for (unsigned n = 0; bad_address(n, 1, &bad); n++)
		FAILS(EFAULT, ioctl(0, TIOCGWINSZ, bad));
	for (unsigned n = 0; bad_address(n, 0, &bad); n++)
		FAILS(EFAULT, ioctl(0, TIOCSPGRP, bad));
}

static void raw_mode(void)
{
	begin();
	cfmakeraw(&mode);
	CHECK(!(mode.c_lflag & (ICANON | ECHO | ISIG | IEXTEN)) && !(mode.c_oflag & OPOST) && !(mode.c_iflag & (ICRNL | IXON)));
	CHECK((mode.c_cflag & CSIZE) == CS8 && mode.c_cc[VMIN] == 1 && mode.c_cc[VTIME] == 0);
	CHECK(tcsetattr(0, TCSAFLUSH, &mode) == 0);
}

static void speeds(void)
{
	CHECK(tcgetattr(0, &mode) == 0 && cfgetospeed(&mode) != B0);
	CHECK(cfsetospeed(&mode, B9600) == 0 && cfgetospeed(&mode) == B9600);
	CHECK(cfsetispeed(&mode, B9600) == 0 && cfgetispeed(&mode) == B9600);
	FAILS(EINVAL, cfsetospeed(&mode, 77));
}

static long milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// With MIN 0, a read takes what is there: at once, or in so many tenths of a second.
static void min_and_time(void)
{
	char bytes[8];
	long start;

	begin();
	mode.c_lflag &= (tcflag_t)~(ICANON | ECHO);
	mode.c_cc[VMIN] = mode.c_cc[VTIME] = 0;
	CHECK(tcsetattr(0, TCSAFLUSH, &mode) == 0);
	start = milliseconds();
	CHECK(read(0, bytes, sizeof bytes) == 0 && milliseconds() - start < 100);
	mode.c_cc[VTIME] = 3;
	CHECK(tcsetattr(0, TCSAFLUSH, &mode) == 0);
	for (int i = 0; i < 2; i++) {
		start = milliseconds();
		CHECK(read(0, bytes, sizeof bytes) == 0);
		start = milliseconds() - start;
		CHECK(start >= 290 && start < 900);
	}
}

static void input_waiting(void)
{
	int n = -1;

	CHECK(tcflush(0, TCIFLUSH) == 0 && ioctl(0, FIONREAD, &n) == 0 && n == 0);
}

static void output_stopped(void)
{
	CHECK(tcflow(1, TCOOFF) == 0 && tcflow(1, TCOON) == 0 && tcflush(1, TCOFLUSH) == 0 && tcsendbreak(1, 0) == 0);
}

static void window_size(void)
{
	struct winsize old, wanted = { 25, 81, 0, 0 };

	CHECK(ioctl(0, TIOCGWINSZ, &old) == 0 && ioctl(0, TIOCSWINSZ, &wanted) == 0 && ioctl(0, TIOCGWINSZ, &size) == 0);
	CHECK(size.ws_row == 25 && size.ws_col == 81 && ioctl(0, TIOCSWINSZ, &old) == 0);
}

static void names(void)
{
	char name[32];

	CHECK(ttyname(0) != NULL && strncmp(ttyname(0), "/dev/", 5) == 0 && access(ttyname(0), R_OK) == 0);
	CHECK(ttyname_r(0, name, sizeof name) == 0 && strcmp(name, ttyname(0)) == 0);
	CHECK(ttyname_r(0, name, 6) == ERANGE && ttyname_r(9, name, sizeof name) == EBADF);
	CHECK(strcmp(ctermid(NULL), "/dev/tty") == 0 && ctermid(name) == name && strcmp(name, "/dev/tty") == 0);
}

static const struct test tests[] = {
	TEST(none, QUICK),
	TEST(is_one, TTY),
	TEST(foreground, TTY),
	TEST(wrong_group, TTY),
	TEST(background_reads, TTY | OCTIX),
	TEST(much_output, TTY),
	TEST(at_once, TTY),
	TEST(each_flag, TTY),
	TEST(each_character, TTY),
	TEST(wrong_mode, TTY),
	TEST(raw_mode, TTY),
	TEST(speeds, TTY),
	TEST(min_and_time, TTY),
	TEST(input_waiting, TTY),
	TEST(output_stopped, TTY),
	TEST(window_size, TTY),
	TEST(names, TTY),
};

AREA("tty", tests);
