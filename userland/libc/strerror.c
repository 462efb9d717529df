// SPDX-License-Identifier: ISC
//
// Short error texts for what the kernel answers (octix/errno.h), one string for all, and perror.
// picolibc's strerror costs 2.4 KB of data space in every program that names an error.
#include <errno.h>
#include <octix/errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char numbers[] = {
	OX_EPERM, OX_ENOENT, OX_ESRCH, OX_EINTR, OX_EIO, OX_ENXIO, OX_E2BIG, OX_ENOEXEC, OX_EBADF, OX_ECHILD, OX_EAGAIN,
	OX_ENOMEM, OX_EACCES, OX_EFAULT, OX_EBUSY, OX_EEXIST, OX_EXDEV, OX_ENODEV, OX_ENOTDIR, OX_EISDIR, OX_EINVAL,
	OX_ENFILE, OX_EMFILE, OX_ENOTTY, OX_ETXTBSY, OX_EFBIG, OX_ENOSPC, OX_ESPIPE, OX_EROFS, OX_EPIPE, EDOM, OX_ERANGE,
	OX_ENOSYS, OX_ENOTEMPTY, OX_ENAMETOOLONG,
};

static const char texts[] =
	"not permitted\0" "no such file\0" "no such process\0" "interrupted\0" "I/O error\0" "no such device\0"
	"arguments too long\0" "not a program\0" "bad descriptor\0" "no child\0" "try again\0" "out of memory\0"
	"permission denied\0" "bad address\0" "busy\0" "exists\0" "other file system\0" "no such device\0"
	"not a directory\0" "is a directory\0" "invalid argument\0" "file table full\0" "too many open files\0"
	"not a terminal\0" "in use as program or swap\0" "file too big\0" "no space left\0" "not seekable\0" "read-only\0"
	"broken pipe\0" "out of domain\0" "out of range\0" "not implemented\0" "directory not empty\0" "name too long\0";

char *strerror(int number)
{
	static char unknown[] = "error -2147483648";
	const char *text = texts;

	for (unsigned i = 0; i < sizeof numbers; i++, text += strlen(text) + 1)
		if (numbers[i] == number)
			return (char *)text;
	if (number == 0)
		return (char *)"no error";
	itoa(number, unknown + 6, 10);
	return unknown;
}

void perror(const char *what)
{
	int number = errno;

	if (what && *what) {
		fputs(what, stderr);
		fputs(": ", stderr);
	}
	fputs(strerror(number), stderr);
	fputc('\n', stderr);
}
