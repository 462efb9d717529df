// SPDX-License-Identifier: ISC
//
// <sys/ioctl.h>: the requests that programs use by name. The terminal's others are behind the functions of <termios.h>.
#ifndef OCTIX_SYS_IOCTL_H
#define OCTIX_SYS_IOCTL_H

#include <octix/termios.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TIOCGWINSZ OX_TIOCGWINSZ
#define TIOCSWINSZ OX_TIOCSWINSZ
#define TIOCGPGRP  OX_TIOCGPGRP
#define TIOCSPGRP  OX_TIOCSPGRP
#define TIOCSCTTY  OX_TIOCSCTTY
#define FIONREAD   OX_FIONREAD
#define TIOCINQ    OX_FIONREAD

struct winsize { // struct oct_winsize
	unsigned short ws_row, ws_col;
	unsigned short ws_xpixel, ws_ypixel; // always 0
};

int ioctl(int fd, unsigned long request, ...);

#ifdef __cplusplus
}
#endif

#endif
