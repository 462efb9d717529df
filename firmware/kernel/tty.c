// SPDX-License-Identifier: ISC
//
// Terminals: their buffers, signals, reading and writing.

#include "kernel/tty.h"

#include <stdbool.h>
#include <string.h>

#include <avr/pgmspace.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/user.h"
#include "vm/frames.h"
#include "vm/pager.h"

#define CTRL(c) ((c) & 0x1f)
#define DEL 0x7f
#define OUT_LOW 24 // bytes in the send ring at which writers go on

struct tty ttys[TTYS];

static const struct oct_termios sane PROGMEM = {
	.iflag = OX_ICRNL | OX_IXON | OX_IXOFF | OX_IGNBRK | OX_IGNPAR,
	.oflag = OX_OPOST | OX_ONLCR,
	.cflag = OX_CS8 | OX_CREAD | OX_CLOCAL | BOARD_CONSOLE_SPEED,
	.lflag = OX_ISIG | OX_ICANON | OX_ECHO | OX_ECHOE | OX_ECHOK | OX_ECHOCTL | OX_IEXTEN,
	.cc = { [OX_VINTR] = CTRL('C'), [OX_VQUIT] = CTRL('\\'), [OX_VSUSP] = CTRL('Z'), [OX_VLNEXT] = CTRL('V'),
		[OX_VSTOP] = CTRL('S'), [OX_VSTART] = CTRL('Q'), [OX_VERASE] = DEL, [OX_VKILL] = CTRL('U'),
		[OX_VWERASE] = CTRL('W'), [OX_VEOF] = CTRL('D'), [OX_VEOL] = OX_VDISABLE, [OX_VMIN] = 1 },
};

static struct buffer {
	struct uart_rings rings;
	char text[LINE_SIZE];
} console;

static void use_buffer(struct tty *t, struct buffer *b)
{
	memcpy_P((struct oct_termios *)&t->line.mode, &sane, sizeof sane);
	tty_forget(t);
	t->state = 0;
	t->text = b->text;
	uart_use(&t->line, &b->rings);
}

void tty_init(void)
{
	for (uint8_t n = 0; n < TTYS; n++)
		uart_init(&ttys[n].line, n);
	use_buffer(ttys, &console);
}

int8_t tty_open(void)
{
	struct tty *t = &ttys[TTYS - 1];

	if (TTYS == 1)
		return -OX_ENXIO;
	t->state &= (uint8_t)~TTY_CLOSED;
	if (t->text)
		return 0;
	t->frame = frame_take_pipe();
	if (t->frame == NO_FRAME)
		return -OX_ENOMEM;
	use_buffer(t, (struct buffer *)frame_memory(t->frame));
	return 0;
}

void tty_close(void)
{
	struct tty *t = &ttys[TTYS - 1];

	t->state |= TTY_CLOSED;
	uart_stop(&t->line, false);
}

// The terminal is not open any more.
static void give_back(struct tty *t)
{
	uart_use(&t->line, 0);
	t->text = 0;
	t->state = 0;
	frame_drop(t->frame);
}

// ---- signals

static const uint8_t signals[] PROGMEM = { [OX_VINTR] = OX_SIGINT, [OX_VQUIT] = OX_SIGQUIT, [OX_VSUSP] = OX_SIGTSTP };

// A program of the foreground that ignores INTR or QUIT is told by EINTR, at its next read.
static void send_signal(struct tty *t, uint8_t which)
{
	uint8_t signal = pgm_read_byte(&signals[which]);

	if (which == OX_VSUSP && group_ignores(t->group, signal))
		return;
	if (!tty_is_set(t, OX_NOFLSH)) {
		tty_forget(t);
		uart_flush_output(&t->line);
	}
	tty_echo(t, t->line.mode.cc[which]);
	tty_echo(t, '\n');
	if (which != OX_VSUSP && group_ignores(t->group, signal)) {
		t->state |= TTY_INTERRUPTED;
		proc_wake(PROC_TTY_IN, t);
	}
	group_signal(t->group, signal);
}

void tty_hang_up(uint16_t session)
{
	for (struct tty *t = ttys; t < ttys + TTYS; t++)
		if (t->session == session) {
			group_signal(t->group, OX_SIGHUP);
			t->session = t->group = 0;
		}
}

void tty_poll(void)
{
	for (struct tty *t = ttys; t < ttys + TTYS; t++) {
		uint8_t which = uart_signals(&t->line);

		if (TTYS > 1 && t->state & TTY_CLOSED && !uart_waiting(&t->line))
			give_back(t);
		if (TTYS > 1 && !t->text) {
			if (t->line.flags & UART_CALLED && INIT->caught & signal_bit(OX_SIGUSR1)) {
				t->line.flags = 0;
				proc_signal(INIT, OX_SIGUSR1);
			}
			continue;
		}
		for (uint8_t i = 0; which; i++, which >>= 1)
			if (which & 1)
				send_signal(t, i);
		tty_take(t);
		if (t->state & TTY_AWAITED && !t->line.notify) {
			t->state &= (uint8_t)~TTY_AWAITED;
			proc_wake(PROC_TTY_OUT, t);
		}
	}
}

// ---- reading and writing

