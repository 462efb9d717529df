// SPDX-License-Identifier: ISC
//
// dprintf: formatted output straight to a file descriptor, through a buffer on the stack.
#include "stream.h"

#include <stdarg.h>

int dprintf(int fd, const char *format, ...)
{
	char buffer[80];
	struct stream s = { .head = STREAM_OPS(__SWR), .fd = fd, .buffering = STREAM_FULL, .listed = 1,
		            .size = sizeof buffer, .buffer = buffer, .at = buffer };
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vfprintf(&s.head.cfile.file, format, arguments);
	va_end(arguments);
	return __oct_flush(&s.head.cfile.file) < 0 ? -1 : n;
}
