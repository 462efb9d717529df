// SPDX-License-Identifier: ISC
//
// wc: counts lines, words and bytes.
#include "command.h"

#include <stdio.h>
#include <unistd.h>

enum { LINES = 1, WORDS = 2, BYTES = 4 };

static unsigned columns;
static unsigned long total[3];
static int files;

// A single number of a single input stands without blanks, for use in scripts.
static void print(const unsigned long count[3], const char *name)
{
	const char *format = (columns & (columns - 1)) || *name ? "%7lu" : "%lu";

	for (int i = 0; i < 3; i++)
		if (columns & 1u << i)
			printf(format, count[i]);
	printf(*name ? " %s\n" : "\n", name);
}

static int is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void count_block(unsigned long count[3], ssize_t n, int *in_word)
{
	int word = *in_word;

	count[2] += (unsigned long)n;
	for (const char *p = block, *end = block + n; p < end; p++) {
		int blank = is_blank((unsigned char)*p);

		count[0] += *p == '\n';
		count[1] += !blank && !word;
		word = !blank;
	}
	*in_word = word;
}

static int work(int fd, const char *name)
{
	unsigned long count[3] = { 0 };
	int in_word = 0;
	ssize_t n;

	while ((n = read(fd, block, BLOCK)) > 0)
		count_block(count, n, &in_word);
	if (n < 0)
		return complain(name);
	for (int i = 0; i < 3; i++)
		total[i] += count[i];
	files++;
	print(count, fd == 0 ? "" : name);
	return OK;
}

COMMAND(wc, "[-lwc] [FILE...]", "count lines, words and bytes")
{
	int status;

	columns = parse(&argc, &argv, "lwc");
	if (!columns)
		columns = LINES | WORDS | BYTES;
	status = each_file(argc, argv, work);
	if (files > 1)
		print(total, "total");
	return status;
}
