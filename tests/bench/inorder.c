// SPDX-License-Identifier: ISC
//
// A file is read in order: the first process of a card runs `COMMAND /bin/file`, with its output thrown away, where COMMAND is the
// word in /bin/mode: cat, wc, or cp, which gets a second name. Twice; marks 1 to 2 are the second time.
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int mark(int n);

// Its exit status; not 0 either when it cannot be started.
static int run(const char *command)
{
	char path[32] = "/bin/";
	char *const argv[] = { (char *)command, (char *)"/bin/file", (char *)(command[1] == 'p' ? "/copy" : 0), 0 };
	int status = 1;

	strcat(path, command);
	if (vfork() == 0) {
		execve(path, argv, argv + 3);
		_exit(127);
	}
	wait(&status);
	return status;
}

int main(void)
{
	char command[16] = "";
	int fd = open("/bin/mode", O_RDONLY), failed;

	read(fd, command, sizeof command - 1);
	close(fd);
	command[strcspn(command, "\n")] = 0;
	fd = dup(1);
	close(1);
	open("/dev/null", O_WRONLY);
	failed = run(command);
	mark(1);
	failed |= run(command);
	mark(2);
	write(fd, failed ? "failed\n" : "done\n", failed ? 7 : 5);
	for (;;)
		mark(failed ? 4 : 3);
}
