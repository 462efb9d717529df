// SPDX-License-Identifier: ISC
//
// Calls on files that the kernel does in several steps.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int creat(const char *path, mode_t mode)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int truncate(const char *path, off_t length)
{
	int fd = open(path, O_WRONLY), result, error;

	if (fd < 0)
		return -1;
	result = ftruncate(fd, length);
	error = errno;
	if (close(fd) < 0)
		return -1;
	errno = error;
	return result;
}

// Goes to `offset`; returns where the file was, or -1.
static off_t move(int fd, off_t offset)
{
	off_t before = lseek(fd, 0, SEEK_CUR);

	return before < 0 || lseek(fd, offset, SEEK_SET) < 0 ? -1 : before;
}

// The result of a transfer, with the file where it was.
static ssize_t back(int fd, off_t before, ssize_t result)
{
	int error = errno;

	lseek(fd, before, SEEK_SET);
	errno = error;
	return result;
}

// Not in one step: another process that shares the descriptor can come between.
ssize_t pread(int fd, void *data, size_t n, off_t offset)
{
	off_t before = move(fd, offset);

	return before < 0 ? -1 : back(fd, before, read(fd, data, n));
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
	off_t before = move(fd, offset);

	return before < 0 ? -1 : back(fd, before, write(fd, data, n));
}
