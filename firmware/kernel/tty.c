// SPDX-License-Identifier: ISC
//
// Terminals: the line discipline, reading and writing.

#include "kernel/tty.h"

#include <stdbool.h>
#include <string.h>

#include <avr/pgmspace.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/user.h"
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

void tty_init(void)
{
	for (uint8_t n = 0; n < TTYS; n++) {
		memcpy_P((struct oct_termios *)&ttys[n].line.mode, &sane, sizeof sane);
		uart_init(&ttys[n].line, n);
	}
}

static bool is_set(const struct tty *t, uint16_t flags)
{
	return (t->line.mode.lflag & flags) == flags;
}

// ---- echo

// Output that nobody sees now must not stop the kernel.
static void show(struct tty *t, uint8_t c)
{
	if (!(t->line.flags & UART_STOPPED) || uart_room(&t->line))
		uart_put(&t->line, c);
}

static void echo(struct tty *t, uint8_t c)
{
	if (!is_set(t, OX_ECHO) && !(c == '\n' && is_set(t, OX_ECHONL | OX_ICANON)))
		return;
	if (c == '\n') {
		if (t->line.mode.oflag & OX_OPOST && t->line.mode.oflag & OX_ONLCR)
			show(t, '\r');
	} else if ((c < ' ' && c != '\t') || c == DEL) {
		if (is_set(t, OX_ECHOCTL)) {
			show(t, '^');
			c ^= '@';
		}
	}
	show(t, c);
}

// ---- editing the line

static void wipe(struct tty *t)
{
	show(t, '\b');
	show(t, ' ');
	show(t, '\b');
}

// Takes the last character away, which may be several bytes of UTF-8.
static void rub_out(struct tty *t)
{
	uint8_t gone;

	do
		gone = (uint8_t)t->text[--t->length];
	while (gone >= 0x80 && gone < 0xc0 && t->length > t->ends);
	if (!is_set(t, OX_ECHO | OX_ECHOE))
		return;
	wipe(t);
	if (gone < ' ' || gone == DEL)
		wipe(t);
}

static void rub_out_word(struct tty *t)
{
	while (t->length > t->ends && t->text[t->length - 1] == ' ')
		rub_out(t);
	while (t->length > t->ends && t->text[t->length - 1] != ' ')
		rub_out(t);
}

static void kill_line(struct tty *t, uint8_t c)
{
	if (!is_set(t, OX_ECHOE)) {
		echo(t, c);
		if (is_set(t, OX_ECHOK))
			echo(t, '\n');
	}
	while (t->length > t->ends)
		rub_out(t);
}

// Does the character end a line?
static bool ends_line(const struct tty *t, uint8_t c)
{
	return c == '\n' || (c == t->line.mode.cc[OX_VEOL] && c != OX_VDISABLE);
}

static void insert(struct tty *t, uint8_t c, bool ends)
{
	if (t->length >= LINE_SIZE - !ends) { // the end of the line always has its place
		show(t, '\a');
		return;
	}
	t->text[t->length++] = (char)c;
	echo(t, c);
	if (ends)
		t->ends = t->length;
}

// Place in c_cc of the character that edits a line, or OX_NCCS. \b erases, too, where DEL does: keyboards send either.
static uint8_t editor(const struct tty *t, uint8_t c)
{
	const struct oct_termios *mode = (const struct oct_termios *)&t->line.mode;

	if (c == '\b' && mode->cc[OX_VERASE] == DEL)
		return OX_VERASE;
	if (c == OX_VDISABLE)
		return OX_NCCS;
	for (uint8_t i = OX_VERASE; i <= OX_VEOF; i++)
		if (c == mode->cc[i] && (i != OX_VWERASE || is_set(t, OX_IEXTEN)))
			return i;
	return c == mode->cc[OX_VLNEXT] && is_set(t, OX_IEXTEN) ? OX_VLNEXT : OX_NCCS;
}

static void edit(struct tty *t, uint8_t c)
{
	switch (editor(t, c)) {
	case OX_VERASE:
		if (!is_set(t, OX_ECHOE))
			echo(t, c);
		if (t->length > t->ends)
			rub_out(t);
		break;
	case OX_VKILL:
		kill_line(t, c);
		break;
	case OX_VWERASE:
		rub_out_word(t);
		break;
	case OX_VEOF:
		t->ends = t->length;
		t->state |= TTY_EOF;
		break;
	case OX_VLNEXT:
		t->state |= TTY_LITERAL;
		if (is_set(t, OX_ECHO | OX_ECHOCTL)) {
			show(t, '^');
			show(t, '\b');
		}
		break;
	default:
		insert(t, c, ends_line(t, c));
	}
}

