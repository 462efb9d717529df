// SPDX-License-Identifier: ISC
//
// Reading /proc: lines of a name and a value.
#include "private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *oct_proc_text(const char *path, char *text, unsigned size)
{
	int fd = open(path, O_RDONLY), n = 0;
	unsigned done = 0;

	if (fd < 0)
		return NULL;
	while (done < size - 1 && (n = read(fd, text + done, size - 1 - done)) > 0)
		done += (unsigned)n;
	close(fd);
	text[done] = 0;
	return n < 0 ? NULL : text;
}

const char *oct_proc_word(const char *text, const char *name)
{
	size_t n = strlen(name);

	while (strncmp(text, name, n) || text[n] != ' ') {
		text = strchr(text, '\n');
		if (!text)
			return "";
		text++;
	}
	return text + n + strspn(text + n, " ");
}

unsigned long oct_proc_number(const char *text, const char *name)
{
	return strtoul(oct_proc_word(text, name), NULL, 10);
}

long __oct_field(const char *path, const char *name)
{
	char text[OCT_PROC_TEXT];

	return oct_proc_text(path, text, sizeof text) ? (long)oct_proc_number(text, name) : -1;
}

long __oct_process(pid_t pid, const char *name)
{
	char path[] = "/proc/1234567890/stat", *end = path + sizeof path - 1 - 5, *p = end;
	unsigned long n = (unsigned long)pid;

	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	memmove(path + 6, p, sizeof path - (size_t)(p - path));
	return __oct_field(path, name);
}
