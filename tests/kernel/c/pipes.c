// SPDX-License-Identifier: ISC
//
// pipes: who waits on a pipe is woken when it can go on, also by a transfer that ends at a bad address, and not otherwise. Status 0:
// so it was. `pipes wN` and `pipes rN` are its children: they write or read N bytes by descriptor 3 and end.
#include <octix/octix.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { END = 3, TOP = 0x10000, RING = 512, LITTLE_MS = 300, FEW_SWITCHES = 200 };

static char bytes[2000];
static int fd[2];

static pid_t start(const char *self, const char *what)
{
	char *const argv[] = { (char *)self, (char *)what, NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		int mine = fd[*what == 'w'];

		close(fd[*what != 'w']);
		if (mine != END) {
			dup2(mine, END);
			close(mine);
		}
		execve(self, argv, argv + 2);
		_exit(127);
	}
	return pid;
}

static int child(const char *what)
{
	int n = atoi(what + 1);

	return (*what == 'w' ? write(END, bytes, (unsigned)n) : read(END, bytes, (unsigned)n)) != n;
}

static int has_ended(pid_t pid)
{
	int status;

	usleep(LITTLE_MS * 1000);
	return waitpid(pid, &status, WNOHANG) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static uint32_t switches(void)
{
	char text[OCT_PROC_TEXT];

	return oct_proc_text("/proc/stat", text, sizeof text) ? (uint32_t)oct_proc_number(text, "switches") : 0;
}

static int wrong(const char *what)
{
	printf("wrong: %s\n", what);
	return 1;
}

static int writers(const char *self)
{
	pid_t a = start(self, "w2000"), b = start(self, "w2000");
	uint32_t before;
	int n, all = 0;

	usleep(LITTLE_MS * 1000);
	before = switches();
	usleep(LITTLE_MS * 1000);
	if (switches() - before > FEW_SWITCHES)
		return wrong("two writers on a full pipe do not sleep");
	while (all < 4000 && (n = read(fd[0], bytes, sizeof bytes)) > 0)
		all += n;
	return has_ended(a) && has_ended(b) ? 0 : wrong("writers do not end");
}

// A transfer goes in two pieces where the ring ends, the second one to where no memory is: behind the last page. 4000 bytes have
// passed by now, so the first one has 96. (What lies in that page, the arguments, may be overwritten at the end.)
enum { FIRST = RING - 4000 % RING };

static int bad_write(const char *self)
{
	pid_t pid = start(self, "r96");

	usleep(LITTLE_MS * 1000);
	if (write(fd[1], (char *)TOP - FIRST, 2 * FIRST) != FIRST)
		return wrong("a write up to a bad address is not cut short there");
	return has_ended(pid) ? 0 : wrong("the reader was not woken by a write that was cut short");
}

static int bad_read(const char *self)
{
	pid_t pid = start(self, "w1024"); // all that it holds and again as much

	usleep(LITTLE_MS * 1000);
	if (read(fd[0], bytes, RING - FIRST) != RING - FIRST)
		return wrong("a read is cut short");
	usleep(LITTLE_MS * 1000);
	if (read(fd[0], (char *)TOP - FIRST, 2 * FIRST) != FIRST)
		return wrong("a read up to a bad address is not cut short there");
	return has_ended(pid) ? 0 : wrong("the writer was not woken by a read that was cut short");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return child(argv[1]);
	if (pipe(fd))
		return wrong("no pipe");
	return writers(argv[0]) || bad_write(argv[0]) || bad_read(argv[0]);
}
