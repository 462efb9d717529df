// SPDX-License-Identifier: ISC
//
// Output and memory for the shell, without stdio.
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A command before us may have set O_NONBLOCK on what we share: POSIX wants the shell to clear it. Is a call that failed to be made again?
int made_blocking(int fd)
{
	return errno == EAGAIN && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) == 0;
}

void print(int fd, const char *text)
{
	size_t n = strlen(text);

	while (n) {
		ssize_t done = write(fd, text, n);

		if (done < 0 && made_blocking(fd))
			continue;
		if (done <= 0)
			return;
		text += done;
		n -= (size_t)done;
	}
}

// One write, so that messages of several processes do not mix.
void complain(const char *what, const char *why, const char *more)
{
	char line[160];

	strcpy(line, "sh: ");
	strlcat(line, what, sizeof line - 2);
	strlcat(line, ": ", sizeof line - 2);
	strlcat(line, why, sizeof line - 2);
	strlcat(line, more, sizeof line - 2);
	strcat(line, "\n");
	print(2, line);
}

void *allocate(size_t n)
{
	void *p = malloc(n);

	if (!p) {
		complain("malloc", "out of memory", "");
		_exit(STATUS_SYNTAX);
	}
	return p;
}

char *decimal(long value, char out[12])
{
	unsigned long v = value < 0 ? -(unsigned long)value : (unsigned long)value;
	char *p = out + 11;

	*p = 0;
	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	if (value < 0)
		*--p = '-';
	return p;
}
