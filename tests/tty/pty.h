// SPDX-License-Identifier: ISC
//
// The table of discipline.c, and its run on a pseudo-terminal (pty.c, which sees the host's <termios.h> alone).
#ifndef TTY_PTY_H
#define TTY_PTY_H

#include <octix/termios.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mode { // what differs from the mode after a reset: OX_* flags
	uint16_t clear_in, set_in, clear_out, clear_local, set_local;
	uint8_t eol;
};

struct discipline_case {
	const char *name;
	struct mode mode;
	const char *typed, *echo;
	const char *found; // by reads, a bar behind each
	bool own;          // not POSIX's; or other systems do otherwise
};

extern const struct discipline_case discipline_cases[];
extern const unsigned discipline_count;

// Runs a case; the echo, its bytes returned, and what reads found.
size_t pty_run(const struct discipline_case *c, char *echo, char *found, size_t room);

#endif
