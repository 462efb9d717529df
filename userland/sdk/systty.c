// SPDX-License-Identifier: ISC
//
// ioctl: what terminals can do, translated to the host's.
#include "sys.h"

#include <errno.h>
#include <octix/abi.h>
#include <octix/errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

struct bit {
	uint16_t octix;
	tcflag_t host;
};

static const struct bit input[] = { { OX_ICRNL, ICRNL }, { OX_INLCR, INLCR }, { OX_IGNCR, IGNCR }, { OX_ISTRIP, ISTRIP },
	{ OX_IXON, IXON }, { OX_IXOFF, IXOFF }, { OX_IGNBRK, IGNBRK }, { OX_IGNPAR, IGNPAR }, { 0, 0 } };
static const struct bit output[] = { { OX_OPOST, OPOST }, { OX_ONLCR, ONLCR }, { 0, 0 } };
static const struct bit local[] = { { OX_ISIG, ISIG }, { OX_ICANON, ICANON }, { OX_ECHO, ECHO }, { OX_ECHOE, ECHOE },
	{ OX_ECHOK, ECHOK }, { OX_ECHONL, ECHONL }, { OX_ECHOCTL, ECHOCTL }, { OX_NOFLSH, NOFLSH }, { OX_TOSTOP, TOSTOP },
	{ OX_IEXTEN, IEXTEN }, { 0, 0 } };

static const uint8_t characters[OX_NCCS - 1] = { [OX_VINTR] = VINTR, [OX_VQUIT] = VQUIT, [OX_VSUSP] = VSUSP, [OX_VLNEXT] = VLNEXT,
	[OX_VSTOP] = VSTOP, [OX_VSTART] = VSTART, [OX_VERASE] = VERASE, [OX_VKILL] = VKILL, [OX_VWERASE] = VWERASE,
	[OX_VEOF] = VEOF, [OX_VEOL] = VEOL, [OX_VMIN] = VMIN, [OX_VTIME] = VTIME };

static uint16_t to_octix(const struct bit *list, tcflag_t host)
{
	uint16_t flags = 0;

	for (; list->octix; list++)
		if (host & list->host)
			flags |= list->octix;
	return flags;
}

static void to_host(const struct bit *list, uint16_t flags, tcflag_t *host)
{
	for (; list->octix; list++)
		*host = flags & list->octix ? *host | list->host : *host & ~list->host;
}

// Is it a number in c_cc? 0 is the host's `no such character`.
static int is_number(int i)
{
	return i == OX_VMIN || i == OX_VTIME;
}

static int get_mode(int fd, struct oct_termios *mode)
{
	struct termios host;

	if (tcgetattr(fd, &host))
		return -1;
	*mode = (struct oct_termios){ to_octix(input, host.c_iflag), to_octix(output, host.c_oflag),
		OX_CS8 | OX_CREAD | OX_CLOCAL | OX_B115200, to_octix(local, host.c_lflag), { 0 } };
	for (int i = 0; i < OX_NCCS - 1; i++) {
		cc_t c = host.c_cc[characters[i]];

		mode->cc[i] = c == _POSIX_VDISABLE && !is_number(i) ? OX_VDISABLE : c;
	}
	return 0;
}

static int set_mode(int fd, int when, const struct oct_termios *mode)
{
	struct termios host;

	if (tcgetattr(fd, &host))
		return -1;
	to_host(input, mode->iflag, &host.c_iflag);
	to_host(output, mode->oflag, &host.c_oflag);
	to_host(local, mode->lflag, &host.c_lflag);
	for (int i = 0; i < OX_NCCS - 1; i++)
		host.c_cc[characters[i]] = mode->cc[i] == OX_VDISABLE && !is_number(i) ? _POSIX_VDISABLE : mode->cc[i];
	return tcsetattr(fd, when, &host);
}

static int get_size(int fd, struct oct_winsize *size)
{
	struct winsize host;

	if (ioctl(fd, TIOCGWINSZ, &host))
		return -1;
	*size = (struct oct_winsize){ host.ws_row, host.ws_col, 0, 0 };
	return 0;
}

