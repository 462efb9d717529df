// SPDX-License-Identifier: ISC
//
// system, popen and pclose: a command line given to /bin/sh.
#include "stream.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_shell(const char *command)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };

	execve("/bin/sh", argv, environ);
	_exit(127);
}

int system(const char *command)
{
	int status = 0;
	_sig_func_ptr interrupt;
	pid_t pid;

	if (!command)
		return access("/bin/sh", X_OK) == 0;
	interrupt = signal(SIGINT, SIG_IGN);
	pid = vfork();
	if (pid == 0) {
		signal(SIGINT, interrupt);
		run_shell(command);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		status = -1;
	signal(SIGINT, interrupt);
	return status;
}

static pid_t start(const char *command, int mine, int theirs, int standard)
{
	pid_t pid = vfork();

	if (pid == 0) {
		close(mine);
		if (theirs != standard) {
			dup2(theirs, standard);
			close(theirs);
		}
		run_shell(command);
	}
	return pid;
}

FILE *popen(const char *command, const char *mode)
{
	int reading = mode[0] == 'r', fd[2];
	struct stream *s;
	pid_t pid;

	if (pipe(fd) < 0)
		return NULL;
	s = (struct stream *)fdopen(fd[!reading], mode);
	pid = s ? start(command, fd[!reading], fd[reading], reading) : -1;
	close(fd[reading]);
	if (pid < 0) {
		if (s)
			fclose(&s->head.cfile.file);
		else
			close(fd[!reading]);
		return NULL;
	}
	s->pid = pid;
	return &s->head.cfile.file;
}

int pclose(FILE *file)
{
	pid_t pid = ((struct stream *)file)->pid;
	int status;

	fclose(file);
	return waitpid(pid, &status, 0) < 0 ? -1 : status;
}
