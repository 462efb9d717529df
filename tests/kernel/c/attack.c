// SPDX-License-Identifier: ISC
//
// Starts `innocent` in the background and then ./hostile.oxe again and again, until it ends with status 77. Tells how often it was killed.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DONE = 77 };

static pid_t start(const char *path, void (*disposition)(int))
{
	char *const argv[] = { (char *)path, NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		signal(SIGINT, disposition);
		execve(path, argv, argv + 1);
		_exit(DONE);
	}
	return pid;
}

int main(void)
{
	unsigned killed[16] = { 0 };
	int status = 0;
	pid_t innocent;

	signal(SIGINT, SIG_IGN);
	innocent = start("./innocent", SIG_IGN);
	for (;;) {
		pid_t pid = start("./hostile.oxe", SIG_DFL);

		if (pid < 0 || waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == DONE))
			break;
		killed[WIFSIGNALED(status) ? WTERMSIG(status) & 15 : 0]++;
	}
	kill(innocent, SIGKILL);
	for (int i = 1; i < 16; i++)
		if (killed[i])
			printf("killed by signal %d: %u\n", i, killed[i]);
	return WIFEXITED(status) && waitpid(innocent, &status, 0) == innocent && WTERMSIG(status) == SIGKILL ? 0 : 1;
}
