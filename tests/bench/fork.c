// SPDX-License-Identifier: ISC
//
// Marks 1 to 2: fork, the child's end and wait, with 8 KB of data that have just been changed.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int mark(int n);

static unsigned char data[8192];

int main(void)
{
	pid_t pid;
	int status;

	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < sizeof data; i += 64)
			data[i] = (unsigned char)(i / 64 + round);
	mark(1);
	pid = fork();
	if (pid == 0)
		_exit(data[4096]);
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	mark(2);
	for (unsigned i = 0; i < sizeof data; i += 64)
		if (data[i] != (unsigned char)(i / 64 + 1))
			status = 0;
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
