// SPDX-License-Identifier: ISC
//
// getline and getdelim of POSIX: a line of any length in a buffer that grows.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_SIZE = 64 };

static int grow(char **line, size_t *size, size_t needed)
{
	size_t wanted = *line && *size ? *size : FIRST_SIZE;
	char *bigger;

	if (*line && needed <= *size)
		return 0;
	while (wanted < needed)
		wanted *= 2;
	bigger = realloc(*line, wanted);
	if (!bigger) {
		errno = ENOMEM;
		return -1;
	}
	*line = bigger;
	*size = wanted;
	return 0;
}

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
	size_t n = 0;
	int c;

	do {
		c = fgetc(stream);
		if (c == EOF)
			break;
		if (grow(line, size, n + 2) < 0)
			return -1;
		(*line)[n++] = (char)c;
	} while (c != delimiter);
	if (n == 0)
		return -1;
	(*line)[n] = 0;
	return (ssize_t)n;
}

ssize_t getline(char **line, size_t *size, FILE *stream)
{
	return getdelim(line, size, '\n', stream);
}
