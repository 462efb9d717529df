// SPDX-License-Identifier: ISC
//
// Terminals: the line discipline of POSIX.1-2017 chapter 11 on the serial lines. Input goes from the line's ring (drivers/uart.h) into
// `text`: in canonical mode the lines that nobody has read yet, and then the one that is being edited. ttyedit.c edits
// the text, ttyctl.c has the requests of ioctl, tty.c the rest.
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
	TTY_CLOSED = 0x10,      // the buffer goes when all is sent
};

struct tty { // the small members within the reach of ldd
	uint8_t state;
	uint8_t length;         // of text
	uint8_t ends;           // where its complete lines end, in canonical mode
	uint8_t consumed;       // bytes of it that have been read
	uint16_t session;       // whose controlling terminal it is; 0: nobody's
	uint16_t group;         // of it, in the foreground
	uint16_t rows, columns; // 0: not known
	uint8_t frame;          // of the pool, that holds the buffer
	volatile struct uart line;
	char *text;             // of LINE_SIZE bytes; NULL while nobody has the terminal open
};

extern struct tty ttys[TTYS];

// A terminal other than the console has its buffer, a sector of the pool, while it is open. A byte that comes when it is not makes the kernel
// send SIGUSR1 to init. Opening makes the mode that of a reset; -OX_ENXIO: there is no such terminal; -OX_ENOMEM: nor a free sector.
int8_t tty_open(void);
void tty_close(void);

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

// Are these flags of c_lflag all set? Does the character end a line?
bool tty_is_set(const struct tty *t, uint16_t flags);
bool tty_ends_line(const struct tty *t, uint8_t c);

// Shows a character that was typed, if the mode wants that.
void tty_echo(struct tty *t, uint8_t c);

// Bytes that a read would find.
uint8_t tty_readable(const struct tty *t);

#endif
