// SPDX-License-Identifier: ISC
//
// stty: shows and sets how a terminal behaves.
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum field { INPUT, OUTPUT, LOCAL };

static struct termios mode;
static struct winsize size;

// `sane`: as after a reset.
static const struct flag {
	char name[8];
	unsigned char field, sane;
	tcflag_t bit;
} flags[] = {
	{ "icrnl", INPUT, 1, ICRNL },   { "inlcr", INPUT, 0, INLCR },   { "igncr", INPUT, 0, IGNCR },   { "istrip", INPUT, 0, ISTRIP },
	{ "ixon", INPUT, 1, IXON },     { "ixoff", INPUT, 1, IXOFF },   { "opost", OUTPUT, 1, OPOST },  { "onlcr", OUTPUT, 1, ONLCR },
	{ "isig", LOCAL, 1, ISIG },     { "icanon", LOCAL, 1, ICANON }, { "iexten", LOCAL, 1, IEXTEN }, { "echo", LOCAL, 1, ECHO },
	{ "echoe", LOCAL, 1, ECHOE },   { "echok", LOCAL, 1, ECHOK },   { "echonl", LOCAL, 0, ECHONL }, { "echoctl", LOCAL, 1, ECHOCTL },
	{ "noflsh", LOCAL, 0, NOFLSH }, { "tostop", LOCAL, 0, TOSTOP },
};

static const struct character {
	char name[7];
	unsigned char place, sane;
} characters[] = {
	{ "intr", VINTR, 3 },    { "quit", VQUIT, 28 },   { "susp", VSUSP, 26 },    { "erase", VERASE, 127 }, { "kill", VKILL, 21 },
	{ "eof", VEOF, 4 },      { "eol", VEOL, _POSIX_VDISABLE }, { "werase", VWERASE, 23 }, { "lnext", VLNEXT, 22 }, { "stop", VSTOP, 19 },
	{ "start", VSTART, 17 }, { "min", VMIN, 1 },      { "time", VTIME, 0 },
};

enum { FLAGS = sizeof flags / sizeof flags[0], CHARACTERS = sizeof characters / sizeof characters[0] };

static tcflag_t *field(const struct flag *f)
{
	return f->field == INPUT ? &mode.c_iflag : f->field == OUTPUT ? &mode.c_oflag : &mode.c_lflag;
}

static int is_set(const struct flag *f)
{
	return (*field(f) & f->bit) != 0;
}

static void set_flag(const struct flag *f, int on)
{
	*field(f) = (tcflag_t)(on ? *field(f) | f->bit : *field(f) & ~f->bit);
}

static int is_number(const struct character *c)
{
	return c->place == VMIN || c->place == VTIME;
}

// ---- showing

static void show_character(const struct character *c)
{
	unsigned value = mode.c_cc[c->place];

	if (is_number(c))
		printf("%s = %u; ", c->name, value);
	else if (value == _POSIX_VDISABLE)
		printf("%s = <undef>; ", c->name);
	else if (value < ' ' || value == 127)
		printf("%s = ^%c; ", c->name, value ^ '@');
	else
		printf("%s = %c; ", c->name, value);
}

static void show_flags(int all)
{
	const char *before = "";

	for (const struct flag *f = flags; f < flags + FLAGS; f++)
		if (all || is_set(f) != f->sane) {
			printf("%s%s%s", before, is_set(f) ? "" : "-", f->name);
			before = " ";
		}
	if (*before)
		putchar('\n');
}

static unsigned long speed(void)
{
	static const unsigned long speeds[] = { [B9600] = 9600, [B19200] = 19200, [B38400] = 38400, [B57600] = 57600, [B115200] = 115200 };
	speed_t code = cfgetospeed(&mode);

	return code <= B115200 ? speeds[code] : 0;
}

static void show(int all)
{
	int shown = 0;

	printf(all ? "speed %lu baud; rows %u; columns %u;\n" : "speed %lu baud;\n", speed(), size.ws_row, size.ws_col);
	for (const struct character *c = characters; c < characters + CHARACTERS; c++)
		if (all || mode.c_cc[c->place] != c->sane) {
			show_character(c);
			if (++shown % 6 == 0 || c == characters + CHARACTERS - 1)
				putchar('\n');
		}
	if (shown % 6 && !all)
		putchar('\n');
	show_flags(all);
}

