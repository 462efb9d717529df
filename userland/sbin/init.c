// SPDX-License-Identifier: ISC
//
// init: the first process. The kernel starts it with the console as descriptors 0, 1 and 2. It greets, runs /etc/rc,
// keeps a shell on the console and buries every process whose parent is gone.
#include <errno.h>
#include <fcntl.h>
#include <program.h>
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

// Waits for one process, burying others on the way.
static int wait_for(pid_t pid)
{
	int status;
	pid_t dead;

	do
		dead = waitpid(-1, &status, 0);
	while (dead != pid && (dead > 0 || errno == EINTR));
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
	char *const shell[] = { (char *)"sh", NULL };

	if (getpid() != 1) {
		say("init: only the kernel starts this\n");
		return 1;
	}
	if (chdir("/root") < 0)
		chdir("/");
	show_file("/etc/motd");
	run_startup();
	for (;;) {
		// once a password has been set, login knows whether it asks for one
		int asks = access("/etc/shadow", F_OK) == 0, status = wait_for(start_shell(asks ? "/bin/login" : "/bin/sh", shell));

		if (status < 0 || WEXITSTATUS(status) == 127 || WIFSIGNALED(status))
			sleep(1); // a shell that cannot run must not keep the machine busy
	}
}
