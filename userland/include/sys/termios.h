// SPDX-License-Identifier: ISC
//
// <termios.h>, which includes this: POSIX.1-2017's names for octix/termios.h.
#ifndef OCTIX_SYS_TERMIOS_H
#define OCTIX_SYS_TERMIOS_H

#include <octix/termios.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned short tcflag_t;
typedef unsigned char cc_t;
typedef unsigned char speed_t;

#define NCCS OX_NCCS

struct termios { // struct oct_termios
	tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
	cc_t c_cc[NCCS];
};

// c_iflag. From IXANY on the kernel does not know them: frames with errors are left out, whatever is set.
#define ICRNL  OX_ICRNL
#define INLCR  OX_INLCR
#define IGNCR  OX_IGNCR
#define ISTRIP OX_ISTRIP
#define IXON   OX_IXON
#define IXOFF  OX_IXOFF
#define IGNBRK OX_IGNBRK
#define IGNPAR OX_IGNPAR
#define IXANY  0x0800
#define BRKINT 0x1000
#define INPCK  0x2000
#define PARMRK 0x4000

// c_oflag; OCRNL and what follows: the same.
#define OPOST  OX_OPOST
#define ONLCR  OX_ONLCR
#define OCRNL  0x0100
#define ONOCR  0x0200
#define ONLRET 0x0400

// c_cflag: cannot be changed.
#define CBAUD  OX_CBAUD
#define CSIZE  0x0060
#define CS5    0x0000
#define CS6    0x0020
#define CS7    0x0040
#define CS8    OX_CS8
#define CSTOPB 0x0080
#define CREAD  OX_CREAD
#define PARENB 0x0200
#define PARODD 0x0400
#define HUPCL  0x0800
#define CLOCAL OX_CLOCAL

// c_lflag
#define ISIG    OX_ISIG
#define ICANON  OX_ICANON
#define ECHO    OX_ECHO
#define ECHOE   OX_ECHOE
#define ECHOK   OX_ECHOK
#define ECHONL  OX_ECHONL
#define ECHOCTL OX_ECHOCTL
#define NOFLSH  OX_NOFLSH
#define TOSTOP  OX_TOSTOP
#define IEXTEN  OX_IEXTEN

#define VINTR   OX_VINTR
#define VQUIT   OX_VQUIT
#define VSUSP   OX_VSUSP
#define VLNEXT  OX_VLNEXT
#define VSTOP   OX_VSTOP
#define VSTART  OX_VSTART
#define VERASE  OX_VERASE
#define VKILL   OX_VKILL
#define VWERASE OX_VWERASE
#define VEOF    OX_VEOF
#define VEOL    OX_VEOL
#define VMIN    OX_VMIN
#define VTIME   OX_VTIME

#ifndef _POSIX_VDISABLE
#define _POSIX_VDISABLE OX_VDISABLE
#endif

#define B0      0
#define B50     1
#define B75     2
#define B110    3
#define B134    4
#define B150    5
#define B200    6
#define B300    7
#define B600    8
#define B1200   9
#define B1800   10
#define B2400   11
#define B4800   12
#define B9600   OX_B9600
#define B19200  OX_B19200
#define B38400  OX_B38400
#define B57600  OX_B57600
#define B115200 OX_B115200

// tcsetattr
#define TCSANOW   0
#define TCSADRAIN 1
#define TCSAFLUSH 2

// tcflush
#define TCIFLUSH  0
#define TCOFLUSH  1
#define TCIOFLUSH 2

// tcflow
#define TCOOFF 0
#define TCOON  1
#define TCIOFF 2
#define TCION  3

int tcgetattr(int fd, struct termios *mode);
int tcsetattr(int fd, int when, const struct termios *mode);
speed_t cfgetispeed(const struct termios *mode);
speed_t cfgetospeed(const struct termios *mode);
int cfsetispeed(struct termios *mode, speed_t speed);
int cfsetospeed(struct termios *mode, speed_t speed);
void cfmakeraw(struct termios *mode);
int tcdrain(int fd);
int tcflow(int fd, int action);
int tcflush(int fd, int which);
int tcsendbreak(int fd, int duration);
pid_t tcgetsid(int fd);

#ifdef __cplusplus
}
#endif

#endif
