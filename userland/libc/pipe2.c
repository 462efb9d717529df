// SPDX-License-Identifier: ISC
//
// Descriptors with flags from the start: copies and pipes.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int dup3(int from, int to, int flags)
{
	if (from == to || flags & ~O_CLOEXEC) {
		errno = EINVAL;
		return -1;
	}
	if (dup2(from, to) < 0)
		return -1;
	if (flags)
		fcntl(to, F_SETFD, FD_CLOEXEC);
	return to;
}

int pipe2(int fd[2], int flags)
{
	if (flags & ~(O_CLOEXEC | O_NONBLOCK)) {
		errno = EINVAL;
		return -1;
	}
	if (pipe(fd) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		if (flags & O_CLOEXEC)
			fcntl(fd[i], F_SETFD, FD_CLOEXEC);
		if (flags & O_NONBLOCK)
			fcntl(fd[i], F_SETFL, O_NONBLOCK);
	}
	return 0;
}
