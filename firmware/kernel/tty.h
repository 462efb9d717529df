// SPDX-License-Identifier: ISC
//
// Terminals: the line discipline of POSIX.1-2017 chapter 11 on the serial lines. Input goes from the line's ring (drivers/uart.h) into
// `text`: in canonical mode the lines that nobody has read yet, and then the one that is being edited. tty.c has the discipline,
// ttyctl.c the requests of ioctl.
#ifndef OCTIX_TTY_H
#define OCTIX_TTY_H

#include <stdbool.h>
#include <stdbool.h>
#include <stdint.h>

#include "drivers/uart.h"
#include "kernel/file.h"

enum { // struct tty state
	TTY_EOF = 0x01,         // end of file was typed behind the last complete line
	TTY_LITERAL = 0x02,     // LNEXT was the last character
	TTY_INTERRUPTED = 0x04, // who ignores INTR or QUIT has not been told yet
	TTY_AWAITED = 0x08,     // somebody waits for room, or did
};

struct tty {
	volatile struct uart line;
	uint8_t state;
	uint8_t length;         // of text
	uint8_t ends;           // where its complete lines end, in canonical mode
	uint8_t consumed;       // bytes of it that have been read
	uint16_t session;       // whose controlling terminal it is; 0: nobody's
	uint16_t group;         // of it, in the foreground
	uint16_t rows, columns; // 0: not known
	char text[LINE_SIZE];
};

extern struct tty ttys[TTYS];

// Starts all terminals. Interrupts may be off.
void tty_init(void);

// Takes what has been received: echoes, edits the line, sends signals, wakes readers and writers.
void tty_poll(void);

static inline bool is_tty(const struct open *o)
{
	return o->kind >= OPEN_CONSOLE && o->kind <= OPEN_TTY;
}

// The terminal behind an open file of one of its kinds.
struct tty *tty_of(const struct open *o);

// Is it the controlling terminal of the current process?
bool tty_is_own(const struct tty *t);

// The leader of a session has ended: its terminal is free, its foreground gets SIGHUP.
void tty_hang_up(uint16_t session);

// May the current process read (SIGTTIN) or change the terminal (SIGTTOU)? 0, AGAIN when it is stopped, or an error.
int16_t tty_background(const struct tty *t, uint8_t signal);

// read, write and ioctl of the current process; AGAIN when it must wait.
int16_t tty_read(struct open *o, uint16_t va, uint16_t n);
int16_t tty_write(struct open *o, uint16_t va, uint16_t n);
int16_t tty_ioctl(struct open *o, uint16_t va, uint16_t request);

// What would not wait now (OX_POLL*); when output is among `events` and would, the process in PROC_POLL_OUT is woken later.
uint8_t tty_ready(const struct open *o, uint8_t events);

// The current process waits until at most `left` bytes are to be sent. AGAIN
int16_t tty_wait_output(struct tty *t, uint8_t left);

// Takes what has been received on this terminal into its text, as far as there is room; wakes readers.
void tty_take(struct tty *t);

// Forgets input that nobody has read.
void tty_forget(struct tty *t);

// Bytes that a read would find.
uint8_t tty_readable(const struct tty *t);

#endif
