// SPDX-License-Identifier: ISC
//
// <termios.h> over ioctl.
#include "private.h"

#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

_Static_assert(sizeof(struct termios) == sizeof(struct oct_termios) && sizeof(struct winsize) == sizeof(struct oct_winsize), "");

int isatty(int fd)
{
	return ioctl(fd, OX_TTY, 0) == 0;
}

int tcgetattr(int fd, struct termios *mode)
{
	return ioctl(fd, OX_TCGETS, mode);
}

int tcsetattr(int fd, int when, const struct termios *mode)
{
	if ((unsigned)when > TCSAFLUSH) {
		errno = EINVAL;
		return -1;
	}
	return ioctl(fd, OX_TCSETS + (unsigned)when, mode);
}

speed_t cfgetospeed(const struct termios *mode)
{
	return mode->c_cflag & CBAUD;
}

speed_t cfgetispeed(const struct termios *mode)
{
	return cfgetospeed(mode);
}

int cfsetospeed(struct termios *mode, speed_t speed)
{
	if (speed > B115200) {
		errno = EINVAL;
		return -1;
	}
	mode->c_cflag = (tcflag_t)((mode->c_cflag & ~CBAUD) | speed);
	return 0;
}

// Both ways have one speed; 0 means the other's.
int cfsetispeed(struct termios *mode, speed_t speed)
{
	return speed == B0 ? 0 : cfsetospeed(mode, speed);
}

void cfmakeraw(struct termios *mode)
{
	mode->c_iflag &= (tcflag_t)~(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	mode->c_oflag &= (tcflag_t)~OPOST;
	mode->c_lflag &= (tcflag_t)~(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	mode->c_cflag = (tcflag_t)((mode->c_cflag & ~(CSIZE | PARENB)) | CS8);
	mode->c_cc[VMIN] = 1;
	mode->c_cc[VTIME] = 0;
}

int tcdrain(int fd)
{
	return ioctl(fd, OX_TCSBRK, 1);
}

// One break, of some 15 ms, whatever the duration.
int tcsendbreak(int fd, int duration)
{
	(void)duration;
	return ioctl(fd, OX_TCSBRK, 0);
}

int tcflow(int fd, int action)
{
	return ioctl(fd, OX_TCXONC, action);
}

int tcflush(int fd, int which)
{
	return ioctl(fd, OX_TCFLSH, which);
}

pid_t tcgetpgrp(int fd)
{
	pid_t group;

	return ioctl(fd, OX_TIOCGPGRP, &group) < 0 ? -1 : group;
}

pid_t tcgetsid(int fd)
{
	pid_t session;

	return ioctl(fd, OX_TIOCGSID, &session) < 0 ? -1 : session;
}

int tcsetpgrp(int fd, pid_t group)
{
	return ioctl(fd, OX_TIOCSPGRP, &group);
}
