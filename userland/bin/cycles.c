// SPDX-License-Identifier: ISC
//
// cycles: how many CPU cycles a command took, from before its start to after its end.
#include "command.h"

#include <errno.h>
#include <octix/octix.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

COMMAND(cycles, "COMMAND [ARGUMENT...]", "count the CPU cycles a command takes")
{
	unsigned long start;
	int status = 0;
	pid_t pid;

	if (argc < 2)
		misused();
	start = cycles();
	pid = vfork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		complain(argv[1]);
		_exit(errno == ENOENT ? 127 : 126);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return complain("vfork");
	fprintf(stderr, "%lu cycles\n", cycles() - start);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
