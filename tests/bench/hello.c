// SPDX-License-Identifier: ISC
//
// /bin/hello from exec to exit and drained console, between marks 1 and 2, then once more between marks 3 and 4.
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

int mark(int n);

static void run(int first_mark)
{
	static char *const argv[] = { "hello", NULL };
	pid_t pid;

	tcdrain(1);
	mark(first_mark);
	pid = vfork();
	if (pid == 0) {
		execv("/bin/hello", argv);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	tcdrain(1);
	mark(first_mark + 1);
}

int main(void)
{
	run(1);
	run(3);
	return 0;
}
