// SPDX-License-Identifier: ISC
// Host console: see console.h.
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board.h"
#include "terminal.h"

enum { CTRL_A = 0x01, CTRL_CLOSE = 0x1d };

void console_flush(struct console *c)
{
	size_t done = c->out_fd < 0 ? c->out_len : 0;
	while (done < c->out_len) {
		ssize_t n = write(c->out_fd, c->out + done, c->out_len - done);
		if (n < 0 && c->both)
			break; // nobody reads there: the bytes are gone, as on a line
		if (n < 0 && errno != EINTR) {
			board_stop(c->board, STOP_QUIT, "the output of a serial line is closed");
			break;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	c->out_len = 0;
}

// ---------------------------------------------------------------- output

// Does byte complete the text? (A text that repeats its own beginning may be seen one byte late; none does.)
static bool completes(struct match *m, uint8_t byte)
{
	if (!m->text)
		return false;
	if (byte != (uint8_t)m->text[m->seen])
		m->seen = 0;
	if (byte == (uint8_t)m->text[m->seen])
		m->seen++;
	if (m->text[m->seen])
		return false;
	m->seen = 0;
	return true;
}

void console_sent(struct console *c, uint8_t byte)
{
	c->out[c->out_len++] = byte;
	if (c->out_len == sizeof c->out)
		console_flush(c);
	if (completes(&c->prompt, byte)) {
		c->line_allowed = true;
		serial_kick(&c->board->uart[c->port]);
	}
	if (completes(&c->until, byte))
		board_stop(c->board, STOP_QUIT, "the text of --until was printed");
}

// ---------------------------------------------------------------- input

static void quit(struct console *c)
{
	board_stop(c->board, STOP_QUIT, "ended from the keyboard");
}

// The escape key: Ctrl-A x or Ctrl-]; Ctrl-A Ctrl-A is one Ctrl-A. Returns whether byte is typed.
static bool take_key(struct console *c, uint8_t byte)
{
	if (c->escaped) {
		c->escaped = false;
		if (byte == 'x' || byte == 'X')
			quit(c);
		return byte == CTRL_A;
	}
	if (byte == CTRL_CLOSE)
		quit(c);
	c->escaped = byte == CTRL_A;
	return byte != CTRL_A && byte != CTRL_CLOSE;
}

static void filter_keys(struct console *c)
{
	size_t kept = 0;
	for (size_t i = 0; i < c->typed_len; i++)
		if (take_key(c, c->typed[i]))
			c->typed[kept++] = c->typed[i];
	c->typed_len = kept;
}

// Reads what is there, without waiting, when everything read before was sent.
static void fill(struct console *c)
{
	struct pollfd p = { .fd = c->in, .events = POLLIN };
	if (c->in < 0 || c->typed_pos < c->typed_len || poll(&p, 1, 0) <= 0)
		return;
	ssize_t n = read(c->in, c->typed, sizeof c->typed);
	if (n < 0 && (errno == EINTR || c->both))
		return;
	if (n <= 0)
		c->in = -1;
	c->typed_pos = 0;
	c->typed_len = n > 0 ? (size_t)n : 0;
	if (c->tty)
		filter_keys(c);
}

int console_fetch(struct console *c)
{
	if (c->prompt.text && !c->line_allowed)
		return -1;
	fill(c);
	if (c->typed_pos == c->typed_len)
		return -1;
	uint8_t byte = c->typed[c->typed_pos++];
	if (byte == '\n' || byte == '\r')
		c->line_allowed = false;
	return byte;
}

void console_poll(struct console *c)
{
	int sig = terminal_signal();
	if (c->out_len)
		console_flush(c);
	if (sig)
		board_stop(c->board, STOP_QUIT, "ended by signal %d", sig);
	fill(c);
}

// ---------------------------------------------------------------- real time

static double seconds_since(const struct timespec *t)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - t->tv_sec) + (double)(now.tv_nsec - t->tv_nsec) / 1e9;
}

// Simulated time against real time: how far it may run ahead or behind before it is forgotten.
static double lead(struct console *c, uint64_t cycle)
{
	const double most = 0.1;
	double ahead = (double)(cycle - c->cycle) / c->board->chip->hz - seconds_since(&c->wall);
	if (ahead > -most && ahead < most)
		return ahead;
	clock_gettime(CLOCK_MONOTONIC, &c->wall);
	c->cycle = cycle;
	return 0;
}

void console_idle(struct console *c, uint64_t cycles)
{
	if (c->out_len)
		console_flush(c);
	if (!c->live)
		return;
	double wait = lead(c, c->board->avr->cycle) + (double)cycles / c->board->chip->hz;
	struct pollfd p = { .fd = c->in, .events = POLLIN };
	bool hungry = c->typed_pos == c->typed_len;
	if (wait > 0.001)
		poll(&p, hungry && c->in >= 0, (int)(wait * 1000));
}

// ---------------------------------------------------------------- start

const char *console_pty(struct console *c)
{
	int slave;
	c->in = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (c->in < 0 || grantpt(c->in) || unlockpt(c->in))
		return NULL;
	// held open, so that it stays when programs come and go
	slave = open(ptsname(c->in), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return NULL;
	terminal_make_raw(slave);
	c->out_fd = c->in;
	c->both = true;
	return ptsname(c->in);
}

void console_attach(struct console *c, struct board *b, int port)
{
	c->board = b;
	c->port = port;
	clock_gettime(CLOCK_MONOTONIC, &c->wall);
	c->cycle = 0;
}
