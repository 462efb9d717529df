// SPDX-License-Identifier: ISC
//
// What the commands share: options, messages, copying, paths.
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct command *find_command(const char *name)
{
	for (unsigned i = 0; i < command_count; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

const char *summary_of(const struct command *c)
{
	return c->text + strlen(c->text) + 1;
}

static void usage_to(FILE *out, const struct command *c)
{
	fputs("usage: ", out);
	fputs(c->name, out);
	fputc(' ', out);
	fputs(c->text, out);
	fputc('\n', out);
}

void print_usage(const struct command *c)
{
	usage_to(stdout, c);
	puts(summary_of(c));
}

_Noreturn void misused(void)
{
	usage_to(stderr, self);
	exit(MISUSED);
}

unsigned parse(int *argc, char ***argv, const char *letters)
{
	unsigned found = 0;
	char **a = *argv + 1;

	for (; *a && a[0][0] == '-' && a[0][1]; a++) {
		if (strcmp(*a, "--") == 0) {
			a++;
			break;
		}
		for (const char *c = *a + 1; *c; c++) {
			const char *at = strchr(letters, *c);

			if (!at)
				misused();
			found |= 1u << (at - letters);
		}
	}
	*argc -= (int)(a - *argv);
	*argv = a;
	return found;
}

int complain_because(const char *what, const char *reason)
{
	fflush(stdout);
	fputs(self->name, stderr);
	fputs(": ", stderr);
	fputs(what, stderr);
	fputs(": ", stderr);
	fputs(reason, stderr);
	fputc('\n', stderr);
	return FAILED;
}

int complain(const char *what)
{
	return complain_because(what, strerror(errno));
}

int number(const char *text, unsigned long *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -1;
	*value = strtoul(text, &end, 10);
	return *end ? -1 : 0;
}

int whole_number(const char *text, int *value)
{
	char *end;
	long n = strtol(text, &end, 10);

	*value = (int)n;
	return end > text && !*end && n >= -10000 && n <= 65535;
}

int write_all(int fd, const char *data, size_t n)
{
	while (n) {
		ssize_t done = write(fd, data, n);

		if (done < 0)
			return -1;
		data += done;
		n -= (size_t)done;
	}
	return 0;
}

int copy_data(int from, int to)
{
	ssize_t n;

	while ((n = read(from, block, BLOCK)) > 0)
		if (write_all(to, block, (size_t)n) < 0)
			return -2;
	return n < 0 ? -1 : 0;
}

static int one_file(const char *name, int (*work)(int fd, const char *name))
{
	int status, fd;

	if (strcmp(name, "-") == 0)
		return work(0, name);
	fd = open(name, O_RDONLY);
	if (fd < 0)
		return complain(name);
	status = work(fd, name);
	close(fd);
	return status;
}

int each_file(int argc, char **argv, int (*work)(int fd, const char *name))
{
	int status = OK;

	if (argc == 0)
		return work(0, "-");
	for (; *argv; argv++)
		status |= one_file(*argv, work);
	return status;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

int path_append(char path[PATH_BYTES], const char *name)
{
	size_t old = strlen(path), n = strlen(name), at = old;

	if (old + n + 2 > PATH_BYTES) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (at && path[at - 1] != '/')
		path[at++] = '/';
	strcpy(path + at, name);
	return (int)old;
}

int is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int target_of(char out[PATH_BYTES], const char *from, const char *to)
{
	out[0] = 0;
	if (path_append(out, to) < 0)
		return -1;
	return is_dir(to) ? path_append(out, base_name(from)) : 0;
}
