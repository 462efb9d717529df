// SPDX-License-Identifier: ISC
// The host end of a serial line: a file, standard input or a pseudo-terminal in, another out, with an escape key on
// a terminal, pacing to real time while the CPU sleeps, and waiting for a prompt before each line.
#ifndef SIM_CONSOLE_H
#define SIM_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct board;

// A text looked for in the output, and how much of it has just been seen.
struct match {
	const char *text;               // NULL: none
	size_t seen;
};

struct console {
	struct board *board;
	int port;                       // of the board
	int in;                         // -1: nothing to come
	int out_fd;                     // -1: nobody looks
	bool both;                      // one pseudo-terminal for both
	bool tty, live;                 // live: sleep takes real time
	struct match prompt;            // hold each line back until this was sent
	struct match until;             // the run ends when this was sent
	bool line_allowed;
	bool escaped;                   // Ctrl-A was the last key
	uint8_t typed[4096];
	size_t typed_pos, typed_len;
	uint8_t out[4096];
	size_t out_len;
	struct timespec wall;           // real time at ...
	uint64_t cycle;                 // ... this cycle
};

// Tells the console its board and line. The caller sets the board's hooks to functions that call these four.
void console_attach(struct console *c, struct board *b, int port);
void console_sent(struct console *c, uint8_t byte);
int console_fetch(struct console *c);
void console_poll(struct console *c);
void console_idle(struct console *c, uint64_t cycles);

void console_flush(struct console *c);

// Opens a pseudo-terminal for input and output and returns its name, or NULL with errno.
const char *console_pty(struct console *c);

#endif