struct tty *tty_of(const struct open *o)
{
	uint8_t n = o->kind - OPEN_CONSOLE;

	if (o->kind == OPEN_TTY)
		for (n = 0; n < TTYS && !tty_is_own(&ttys[n]);)
			n++;
	if (n >= TTYS)
		fail(-OX_ENXIO);
	return &ttys[n];
}

bool tty_is_own(const struct tty *t)
{
	return t->session == self()->sid;
}

// A process in the background that reads, or changes the terminal, is stopped; or the call goes on (0), or fails. POSIX.1-2017, 11.1.4.
int16_t tty_background(const struct tty *t, uint8_t signal)
{
	struct proc *p = self();

	if (!tty_is_own(t))
		return signal == OX_SIGTTIN && t->session ? -OX_EIO : 0;
	if (p->pgid == t->group)
		return 0;
	if ((p->ignored | p->blocked) & signal_bit(signal) || borrows(p))
		return signal == OX_SIGTTIN ? -OX_EIO : 0;
	if (group_orphaned(p->pgid))
		return -OX_EIO;
	group_signal(p->pgid, signal);
	p->state = PROC_TTY_IN; // and again when it goes on
	p->wait_on = 0;
	return AGAIN;
}

uint8_t tty_readable(const struct tty *t)
{
	return (tty_is_set(t, OX_ICANON) ? t->ends : t->length) - t->consumed;
}

// Bytes of what can be read, at most n; in canonical mode up to the end of a line.
static uint8_t piece(const struct tty *t, uint16_t n)
{
	uint8_t got = 0, all = tty_readable(t);

	if (n < all)
		all = (uint8_t)n;
	if (!tty_is_set(t, OX_ICANON))
		return all;
	while (got < all && !tty_ends_line(t, (uint8_t)t->text[t->consumed + got++]))
		;
	return got;
}

// Is there what a read of n bytes waits for?
static bool has_enough(const struct tty *t, uint16_t n)
{
	uint8_t got = tty_readable(t), least = t->line.mode.cc[OX_VMIN], tenths = t->line.mode.cc[OX_VTIME];

	if (tty_is_set(t, OX_ICANON))
		return got || t->state & TTY_EOF;
	if (least > n)
		least = (uint8_t)n;
	if (got >= least && (got || !tenths))
		return true;
	return tenths && (got || !least) && time_is_up(tenths * 100ul);
}

int16_t tty_read(struct open *o, uint16_t va, uint16_t n)
{
	struct tty *t = tty_of(o);
	uint8_t part;

	int16_t refused = tty_background(t, OX_SIGTTIN);

	if (refused)
		return refused;
	if (t->state & TTY_INTERRUPTED) {
		t->state &= (uint8_t)~TTY_INTERRUPTED;
		self()->timed = false;
		return -OX_EINTR;
	}
	if (!n)
		return 0;
	tty_take(t);
	if (!has_enough(t, n)) {
		self()->state = PROC_TTY_IN;
		self()->wait_on = (uint8_t)(uintptr_t)t;
		return AGAIN;
	}
	self()->timed = false;
	part = piece(t, n);
	give(va, t->text + t->consumed, part);
	t->consumed += part;
	if (!tty_readable(t) && !(part && tty_ends_line(t, (uint8_t)t->text[t->consumed - 1]))) // else it is for the next read
		t->state &= (uint8_t)~TTY_EOF;
	if (t->consumed == t->length)
		t->length = t->ends = t->consumed = 0;
	tty_take(t);
	return part;
}

static void tell_of_room(struct tty *t, uint8_t left)
{
	t->state |= TTY_AWAITED;
	uart_notify(&t->line, left);
}

int16_t tty_wait_output(struct tty *t, uint8_t left)
{
	self()->state = PROC_TTY_OUT;
	self()->wait_on = (uint8_t)(uintptr_t)t;
	tell_of_room(t, left);
	return AGAIN;
}

uint8_t tty_ready(const struct open *o, uint8_t events)
{
	struct tty *t = tty_of(o);
	uint8_t ready = tty_readable(t) || t->state & (TTY_EOF | TTY_INTERRUPTED) ? OX_POLLIN : 0;

	if (uart_room(&t->line) >= 2)
		ready |= OX_POLLOUT;
	else if (events & OX_POLLOUT)
		tell_of_room(t, OUT_LOW);
	return ready;
}

int16_t tty_write(struct open *o, uint16_t va, uint16_t n)
{
	struct tty *t = tty_of(o);
	uint16_t done = self()->progress;
	uint8_t room = uart_room(&t->line);
	bool crlf = (t->line.mode.oflag & (OX_OPOST | OX_ONLCR)) == (OX_OPOST | OX_ONLCR);
	int8_t error = 0;
	int16_t refused = tty_is_set(t, OX_TOSTOP) ? tty_background(t, OX_SIGTTOU) : 0;

	if (refused)
		return refused;
	if (TTYS > 1 && !t->text)
		return (int16_t)n;
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
				return tty_wait_output(t, OUT_LOW);
			}
			room--;
			if (c == '\n' && crlf) {
				uart_put(&t->line, '\r');
				room--;
			}
			uart_put(&t->line, c);
		}
	}
	self()->progress = 0;
	return done ? (int16_t)done : error;
}
