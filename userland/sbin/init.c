// SPDX-License-Identifier: ISC
//
// init: the first process. The kernel starts it with the console as descriptors 0, 1 and 2. It greets, runs /etc/rc,
// keeps a shell on the console, starts one on a terminal that /etc/ttys names when a key is pressed there, and buries every process whose parent is gone.
#include <errno.h>
#include <fcntl.h>
#include <program.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

PROGRAM(init, "", "the first process: keeps a shell on the console");

static char *const environment[] = { (char *)"PATH=/bin:/sbin", (char *)"HOME=/root", (char *)"TERM=vt100", NULL };

static void say(const char *text)
{
	write(2, text, strlen(text));
}

static void show_file(const char *path)
{
	char chunk[128];
	int fd = open(path, O_RDONLY), n;

	if (fd < 0)
		return;
	while ((n = read(fd, chunk, sizeof chunk)) > 0)
		write(1, chunk, (unsigned)n);
	close(fd);
}

static char *const shell_arguments[] = { (char *)"sh", NULL };

// Once a password has been set, login knows whether it asks for one.
static const char *shell_program(void)
{
	return access("/etc/shadow", F_OK) == 0 ? "/bin/login" : "/bin/sh";
}

// The terminal as it was at first, whatever the last program made of it.
static void reset_terminal(void)
{
	static struct termios sane;

	if (!sane.c_cflag) {
		tcgetattr(0, &sane);
		return;
	}
	tcsetattr(0, TCSANOW, &sane);
	tcflow(0, TCOON);
	tcflow(0, TCION);
}

// Starts the shell as leader of a session, whose foreground it is; the child of vfork shares our memory until the exec.
static pid_t start_shell(const char *program, char *const argv[])
{
	pid_t pid;

	reset_terminal();
	pid = vfork();
	if (pid == 0) {
		setsid();
		ioctl(0, TIOCSCTTY, 0);
		execve(program, argv, environment);
		say("init: ");
		say(program);
		say(": ");
		say(strerror(errno));
		say("\n");
		_exit(127);
	}
	return pid;
}

// ---- the other terminals

enum { TERMINALS = 3, LINE = 20 };

static struct terminal {
	char device[LINE];
	pid_t shell; // 0: nobody is there
} terminals[TERMINALS];

static volatile sig_atomic_t called;

static void call(int sig)
{
	(void)sig;
	called = 1;
}

// Names of devices, a line each.
static void read_names(void)
{
	char text[TERMINALS * LINE + 1], *line = text, *end;
	int fd = open("/etc/ttys", O_RDONLY), n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	struct terminal *t = terminals;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	for (; t < terminals + TERMINALS && (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		if (*line == '/' && end - line < LINE)
			strcpy(t++->device, line);
	}
}

static void start_on(struct terminal *t)
{
	int fd = open(t->device, O_RDWR);
	pid_t pid;

	if (fd < 0)
		return;
	pid = vfork();
	if (pid == 0) {
		setsid();
		for (int i = 0; i < 3; i++)
			dup2(fd, i);
		close(fd);
		ioctl(0, TIOCSCTTY, 0);
		execve(shell_program(), shell_arguments, environment);
		_exit(127);
	}
	t->shell = pid > 0 ? pid : 0;
	close(fd);
}

// A byte has come on a terminal that nobody has open: shells for those where there is none. (One that comes between the look at `called` and
// waitpid is answered with the next one.)
static void answer_call(void)
{
	called = 0;
	if (!*terminals[0].device)
		read_names();
	for (struct terminal *t = terminals; t < terminals + TERMINALS; t++)
		if (*t->device && !t->shell)
			start_on(t);
}

static void bury(pid_t pid)
{
	for (struct terminal *t = terminals; t < terminals + TERMINALS; t++)
		if (t->shell == pid)
			t->shell = 0;
}

// Waits for one process, burying others on the way.
static int wait_for(pid_t pid)
{
	int status;
	pid_t dead;

	do {
		if (called)
			answer_call();
		dead = waitpid(-1, &status, 0);
		if (dead > 0)
			bury(dead);
	} while (dead != pid && (dead > 0 || errno == EINTR));
	return dead == pid ? status : -1;
}

static void run_startup(void)
{
	char *const argv[] = { (char *)"sh", (char *)"/etc/rc", NULL };

	if (access("/etc/rc", R_OK) == 0)
		wait_for(start_shell("/bin/sh", argv));
}

int main(void)
{
	struct sigaction on_call = { .sa_handler = call }; // ends waitpid

	if (getpid() != 1) {
		say("init: only the kernel starts this\n");
		return 1;
	}
	if (chdir("/root") < 0)
		chdir("/");
	show_file("/etc/motd");
	sigaction(SIGUSR1, &on_call, NULL);
	run_startup();
	for (;;) {
		int status = wait_for(start_shell(shell_program(), shell_arguments));

		if (status < 0 || WEXITSTATUS(status) == 127 || WIFSIGNALED(status))
			sleep(1); // a shell that cannot run must not keep the machine busy
	}
}
