// SPDX-License-Identifier: ISC
//
// poll and select: over files, pipes and terminals; what wakes them, and when.
#include "systest.h"

#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>

enum { LATE_MS = 200 };

// What poll tells of one descriptor, at once.
static int told(int fd, int events)
{
	struct pollfd p = { .fd = fd, .events = (short)events, .revents = -1 };
	int n = poll(&p, 1, 0);

	CHECK(n == (p.revents != 0) && p.fd == fd && p.events == (short)events);
	return p.revents;
}

// The same, waiting.
static int waited(int fd, int events, int ms)
{
	struct pollfd p = { .fd = fd, .events = (short)events, .revents = -1 };

	CHECK(poll(&p, 1, ms) == 1);
	return p.revents;
}

static long now_ms(void)
{
	struct timespec t;

	CHECK(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// ---- what is told

static void files(void)
{
	int fd = file_with("file", "", 0), dir = open(".", O_RDONLY);

	CHECK(told(fd, POLLIN | POLLOUT) == (POLLIN | POLLOUT) && told(fd, POLLOUT) == POLLOUT && told(fd, POLLPRI) == 0 && told(fd, 0) == 0);
	CHECK(told(dir, POLLIN) == POLLIN && waited(fd, POLLIN, -1) == POLLIN && waited(fd, POLLOUT, 100000) == POLLOUT);
}

static void wrong_descriptors(void)
{
	static const int closed[] = { 3, 9, 15, 19, 20, 255, 256, 256 + 1, 65536 + 1, INT_MAX }, none[] = { -1, -2, -65536, INT_MIN };

	for (unsigned i = 0; i < sizeof closed / sizeof closed[0]; i++)
		CHECK(told(closed[i], POLLIN) == POLLNVAL && told(closed[i], 0) == POLLNVAL && waited(closed[i], POLLIN, -1) == POLLNVAL);
	for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
		CHECK(told(none[i], POLLIN | POLLOUT) == 0);
}

static void pipe_ends(void)
{
	int ends[2];

	CHECK(pipe(ends) == 0 && told(ends[0], POLLIN | POLLOUT) == 0 && told(ends[1], POLLIN | POLLOUT) == POLLOUT);
	CHECK(write(ends[1], "abc", 3) == 3 && told(ends[0], POLLIN) == POLLIN && told(ends[0], POLLOUT) == 0);
	CHECK(read(ends[0], scratch, 2) == 2 && told(ends[0], POLLIN) == POLLIN && read(ends[0], scratch, 2) == 1 && told(ends[0], POLLIN) == 0);
}

static void full_pipe(void)
{
	int ends[2];
	ssize_t n;

	CHECK(pipe2(ends, O_NONBLOCK) == 0);
	while (write(ends[1], scratch, PIPE_BUF) > 0)
		;
	CHECK(told(ends[1], POLLOUT) == 0 && told(ends[0], POLLIN) == POLLIN);
	while ((n = read(ends[0], scratch, sizeof scratch)) > 0)
		;
	CHECK(n == -1 && errno == EAGAIN && told(ends[1], POLLOUT) == POLLOUT && write(ends[1], scratch, PIPE_BUF) == PIPE_BUF);
}

static void hung_up(void)
{
	int ends[2], more[2];

	CHECK(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3 && close(ends[1]) == 0);
	CHECK(told(ends[0], POLLIN) == (POLLIN | POLLHUP) && read(ends[0], scratch, 10) == 3 && told(ends[0], POLLIN) == POLLHUP);
	CHECK(told(ends[0], 0) == POLLHUP && waited(ends[0], POLLOUT, -1) == POLLHUP);
	CHECK(pipe(more) == 0 && close(more[0]) == 0 && (told(more[1], POLLIN) & POLLERR) && told(more[1], POLLOUT) == (POLLOUT | POLLERR));
}

static void several(void)
{
	struct pollfd p[5];
	int ends[2];

	CHECK(pipe(ends) == 0);
	p[0] = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	p[1] = (struct pollfd){ .fd = ends[1], .events = POLLOUT };
	p[2] = (struct pollfd){ .fd = -1, .events = POLLIN, .revents = -1 };
	p[3] = (struct pollfd){ .fd = 17, .events = POLLIN };
	p[4] = (struct pollfd){ .fd = -5, .revents = 77 };
	CHECK(poll(p, 4, -1) == 2 && p[0].revents == 0 && p[1].revents == POLLOUT && p[2].revents == 0 && p[3].revents == POLLNVAL);
	CHECK(p[4].revents == 77 && write(ends[1], "a", 1) == 1 && poll(p, 1, -1) == 1 && p[0].revents == POLLIN && p[1].revents == POLLOUT);
}

static void wrong_arguments(void)
{
	volatile nfds_t many = 0x7fffffff;
	int ends[2];
	void *p;

	CHECK(pipe(ends) == 0);
	FAILS(EINVAL, poll((struct pollfd *)(void *)scratch, (nfds_t)open_max() + 1, 0));
	if (on_octix) // the sanitizer there reads them all
		FAILS(EINVAL, poll((struct pollfd *)(void *)scratch, many, 0));
	for (unsigned n = 0; bad_address(n, 1, &p); n++)
		if (((uintptr_t)p & 3) == 0) {
			FAILS(EFAULT, poll(p, 1, 0));
			FAILS(EFAULT, poll(p, 1, -1));
		}
	FAILS(EFAULT, poll(edge_address(4), 1, 0));
	CHECK(poll(NULL, 0, 0) == 0);
}

// A call that fails after it has waited leaves nothing behind for the next one.
static void times(void)
{
	int ends[2];
	long before = now_ms();

	CHECK(pipe(ends) == 0 && poll(NULL, 0, 50) == 0 && now_ms() - before >= 50 && now_ms() - before < 5000);
	before = now_ms();
	CHECK(poll(&(struct pollfd){ .fd = ends[0], .events = POLLIN }, 1, 80) == 0 && now_ms() - before >= 80);
	before = now_ms();
	CHECK(usleep(40000) == 0 && now_ms() - before >= 40);
	before = now_ms();
	CHECK(waited(ends[1], POLLOUT, 10000) == POLLOUT && usleep(30000) == 0 && now_ms() - before >= 30 && now_ms() - before < 5000);
}

// ---- what wakes

static void woken_by_writer(void)
{
	int ends[2];
	long before;
	pid_t pid;

	CHECK(pipe(ends) == 0);
	before = now_ms();
	pid = start("put", "4", "late", "200");
	CHECK(waited(ends[0], POLLIN, -1) == POLLIN && now_ms() - before >= LATE_MS && read(ends[0], scratch, 9) == 4);
	CHECK(exit_status(pid) == 0);
	pid = start("put", "4", "late", "200"); // another one, with a time that does not pass
	CHECK(waited(ends[0], POLLIN, 20000) == POLLIN && read(ends[0], scratch, 9) == 4 && exit_status(pid) == 0);
	before = now_ms();
	CHECK(poll(NULL, 0, 60) == 0 && now_ms() - before >= 60);
}

static void woken_by_end(void)
{
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	pid = start("nap", "200", "0", NULL); // the last writer
	CHECK(close(ends[1]) == 0 && waited(ends[0], POLLIN, -1) == POLLHUP && exit_status(pid) == 0);
	CHECK(pipe(ends) == 0);
	while (fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 && write(ends[1], scratch, PIPE_BUF) > 0)
		;
	pid = start("nap", "200", "0", NULL); // the last reader
	CHECK(close(ends[0]) == 0 && (waited(ends[1], POLLOUT, -1) & POLLERR) && exit_status(pid) == 0);
}

static void woken_by_reader(void)
{
	struct pollfd p[2];
	int ends[2], other[2];
	pid_t pid;

	CHECK(pipe(ends) == 0 && ends[0] == 3 && pipe(other) == 0);
	while (fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 && write(ends[1], scratch, PIPE_BUF) > 0)
		;
	pid = start("drain-some", "3", "200", "70000");
	p[0] = (struct pollfd){ .fd = other[0], .events = POLLIN };
	p[1] = (struct pollfd){ .fd = ends[1], .events = POLLOUT };
	CHECK(poll(p, 2, -1) == 1 && p[0].revents == 0 && p[1].revents == POLLOUT && close(ends[1]) == 0 && exit_status(pid) == 0);
}

// ---- select

static void choose(void)
{
	fd_set in, out, except;
	int ends[2], n;

	CHECK(pipe(ends) == 0 && ends[1] == 4);
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_ZERO(&except);
	FD_SET(3, &in);
	FD_SET(3, &out);
	FD_SET(4, &out);
	FD_SET(3, &except);
	CHECK(select(5, &in, &out, &except, NULL) == 1 && !FD_ISSET(3, &in) && !FD_ISSET(3, &out) && FD_ISSET(4, &out) && !FD_ISSET(3, &except));
	FD_SET(3, &in);
	CHECK(write(4, "x", 1) == 1);
	n = select(5, &in, &out, NULL, &(struct timeval){ 0, 0 });
	CHECK(FD_ISSET(3, &in) && n == 1 + !!FD_ISSET(4, &out)); // room for one byte is none for PIPE_BUF
	CHECK(select(3, &in, &out, NULL, &(struct timeval){ 0, 0 }) == 0); // not looked at
	FD_SET(3, &in);
	CHECK(read(3, scratch, 2) == 1 && select(4, &in, NULL, NULL, &(struct timeval){ 0, 30000 }) == 0 && !FD_ISSET(3, &in));
	FD_SET(3, &in);
	CHECK(close(4) == 0 && select(4, &in, NULL, NULL, NULL) == 1 && FD_ISSET(3, &in));
}

static void choose_wrong(void)
{
	fd_set in;

	FD_ZERO(&in);
	FD_SET(7, &in);
	FAILS(EBADF, select(8, &in, NULL, NULL, NULL));
	CHECK(FD_ISSET(7, &in) && select(7, &in, NULL, NULL, &(struct timeval){ 0, 0 }) == 0);
	FAILS(EINVAL, select(-1, &in, NULL, NULL, NULL));
	FAILS(EINVAL, select(8, &in, NULL, NULL, &(struct timeval){ -1, 0 }));
	if (on_octix) // there it is added to the seconds
		FAILS(EINVAL, select(8, &in, NULL, NULL, &(struct timeval){ 0, 1000000 }));
}

static void choose_late(void)
{
	long before;
	fd_set in;
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	before = now_ms();
	pid = start("put", "4", "late", "200");
	FD_ZERO(&in);
	FD_SET(3, &in);
	CHECK(select(4, &in, NULL, NULL, &(struct timeval){ 20, 0 }) == 1 && FD_ISSET(3, &in) && now_ms() - before >= LATE_MS && exit_status(pid) == 0);
	before = now_ms();
	CHECK(select(0, NULL, NULL, NULL, &(struct timeval){ 0, 50000 }) == 0 && now_ms() - before >= 50);
}

// ---- terminals

static void terminal(void)
{
	CHECK(waited(1, POLLOUT, 5000) == POLLOUT && (told(1, POLLOUT) & POLLERR) == 0);
	if (on_octix) // there its input may have ended
		CHECK(told(0, POLLIN) == 0 && poll(&(struct pollfd){ .fd = 0, .events = POLLIN }, 1, 30) == 0);
}

static void terminal_full(void)
{
	static const char blanks[] = "                                                                                \r";
	int flags = fcntl(1, F_GETFL);

	CHECK(fcntl(1, F_SETFL, flags | O_NONBLOCK) == 0);
	for (int i = 0; i < 4; i++)
		while (write(1, blanks, sizeof blanks - 1) < 0)
			CHECK(errno == EAGAIN && waited(1, POLLOUT, 5000) == POLLOUT);
	CHECK(fcntl(1, F_SETFL, flags) == 0);
}

static const struct test tests[] = {
	TEST(files, WITH_POLL),
	TEST(wrong_descriptors, WITH_POLL),
	TEST(pipe_ends, WITH_POLL),
	TEST(full_pipe, WITH_POLL),
	TEST(hung_up, WITH_POLL),
	TEST(several, WITH_POLL),
	TEST(wrong_arguments, WITH_POLL),
	TEST(times, WITH_POLL),
	TEST(woken_by_writer, WITH_POLL),
	TEST(woken_by_end, WITH_POLL),
	TEST(woken_by_reader, WITH_POLL),
	TEST(choose, WITH_POLL),
	TEST(choose_wrong, WITH_POLL),
	TEST(choose_late, WITH_POLL),
	TEST(terminal, TTY | WITH_POLL),
	TEST(terminal_full, TTY | WITH_POLL),
};

AREA("poll", tests);
