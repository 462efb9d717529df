// SPDX-License-Identifier: ISC
//
// Terminals: from bytes of the line to lines of text: echo, editing, and the buffer of what nobody has read yet.

#include <string.h>

#include <octix/abi.h>

#include "kernel/proc.h"
#include "kernel/tty.h"

#define DEL 0x7f

bool tty_is_set(const struct tty *t, uint16_t flags)
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

void tty_echo(struct tty *t, uint8_t c)
{
	if (!tty_is_set(t, OX_ECHO) && !(c == '\n' && tty_is_set(t, OX_ECHONL | OX_ICANON)))
		return;
	if (c == '\n') {
		if (t->line.mode.oflag & OX_OPOST && t->line.mode.oflag & OX_ONLCR)
			show(t, '\r');
	} else if ((c < ' ' && c != '\t') || c == DEL) {
		if (tty_is_set(t, OX_ECHOCTL)) {
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

// Columns that character c takes when it is echoed behind the line. A tab goes to a multiple of 8 from where the line began: where that
// was on the screen is not known.
static uint8_t width(const struct tty *t, uint8_t c)
{
	uint8_t column = 0;

	if (c == '\t') {
		for (uint8_t i = t->ends; i < t->length; i++)
			column = t->text[i] == '\t' ? 0 : column + width(t, (uint8_t)t->text[i]);
		return 8 - (column & 7);
	}
	if (c < ' ' || c == DEL)
		return tty_is_set(t, OX_ECHOCTL) ? 2 : 0;
	return c < 0x80 || c >= 0xc0; // not for the other bytes of UTF-8
}

// Takes the last character away, which may be several bytes of UTF-8.
static void rub_out(struct tty *t)
{
	uint8_t gone;

	do
		gone = (uint8_t)t->text[--t->length];
	while (gone >= 0x80 && gone < 0xc0 && t->length > t->ends);
	if (tty_is_set(t, OX_ECHO | OX_ECHOE))
		for (uint8_t n = width(t, gone); n; n--)
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
	if (!tty_is_set(t, OX_ECHOE)) {
		tty_echo(t, c);
		if (tty_is_set(t, OX_ECHOK))
			tty_echo(t, '\n');
	}
	while (t->length > t->ends)
		rub_out(t);
}

bool tty_ends_line(const struct tty *t, uint8_t c)
{
	return c == '\n' || (c == t->line.mode.cc[OX_VEOL] && c != OX_VDISABLE);
}

static void insert(struct tty *t, uint8_t c, bool ends)
{
	if (t->length >= LINE_SIZE - !ends) { // the end of the line always has its place
		show(t, '\a');
		return;
	}
	if (c == '\t' && tty_is_set(t, OX_ECHO)) // as blanks, which can be erased
		for (uint8_t n = width(t, c); n; n--)
			show(t, ' ');
	else
		tty_echo(t, c);
	t->text[t->length++] = (char)c;
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
		if (c == mode->cc[i] && (i != OX_VWERASE || tty_is_set(t, OX_IEXTEN)))
			return i;
	return c == mode->cc[OX_VLNEXT] && tty_is_set(t, OX_IEXTEN) ? OX_VLNEXT : OX_NCCS;
}

static void edit(struct tty *t, uint8_t c)
{
	switch (editor(t, c)) {
	case OX_VERASE:
		if (!tty_is_set(t, OX_ECHOE))
			tty_echo(t, c);
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
		if (tty_is_set(t, OX_ECHO | OX_ECHOCTL)) {
			show(t, '^');
			show(t, '\b');
		}
		break;
	default:
		insert(t, c, tty_ends_line(t, c));
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
	if (tty_is_set(t, OX_ICANON)) {
		edit(t, c);
	} else {
		t->text[t->length++] = (char)c;
		tty_echo(t, c);
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
		return tty_is_set(t, OX_ICANON) && !t->ends;
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
		proc_wake_reader(t);
}

void tty_forget(struct tty *t)
{
	t->length = t->ends = t->consumed = 0;
	t->state &= TTY_AWAITED;
}
