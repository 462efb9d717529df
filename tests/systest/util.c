// SPDX-License-Identifier: ISC
//
// What tests share: files, patterns, helpers.
#include "systest.h"

unsigned char scratch[16000];

int file_with(const char *path, const void *data, size_t n)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);

	CHECK(fd >= 0 && write(fd, data, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

void make_file(const char *path, const char *text)
{
	CHECK(close(file_with(path, text, strlen(text))) == 0);
}

int file_is(const char *path, const char *text)
{
	char buffer[100];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, buffer, sizeof buffer);

	return close(fd) == 0 && n == (ssize_t)strlen(text) && memcmp(buffer, text, (size_t)n) == 0;
}

long file_size(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (long)st.st_size : -1;
}

unsigned char pattern(unsigned seed, unsigned i)
{
	return (unsigned char)(i * 7 + (i >> 8) * 13 + seed);
}

void pattern_fill(unsigned char *to, unsigned n, unsigned seed, unsigned from)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = pattern(seed, from + i);
}

int pattern_is(const unsigned char *data, unsigned n, unsigned seed, unsigned from)
{
	for (unsigned i = 0; i < n; i++)
		if (data[i] != pattern(seed, from + i))
			return 0;
	return 1;
}

char *long_name(unsigned n)
{
	char *name = malloc(n + 1);

	CHECK(name);
	memset(name, 'n', n);
	name[n] = 0;
	return name;
}

const char *text_of(long number)
{
	static char text[4][24];
	static unsigned turn;
	char *to = text[turn++ & 3];

	snprintf(to, sizeof text[0], "%ld", number);
	return to;
}

pid_t ended_child(int status)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(status);
	CHECK(pid > 0);
	return pid;
}

pid_t start(const char *helper, const char *a, const char *b, const char *c)
{
	char *argv[] = { (char *)self, (char *)"-x", (char *)helper, (char *)a, (char *)b, (char *)c, NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		execv(self, argv);
		_exit(127);
	}
	CHECK(pid > 0);
	return pid;
}

int exit_status(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

int run_helper(const char *helper, const char *a, const char *b, const char *c)
{
	return exit_status(start(helper, a, b, c));
}
