// SPDX-License-Identifier: ISC
//
// Where system call stubs end when the kernel answers -errno.
#include <errno.h>

int __oct_error(int result);

int __oct_error(int result)
{
	errno = -result;
	return -1;
}
