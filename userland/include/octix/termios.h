// SPDX-License-Identifier: ISC
//
// What ioctl() does with terminals, and how a terminal behaves: shared by kernel, libc and oxrun. <termios.h> and <sys/ioctl.h>
// have the same under POSIX's names; meanings are POSIX.1-2017's, chapter 11.
#ifndef OCTIX_TERMIOS_H
#define OCTIX_TERMIOS_H

#include <stdint.h>

// Requests.
#define OX_TTY        0  // nothing: is it a terminal?
#define OX_TCGETS     1  // struct oct_termios *: gets
#define OX_TCSETS     2  // sets at once;
#define OX_TCSETSW    3  // when all output is sent;
#define OX_TCSETSF    4  // then, and forgets what was typed
#define OX_TCFLSH     5  // 0 forgets input, 1 output, 2 both
#define OX_TCXONC     6  // 0 stops output, 1 starts it; 2 sends STOP, 3 START
#define OX_TCSBRK     7  // waits until all output is sent; then, if 0, sends a break
#define OX_TIOCGWINSZ 8  // struct oct_winsize *
#define OX_TIOCSWINSZ 9
#define OX_TIOCGPGRP  10 // int32_t *: the foreground process group
#define OX_TIOCSPGRP  11
#define OX_FIONREAD   12 // int32_t *: bytes that can be read at once
#define OX_TIOCSCTTY  13 // becomes the controlling terminal of the leader of a session that has none
#define OX_TIOCGSID   14 // int32_t *: the session whose controlling terminal it is

// c_iflag. Frames with errors, and breaks, are always left out (IGNBRK, IGNPAR); from 0x0800 on: known by name only.
#define OX_ICRNL  0x0001
#define OX_INLCR  0x0002
#define OX_IGNCR  0x0004
#define OX_ISTRIP 0x0008
#define OX_IXON   0x0010
#define OX_IXOFF  0x0020
#define OX_IFLAGS 0x003f // those that can be changed
#define OX_IGNBRK 0x0100
#define OX_IGNPAR 0x0200

// c_oflag
#define OX_OPOST  0x0001
#define OX_ONLCR  0x0002
#define OX_OFLAGS 0x0003

// c_lflag
#define OX_ISIG    0x0001
#define OX_ICANON  0x0002
#define OX_ECHO    0x0004
#define OX_ECHOE   0x0008
#define OX_ECHOK   0x0010
#define OX_ECHONL  0x0020
#define OX_ECHOCTL 0x0040
#define OX_NOFLSH  0x0080
#define OX_TOSTOP  0x0100
#define OX_IEXTEN  0x0200
#define OX_LFLAGS  0x03ff

// c_cflag: always 8 bits, no parity, at the speed of the board; cannot be changed.
#define OX_CBAUD   0x001f // speeds as OX_B*
#define OX_CS8     0x0060
#define OX_CREAD   0x0100
#define OX_CLOCAL  0x1000
#define OX_B9600   13
#define OX_B19200  14
#define OX_B38400  15
#define OX_B57600  16
#define OX_B115200 17

// c_cc. 0xff: there is no such character. The first six are looked at when a byte arrives, the others when input is taken.
#define OX_VINTR   0
#define OX_VQUIT   1
#define OX_VSUSP   2
#define OX_VLNEXT  3
#define OX_VSTOP   4
#define OX_VSTART  5
#define OX_VERASE  6
#define OX_VKILL   7
#define OX_VWERASE 8
#define OX_VEOF    9
#define OX_VEOL    10
#define OX_VMIN    11
#define OX_VTIME   12
#define OX_NCCS    14
#define OX_VDISABLE 0xff

struct oct_termios {
	uint16_t iflag, oflag, cflag, lflag;
	uint8_t cc[OX_NCCS];
};

struct oct_winsize {
	uint16_t rows, columns; // 0: not known
	uint16_t width, height; // pixels: always 0
};

#endif
