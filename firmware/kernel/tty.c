// SPDX-License-Identifier: ISC
//
// The terminal.

#include "kernel/tty.h"

#include <stdbool.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "drivers/uart.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/user.h"
#include "vm/pager.h"

#define CTRL(c) ((c) & 0x1f)
#define DEL 0x7f
#define OUT_LOW 24 // bytes in the send ring at which writers go on

uint16_t tty_group;

static char line[LINE_SIZE];
static uint8_t length;      // of the line being edited, or waiting to be read
static uint8_t consumed;    // bytes of it that have been read
static bool ready;          // the line is complete
static bool interrupted;    // a reader has not been told yet
static bool output_awaited; // somebody waits for room, or did

static void rub_out(void)
{
	uint8_t gone = (uint8_t)line[--length];

	if (gone >= 0x80 && gone < 0xc0) // inside a UTF-8 character: its first byte takes the column away
		return;
	print(P("\b \b"));
	if (gone < ' ')
		print(P("\b \b"));
}

static void rub_out_word(void)
{
	while (length && line[length - 1] == ' ')
		rub_out();
	while (length && line[length - 1] != ' ')
		rub_out();
}

static void echo(uint8_t c)
{
	if (c == '\n') {
		uart_put('\r');
	} else if (c < ' ' && c != '\t') {
		uart_put('^');
		c += '@';
	}
	uart_put(c);
}

static void complete(void)
{
	ready = true;
	consumed = 0;
	proc_wake(PROC_TTY_IN, 0);
}

static void insert(uint8_t c)
{
	if (length >= LINE_SIZE - (c != '\n')) { // the end of the line always has its place
		uart_put('\a');
		return;
	}
	line[length++] = (char)c;
	echo(c);
	if (c == '\n')
		complete();
}

// Stops the foreground; what has been typed of the line is dropped.
static void suspend(void)
{
	if (group_ignores(tty_group, OX_SIGTSTP))
		return;
	print(P("^Z\n"));
	length = 0;
	group_signal(tty_group, OX_SIGTSTP);
}

static void input(uint8_t c)
{
	switch (c) {
	case '\r':
		insert('\n');
		break;
	case '\b':
	case DEL:
		if (length)
			rub_out();
		while (length && (line[length] & 0xc0) == 0x80)
			rub_out();
		break;
	case CTRL('U'):
		while (length)
			rub_out();
		break;
	case CTRL('W'):
		rub_out_word();
		break;
	case CTRL('D'):
		complete();
		break;
	case CTRL('Z'):
		suspend();
		break;
	case 0:
		break;
	default:
		insert(c);
	}
}

// Readers are told by EINTR, and so is a program of the foreground that ignores SIGINT, at its next read.
static void interrupt(void)
{
	print(P("^C\n"));
	length = 0;
	ready = false;
	interrupted = proc_wake(PROC_TTY_IN, 0) || group_ignores(tty_group, OX_SIGINT);
	group_signal(tty_group, OX_SIGINT);
}

void tty_set_group(uint16_t pgid)
{
	tty_group = pgid;
	interrupted = false;
}

bool tty_is_foreground(uint16_t pgid)
{
	return pgid == tty_group;
}

void tty_poll(void)
{
	int16_t c;

	if (uart_interrupted())
		interrupt();
	while (!ready && (c = uart_get()) >= 0)
		input((uint8_t)c);
	if (output_awaited && uart_room()) {
		output_awaited = false;
		proc_wake(PROC_TTY_OUT, 0);
	}
}

// A process in the background is stopped, or gets EIO when that cannot be; POSIX.1-2017, 11.1.4.
static int16_t background(uint8_t signal)
{
	struct proc *p = self();

	if ((p->ignored | p->blocked) & signal_bit(signal) || group_orphaned(p->pgid) || borrows(p))
		return -OX_EIO;
	group_signal(p->pgid, signal);
	p->state = PROC_TTY_IN; // and again when it goes on
	return AGAIN;
}

int16_t tty_read(struct open *o, uint16_t va, uint16_t n)
{
	uint16_t part = length - consumed;

	(void)o;

	if (self()->pgid != tty_group)
		return background(OX_SIGTTIN);
	if (interrupted) {
		interrupted = false;
		return -OX_EINTR;
	}
	if (!n)
		return 0;
	if (!ready) {
		self()->state = PROC_TTY_IN;
		return AGAIN;
	}
	if (part > n)
		part = n;
	give(va, line + consumed, part);
	consumed += (uint8_t)part;
	if (consumed == length) {
		length = 0;
		ready = false;
		tty_poll();
	}
	return (int16_t)part;
}

static void tell_of_room(uint8_t left)
{
	output_awaited = true;
	uart_notify(left);
}

static int16_t wait_for_output(uint8_t left)
{
	self()->state = PROC_TTY_OUT;
	tell_of_room(left);
	return AGAIN;
}

uint8_t tty_ready(const struct open *o, uint8_t events)
{
	uint8_t ready_now = ready || interrupted ? OX_POLLIN : 0;

	(void)o;
	if (uart_room() >= 2)
		ready_now |= OX_POLLOUT;
	else if (events & OX_POLLOUT)
		tell_of_room(OUT_LOW);
	return ready_now;
}

int16_t tty_drain(void)
{
	if (uart_waiting())
		return wait_for_output(0);
	uart_drain(); // at most two bytes are in the transmitter
	return 0;
}

int16_t tty_write(struct open *o, uint16_t va, uint16_t n)
{
	uint16_t done = self()->progress;
	uint8_t room = uart_room();
	int8_t error = 0;

	(void)o;
	while (done < n) {
		uint16_t part = in_page(va + done, n - done);
		const uint8_t *user = user_byte(self()->space, va + done, false);

		if (!user) {
			error = user_error();
			break;
		}
		for (; part; part--, done++) {
			uint8_t c = *user++;

			if (room < 2) {
				self()->progress = done;
				return wait_for_output(OUT_LOW);
			}
			room--;
			if (c == '\n') {
				uart_put('\r');
				room--;
			}
			uart_put(c);
		}
	}
	self()->progress = 0;
	return done ? (int16_t)done : error;
}