static void input(struct tty *t, uint8_t c)
{
	uint16_t iflag = t->line.mode.iflag;

	if (t->state & TTY_LITERAL) {
		t->state &= (uint8_t)~TTY_LITERAL;
		insert(t, c, false);
		return;
	}
	if (c == '\r') {
		if (iflag & OX_IGNCR)
			return;
		if (iflag & OX_ICRNL)
			c = '\n';
	} else if (c == '\n' && iflag & OX_INLCR) {
		c = '\r';
	}
	if (is_set(t, OX_ICANON)) {
		edit(t, c);
	} else {
		t->text[t->length++] = (char)c;
		echo(t, c);
	}
}

// Is there room for a byte of input, and always one for the end of a line? Makes some in front. A line that fills all is refused byte by
// byte; nothing is taken behind an end of file.
static bool has_room(struct tty *t)
{
	if (t->state & TTY_EOF)
		return false;
	if (t->length < LINE_SIZE - 1)
		return true;
	if (!t->consumed)
		return is_set(t, OX_ICANON) && !t->ends;
	t->length -= t->consumed;
	t->ends -= t->consumed;
	memmove(t->text, t->text + t->consumed, t->length);
	t->consumed = 0;
	return true;
}

void tty_take(struct tty *t)
{
	int16_t c;

	bool any = false;

	while (has_room(t) && (c = uart_get(&t->line)) >= 0) {
		input(t, (uint8_t)c);
		any = true;
	}
	if (any && (tty_readable(t) || t->state & TTY_EOF))
		proc_wake_reader();
}

void tty_forget(struct tty *t)
{
	t->length = t->ends = t->consumed = 0;
	t->state &= TTY_AWAITED;
}

// ---- signals

static const uint8_t signals[] PROGMEM = { [OX_VINTR] = OX_SIGINT, [OX_VQUIT] = OX_SIGQUIT, [OX_VSUSP] = OX_SIGTSTP };

// A program of the foreground that ignores INTR or QUIT is told by EINTR, at its next read.
static void send_signal(struct tty *t, uint8_t which)
{
	uint8_t signal = pgm_read_byte(&signals[which]);

	if (which == OX_VSUSP && group_ignores(t->group, signal))
		return;
	if (!is_set(t, OX_NOFLSH)) {
		tty_forget(t);
		uart_flush_output(&t->line);
	}
	echo(t, t->line.mode.cc[which]);
	echo(t, '\n');
	if (which != OX_VSUSP && group_ignores(t->group, signal)) {
		t->state |= TTY_INTERRUPTED;
		proc_wake(PROC_TTY_IN, 0);
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

		for (uint8_t i = 0; which; i++, which >>= 1)
			if (which & 1)
				send_signal(t, i);
		tty_take(t);
		if (t->state & TTY_AWAITED && !t->line.notify) {
			t->state &= (uint8_t)~TTY_AWAITED;
			proc_wake(PROC_TTY_OUT, 0);
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
	return AGAIN;
}

uint8_t tty_readable(const struct tty *t)
{
	return (is_set(t, OX_ICANON) ? t->ends : t->length) - t->consumed;
}

// Bytes of what can be read, at most n; in canonical mode up to the end of a line.
static uint8_t piece(const struct tty *t, uint16_t n)
{
	uint8_t got = 0, all = tty_readable(t);

	if (n < all)
		all = (uint8_t)n;
	if (!is_set(t, OX_ICANON))
		return all;
	while (got < all && !ends_line(t, (uint8_t)t->text[t->consumed + got++]))
		;
	return got;
}

// Is there what a read of n bytes waits for?
static bool has_enough(const struct tty *t, uint16_t n)
{
	uint8_t got = tty_readable(t), least = t->line.mode.cc[OX_VMIN], tenths = t->line.mode.cc[OX_VTIME];

	if (is_set(t, OX_ICANON))
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
		return AGAIN;
	}
	self()->timed = false;
	part = piece(t, n);
	give(va, t->text + t->consumed, part);
	t->consumed += part;
	if (!tty_readable(t) && !(part && ends_line(t, (uint8_t)t->text[t->consumed - 1]))) // else it is for the next read
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
	int16_t refused = is_set(t, OX_TOSTOP) ? tty_background(t, OX_SIGTTOU) : 0;

	if (refused)
		return refused;
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
