// SPDX-License-Identifier: ISC
//
// head: the first lines of files.
#include "command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned long wanted = 10;
static int titles, later;

static int work(int fd, const char *name)
{
	unsigned long left = wanted;
	ssize_t n = 0;

	if (titles)
		printf("%s==> %s <==\n", later ? "\n" : "", name);
	later = 1;
	fflush(stdout);
	while (left && (n = read(fd, block, BLOCK)) > 0) {
		const char *p = block, *end = block + n;

		while (left && p < end) {
			const char *line = memchr(p, '\n', (size_t)(end - p));

			p = line ? line + 1 : end;
			left -= line != NULL;
		}
		if (write_all(1, block, (size_t)(p - block)) < 0)
			return complain("write");
	}
	return n < 0 ? complain(name) : OK;
}

COMMAND(head, "[-n LINES] [FILE...]", "print the first lines of files")
{
	if (argv[1] && strncmp(argv[1], "-n", 2) == 0) {
		const char *count = argv[1][2] ? argv[1] + 2 : argv[2];

		if (!count || number(count, &wanted) < 0)
			misused();
		argc -= count == argv[2] ? 2 : 1;
		argv += count == argv[2] ? 2 : 1;
	}
	parse(&argc, &argv, "");
	titles = argc > 1;
	return each_file(argc, argv, work);
}
