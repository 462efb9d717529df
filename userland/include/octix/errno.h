// SPDX-License-Identifier: ISC
//
// Error numbers of the system calls: the values of picolibc's <errno.h>, which programs see (a test compares them).
#ifndef OCTIX_ERRNO_H
#define OCTIX_ERRNO_H

enum {
	OX_EPERM = 1, OX_ENOENT = 2, OX_ESRCH = 3, OX_EINTR = 4, OX_EIO = 5, OX_ENXIO = 6, OX_E2BIG = 7, OX_ENOEXEC = 8,
	OX_EBADF = 9, OX_ECHILD = 10, OX_EAGAIN = 11, OX_ENOMEM = 12, OX_EACCES = 13, OX_EFAULT = 14, OX_EBUSY = 16,
	OX_EEXIST = 17, OX_EXDEV = 18, OX_ENODEV = 19, OX_ENOTDIR = 20, OX_EISDIR = 21, OX_EINVAL = 22, OX_ENFILE = 23,
	OX_EMFILE = 24, OX_ENOTTY = 25, OX_ETXTBSY = 26, OX_EFBIG = 27, OX_ENOSPC = 28, OX_ESPIPE = 29, OX_EROFS = 30,
	OX_EPIPE = 32, OX_ERANGE = 34, OX_ENOSYS = 88, OX_ENOTEMPTY = 90, OX_ENAMETOOLONG = 91,
	OX_ETIMEDOUT = 116, OX_EOVERFLOW = 139,
};

#endif
