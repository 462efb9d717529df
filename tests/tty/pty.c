// SPDX-License-Identifier: ISC
//
// Runs a row of the table on a pseudo-terminal of this machine: see pty.h.
#include "pty.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

struct bit {
	uint16_t octix;
	tcflag_t host;
};

static const struct bit input[] = { { OX_ICRNL, ICRNL }, { OX_INLCR, INLCR }, { OX_IGNCR, IGNCR }, { OX_ISTRIP, ISTRIP },
	{ OX_IXON, IXON }, { 0, 0 } };
static const struct bit output[] = { { OX_OPOST, OPOST }, { OX_ONLCR, ONLCR }, { 0, 0 } };
static const struct bit local[] = { { OX_ISIG, ISIG }, { OX_ICANON, ICANON }, { OX_ECHO, ECHO }, { OX_ECHOE, ECHOE | ECHOKE },
	{ OX_ECHOK, ECHOK }, { OX_ECHONL, ECHONL }, { OX_ECHOCTL, ECHOCTL }, { OX_IEXTEN, IEXTEN }, { 0, 0 } };

static tcflag_t bits(const struct bit *list, uint16_t flags)
{
	tcflag_t host = 0;

	for (; list->octix; list++)
		if (flags & list->octix)
			host |= list->host;
	return host;
}

static _Noreturn void cannot(const char *what)
{
	perror(what);
	exit(2);
}

static void set(int fd, const struct mode *m)
{
	struct termios t;

	if (tcgetattr(fd, &t))
		cannot("tcgetattr");
	t.c_iflag = ((ICRNL | IXON) & ~bits(input, m->clear_in)) | bits(input, m->set_in);
	t.c_oflag = (OPOST | ONLCR) & ~bits(output, m->clear_out);
	t.c_lflag = ((ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOKE | ECHOCTL | IEXTEN) & ~bits(local, m->clear_local)) | bits(local, m->set_local);
	t.c_cc[VEOL] = m->eol;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	if (tcsetattr(fd, TCSANOW, &t))
		cannot("tcsetattr");
}

// Is there something to read, within a while?
static bool waits(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 30) > 0;
}

size_t pty_run(const struct discipline_case *c, char *echo, char *found, size_t room)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	size_t echoed = 0, at = 0;

	if (master < 0 || grantpt(master) || unlockpt(master) || (slave = open(ptsname(master), O_RDWR | O_NOCTTY)) < 0)
		cannot("pseudo-terminal");
	set(slave, &c->mode);
	if (write(master, c->typed, strlen(c->typed)) != (ssize_t)strlen(c->typed))
		cannot("write");
	while (waits(slave) && at + 300 < room) {
		ssize_t n = read(slave, found + at, 256);

		at += n > 0 ? (size_t)n : 0;
		found[at++] = '|';
	}
	found[at] = 0;
	while (waits(master)) {
		ssize_t n = read(master, echo + echoed, room - echoed);

		if (n <= 0)
			break;
		echoed += (size_t)n;
	}
	close(slave);
	close(master);
	return echoed;
}
