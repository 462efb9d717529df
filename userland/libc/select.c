// SPDX-License-Identifier: ISC
//
// select, on poll.
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/select.h>

static int wrong(int error)
{
	errno = error;
	return -1;
}

static int has(const fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

// Milliseconds, rounded up; -1: for ever; -2: not a time.
static int milliseconds(const struct timeval *t)
{
	if (!t)
		return -1;
	if (t->tv_sec < 0 || t->tv_usec < 0 || t->tv_usec >= 1000000)
		return -2;
	if (t->tv_sec >= INT_MAX / 1000)
		return INT_MAX;
	return (int)t->tv_sec * 1000 + (int)(t->tv_usec + 999) / 1000;
}

// Keeps a descriptor in its set or takes it out. Is it in?
static int keep(fd_set *set, const struct pollfd *p, int asked, int told)
{
	if (!(p->events & asked) || !set)
		return 0;
	if (p->revents & told)
		return 1;
	FD_CLR(p->fd, set);
	return 0;
}

int select(int n, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)
{
	struct pollfd polled[OPEN_MAX];
	unsigned count = 0;
	int found = 0, ms = milliseconds(timeout);

	if (n < 0 || n > FD_SETSIZE || ms == -2)
		return wrong(EINVAL);
	for (int fd = 0; fd < n; fd++) {
		int events = (has(read, fd) ? POLLIN : 0) | (has(write, fd) ? POLLOUT : 0) | (has(except, fd) ? POLLPRI : 0);

		if (!events)
			continue;
		if (count == OPEN_MAX) // more than can be open
			return wrong(EBADF);
		polled[count++] = (struct pollfd){ .fd = fd, .events = (short)events };
	}
	if (poll(polled, count, ms) < 0)
		return -1;
	for (unsigned i = 0; i < count; i++)
		if (polled[i].revents & POLLNVAL)
			return wrong(EBADF);
	for (unsigned i = 0; i < count; i++)
		found += keep(read, &polled[i], POLLIN, POLLIN | POLLHUP | POLLERR) + keep(write, &polled[i], POLLOUT, POLLOUT | POLLERR)
			 + keep(except, &polled[i], POLLPRI, POLLPRI);
	return found;
}
