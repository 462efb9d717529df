// SPDX-License-Identifier: ISC
//
// ioctl of terminals.

#include <stdbool.h>
#include <string.h>

#include <avr/interrupt.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/tty.h"
#include "kernel/user.h"

// Everything has been sent, or the call runs again when it has.
static bool sent(struct tty *t)
{
	if (uart_waiting(&t->line)) {
		tty_wait_output(t, 0);
		return false;
	}
	if (!(t->line.flags & UART_STOPPED))
		uart_drain(&t->line); // at most two bytes are in the transmitter
	return true;
}

static void get(void *to, uint16_t va, uint8_t n)
{
	check(copy_in(self()->space, to, va, n));
}

// What was typed in one mode can be read at once in the other.
static void set_mode(struct tty *t, uint16_t va)
{
	struct oct_termios new, *mode = (struct oct_termios *)&t->line.mode;

	get(&new, va, sizeof new);
	new.iflag = (new.iflag & OX_IFLAGS) | (mode->iflag & ~OX_IFLAGS);
	new.oflag &= OX_OFLAGS;
	new.lflag &= OX_LFLAGS;
	new.cflag = mode->cflag;
	if ((new.lflag ^ mode->lflag) & OX_ICANON) {
		t->ends = t->length;
		t->state &= TTY_AWAITED;
	}
	cli();
	*mode = new;
	if (!(new.iflag & OX_IXON))
		t->line.flags &= (uint8_t)~UART_STOPPED;
	sei();
	uart_wake(&t->line);
	proc_wake_reader(t); // the new mode may be content with what is there
}

static int16_t flush(struct tty *t, uint16_t which)
{
	if (which > 2)
		return -OX_EINVAL;
	if (which != 1) {
		tty_forget(t);
		uart_flush_input(&t->line);
	}
	if (which)
		uart_flush_output(&t->line);
	return 0;
}

static int16_t flow(struct tty *t, uint16_t action)
{
	if (action > 3)
		return -OX_EINVAL;
	if (action < 2)
		uart_stop(&t->line, !action);
	else
		uart_urgent(&t->line, t->line.mode.cc[action == 2 ? OX_VSTOP : OX_VSTART]);
	return 0;
}

static int16_t set_group(struct tty *t, uint16_t va)
{
	int32_t group;

	if (!tty_is_own(t))
		return -OX_ENOTTY;
	get(&group, va, sizeof group);
	if (group <= 0 || group > INT16_MAX || !group_exists((int16_t)group))
		return -OX_EPERM;
	t->group = (uint16_t)group;
	t->state &= (uint8_t)~TTY_INTERRUPTED;
	return 0;
}

// It becomes the controlling terminal of the current process, the leader of a session without one.
static int16_t take_terminal(struct tty *t)
{
	const struct proc *p = self();

	if (tty_is_own(t))
		return 0;
	for (const struct tty *other = ttys; other < ttys + TTYS; other++)
		if (tty_is_own(other))
			return -OX_EPERM;
	if (p->sid != p->pid || t->session)
		return -OX_EPERM;
	t->session = p->sid;
	t->group = p->pgid;
	t->state &= (uint8_t)~TTY_INTERRUPTED;
	return 0;
}

static int16_t give_number(uint16_t va, uint16_t n)
{
	int32_t number = n;

	return give(va, &number, sizeof number);
}

// Those that a process of the background may not make.
static bool changes(uint16_t request)
{
	return (request >= OX_TCSETS && request <= OX_TCSBRK) || request == OX_TIOCSPGRP;
}

int16_t tty_ioctl(struct open *o, uint16_t va, uint16_t request)
{
	struct tty *t = tty_of(o);
	struct oct_winsize size;
	int16_t refused = changes(request) ? tty_background(t, OX_SIGTTOU) : 0;

	if (refused)
		return refused;
	switch (request) {
	case OX_TTY:
		return 0;
	case OX_TCGETS:
		return give(va, (struct oct_termios *)&t->line.mode, sizeof t->line.mode);
	case OX_TCSETSW:
	case OX_TCSETSF:
		if (!sent(t))
			return AGAIN;
		if (request == OX_TCSETSF)
			flush(t, 0);
		// fall through
	case OX_TCSETS:
		set_mode(t, va);
		return 0;
	case OX_TCFLSH:
		return flush(t, va);
	case OX_TCXONC:
		return flow(t, va);
	case OX_TCSBRK:
		if (!sent(t))
			return AGAIN;
		if (!va)
			uart_break(&t->line);
		return 0;
	case OX_TIOCGWINSZ:
		size = (struct oct_winsize){ t->rows, t->columns, 0, 0 };
		return give(va, &size, sizeof size);
	case OX_TIOCSWINSZ:
		get(&size, va, sizeof size);
		if (t->rows != size.rows || t->columns != size.columns)
			group_signal(t->group, OX_SIGWINCH);
		t->rows = size.rows;
		t->columns = size.columns;
		return 0;
	case OX_TIOCGPGRP:
		return tty_is_own(t) ? give_number(va, t->group) : -OX_ENOTTY;
	case OX_TIOCGSID:
		return tty_is_own(t) ? give_number(va, t->session) : -OX_ENOTTY;
	case OX_TIOCSCTTY:
		return take_terminal(t);
	case OX_TIOCSPGRP:
		return set_group(t, va);
	case OX_FIONREAD:
		tty_take(t);
		return give_number(va, tty_readable(t));
	}
	return -OX_EINVAL;
}
