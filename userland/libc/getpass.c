// SPDX-License-Identifier: ISC
//
// getpass: asks for a password, without an echo where terminals can do that.
#include <string.h>
#include <unistd.h>

#if __has_include(<sys/termios.h>)
#include <termios.h>

static void echo(int on)
{
	struct termios t;

	if (tcgetattr(0, &t) < 0)
		return;
	t.c_lflag = on ? t.c_lflag | ECHO : t.c_lflag & ~(tcflag_t)ECHO;
	tcsetattr(0, TCSAFLUSH, &t);
}
#else
static void echo(int on)
{
	(void)on;
}
#endif

char *getpass(const char *prompt)
{
	static char line[65];
	unsigned n = 0;
	char c;
	int got;

	write(2, prompt, strlen(prompt));
	echo(0);
	while ((got = read(0, &c, 1)) == 1 && c != '\n')
		if (n < sizeof line - 1)
			line[n++] = c;
	echo(1);
	write(2, "\n", 1);
	line[n] = 0;
	return got < 0 || (!got && !n) ? NULL : line;
}
