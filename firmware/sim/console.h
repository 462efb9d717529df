// SPDX-License-Identifier: ISC
// The host end of UART0: standard input or a file in, standard output out, with an escape key on
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
	int in;                         // -1: nothing to come
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

// Tells the console its board. The caller sets the board's hooks to functions that call these four.
void console_attach(struct console *c, struct board *b);
void console_sent(struct console *c, uint8_t byte);
int console_fetch(struct console *c);
void console_poll(struct console *c);
void console_idle(struct console *c, uint64_t cycles);

void console_flush(struct console *c);

#endif
