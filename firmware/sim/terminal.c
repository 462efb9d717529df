// SPDX-License-Identifier: ISC
// Raw terminal: see terminal.h.
#include "terminal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

static struct termios saved;
static int raw_fd = -1;
static volatile sig_atomic_t caught;

void terminal_restore(void)
{
	int fd = raw_fd;
	raw_fd = -1;
	if (fd >= 0)
		tcsetattr(fd, TCSADRAIN, &saved);
}

static void on_deadly(int sig)
{
	terminal_restore();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void on_signal(int sig)
{
	caught = sig;
}

static void handle(int sig, void (*fn)(int))
{
	struct sigaction sa;
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = fn;
	sigaction(sig, &sa, NULL);
}

void terminal_catch_signals(void)
{
	static const int soft[] = { SIGINT, SIGTERM, SIGHUP };
	for (size_t i = 0; i < sizeof soft / sizeof soft[0]; i++)
		handle(soft[i], on_signal);
}

int terminal_signal(void)
{
	return caught;
}

void terminal_make_raw(int fd)
{
	struct termios t;
	if (tcgetattr(fd, &t))
		return;
	cfmakeraw(&t);
	tcsetattr(fd, TCSANOW, &t);
}

void terminal_raw(int fd)
{
	static const int deadly[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT };
	struct termios t;
	if (tcgetattr(fd, &saved))
		return;
	atexit(terminal_restore);
	for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
		handle(deadly[i], on_deadly);
	t = saved;
	cfmakeraw(&t);
	raw_fd = fd;
	tcsetattr(fd, TCSADRAIN, &t);
}