static int set_size(int fd, const struct oct_winsize *size)
{
	struct winsize host = { .ws_row = size->rows, .ws_col = size->columns };

	return ioctl(fd, TIOCSWINSZ, &host);
}

static int get_number(int fd, uint32_t request, int32_t *number)
{
	int n = 0, failed = request == OX_FIONREAD ? ioctl(fd, FIONREAD, &n) : (n = request == OX_TIOCGSID ? tcgetsid(fd) : tcgetpgrp(fd)) < 0;

	*number = n;
	return failed ? -1 : 0;
}

static int set_group(int fd, pid_t group)
{
	void (*old)(int) = signal(SIGTTOU, SIG_IGN); // the host would stop a process in the background here
	int result = tcsetpgrp(fd, group), error = errno;

	signal(SIGTTOU, old);
	errno = error;
	return result;
}

static int flush(int fd, uint32_t which)
{
	static const int whiches[] = { TCIFLUSH, TCOFLUSH, TCIOFLUSH };

	return which > 2 ? (errno = EINVAL, -1) : tcflush(fd, whiches[which]);
}

static int flow(int fd, uint32_t action)
{
	static const int actions[] = { TCOOFF, TCOON, TCIOFF, TCION };

	return action > 3 ? (errno = EINVAL, -1) : tcflow(fd, actions[action]);
}

// Requests whose argument is a number.
static int plain(int fd, uint32_t request, uint32_t arg)
{
	switch (request) {
	case OX_TTY: return 0;
	case OX_TCFLSH: return flush(fd, arg);
	case OX_TCXONC: return flow(fd, arg);
	case OX_TIOCSCTTY: return ioctl(fd, TIOCSCTTY, 0);
	case OX_TCSBRK: return arg ? tcdrain(fd) : tcsendbreak(fd, 0);
	default: errno = EINVAL; return -1;
	}
}

// What a request copies: bytes, and whether the program reads them.
static unsigned bytes_of(uint32_t request, unsigned *how)
{
	*how = SPACE_WRITE;
	switch (request) {
	case OX_TCSETS: case OX_TCSETSW: case OX_TCSETSF:
		*how = SPACE_READ;
		// fall through
	case OX_TCGETS:
		return sizeof(struct oct_termios);
	case OX_TIOCSWINSZ:
		*how = SPACE_READ;
		// fall through
	case OX_TIOCGWINSZ:
		return sizeof(struct oct_winsize);
	case OX_TIOCSPGRP:
		*how = SPACE_READ;
		// fall through
	case OX_TIOCGPGRP: case OX_TIOCGSID: case OX_FIONREAD:
		return sizeof(int32_t);
	}
	return 0;
}

static int with_memory(int fd, uint32_t request, void *at)
{
	static const int when[] = { TCSANOW, TCSADRAIN, TCSAFLUSH };
	union {
		struct oct_termios mode;
		struct oct_winsize size;
		int32_t number;
	} u;
	unsigned how, n = bytes_of(request, &how);
	int result;

	memcpy(&u, at, n);
	switch (request) {
	case OX_TCGETS: result = get_mode(fd, &u.mode); break;
	case OX_TIOCGWINSZ: result = get_size(fd, &u.size); break;
	case OX_TIOCSWINSZ: result = set_size(fd, &u.size); break;
	case OX_TIOCSPGRP: result = set_group(fd, u.number); break;
	case OX_TIOCGPGRP: case OX_TIOCGSID: case OX_FIONREAD: result = get_number(fd, request, &u.number); break;
	default: result = set_mode(fd, when[request - OX_TCSETS], &u.mode);
	}
	if (!result && how == SPACE_WRITE)
		memcpy(at, &u, n);
	return result;
}

int32_t sys_ioctl(struct sys *s, const uint32_t *arg)
{
	int fd = (int)arg[0];
	unsigned how, n = bytes_of(arg[1], &how);
	void *at;

	if (!isatty(fd))
		return errno == EBADF ? -OX_EBADF : -OX_ENOTTY;
	if (!n)
		return sys_result(plain(fd, arg[1], arg[2]));
	at = sys_bytes(s, arg[2], n, how);
	return at ? sys_result(with_memory(fd, arg[1], at)) : -OX_EFAULT;
}