// All in hexadecimal, as an argument of a later stty.
static void show_saved(void)
{
	printf("%x:%x:%x:%x", mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag);
	for (int i = 0; i < NCCS; i++)
		printf(":%x", mode.c_cc[i]);
	putchar('\n');
}

// ---- setting

static int restore(const char *text)
{
	unsigned values[4 + NCCS];

	for (int n = 0; n < 4 + NCCS; n++, text++) {
		char *end;

		values[n] = (unsigned)strtoul(text, &end, 16);
		if (end == text || *end != (n == 3 + NCCS ? 0 : ':'))
			return -1;
		text = end;
	}
	mode.c_iflag = (tcflag_t)values[0];
	mode.c_oflag = (tcflag_t)values[1];
	mode.c_cflag = (tcflag_t)values[2];
	mode.c_lflag = (tcflag_t)values[3];
	for (int i = 0; i < NCCS; i++)
		mode.c_cc[i] = (cc_t)values[4 + i];
	return 0;
}

static void sane(void)
{
	for (const struct flag *f = flags; f < flags + FLAGS; f++)
		set_flag(f, f->sane);
	for (const struct character *c = characters; c < characters + CHARACTERS; c++)
		mode.c_cc[c->place] = c->sane;
}

static int set_by_name(const char *name)
{
	int on = *name != '-';
	const char *plain = on ? name : name + 1;

	for (const struct flag *f = flags; f < flags + FLAGS; f++)
		if (strcmp(plain, f->name) == 0) {
			set_flag(f, on);
			return 0;
		}
	if (strcmp(name, "sane") == 0 || strcmp(plain, "raw") == 0 || strcmp(plain, "cooked") == 0) {
		if (strcmp(name, "raw") == 0 || strcmp(name, "-cooked") == 0)
			cfmakeraw(&mode);
		else
			sane();
		return 0;
	}
	return restore(name);
}

// `c`, `^C`, `^?`, `^-` and `undef`: none.
static int character_of(const char *text)
{
	if (strcmp(text, "undef") == 0 || strcmp(text, "^-") == 0)
		return _POSIX_VDISABLE;
	if (text[0] == '^' && text[1] && !text[2])
		return text[1] == '?' ? 127 : text[1] & 31;
	return text[0] && !text[1] ? (unsigned char)text[0] : -1;
}

static void set_character(const struct character *c, const char *text)
{
	unsigned long value;
	int wanted = -1;

	if (is_number(c))
		wanted = number(text, &value) == 0 && value < 256 ? (int)value : -1;
	else
		wanted = character_of(text);
	if (wanted < 0)
		misused();
	mode.c_cc[c->place] = (cc_t)wanted;
}

static void set_size(int rows, const char *text)
{
	unsigned long value;

	if (number(text, &value) < 0 || value > 9999)
		misused();
	if (rows)
		size.ws_row = (unsigned short)value;
	else
		size.ws_col = (unsigned short)value;
}

// A word that takes the one after it. 0: it is none.
static int set_with_value(const char *name, const char *value)
{
	for (const struct character *c = characters; c < characters + CHARACTERS; c++)
		if (strcmp(name, c->name) == 0) {
			if (!value)
				misused();
			set_character(c, value);
			return 1;
		}
	if (strcmp(name, "rows") && strcmp(name, "cols") && strcmp(name, "columns"))
		return 0;
	if (!value)
		misused();
	set_size(*name == 'r', value);
	return 1;
}

COMMAND(stty, "[-a | -g | SETTING...]", "show or set the terminal: raw, sane, [-]echo, erase ^H, rows N, cols N, ...")
{
	const char *first = argv[1] ? argv[1] : "";
	struct winsize before;

	if (tcgetattr(0, &mode) < 0 || ioctl(0, TIOCGWINSZ, &size) < 0)
		return complain("standard input");
	before = size;
	if (!*first || strcmp(first, "-a") == 0) {
		show(*first);
		return OK;
	}
	if (strcmp(first, "-g") == 0) {
		show_saved();
		return OK;
	}
	for (argv++; *argv; argv++)
		if (set_with_value(argv[0], argv[1]))
			argv++;
		else if (set_by_name(*argv) < 0)
			return complain_because(*argv, "no such setting");
	if (tcsetattr(0, TCSADRAIN, &mode) < 0)
		return complain("standard input");
	if (memcmp(&before, &size, sizeof size) && ioctl(0, TIOCSWINSZ, &size) < 0)
		return complain("standard input");
	return OK;
}
