// SPDX-License-Identifier: ISC
//
// test and [: the conditions of POSIX with up to four arguments.
#include "sh.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { YES = 0, NO = 1, WRONG = 2 };

static int file_test(char letter, const char *path)
{
	struct stat st;

	if (letter == 't')
		return isatty(atoi(path)) ? YES : NO;
	if (stat(path, &st) < 0)
		return NO;
	switch (letter) {
	case 'd':
		return S_ISDIR(st.st_mode) ? YES : NO;
	case 'f':
		return S_ISREG(st.st_mode) ? YES : NO;
	case 's':
		return st.st_size > 0 ? YES : NO;
	case 'w':
		return st.st_mode & 0222 ? YES : NO;
	case 'x':
		return st.st_mode & 0111 ? YES : NO;
	}
	return YES; // -e, -r
}

static int unary(const char *operator, const char *operand)
{
	if (operator[0] != '-' || !operator[1] || operator[2] || !strchr("nzedfrswxt", operator[1]))
		return WRONG;
	if (operator[1] == 'n')
		return *operand ? YES : NO;
	if (operator[1] == 'z')
		return *operand ? NO : YES;
	return file_test(operator[1], operand);
}

static int compare(long a, const char *operator, long b)
{
	static const char names[] = "eqneltlegtge";
	int order = a < b ? -1 : a > b;

	for (int i = 0; i < 6; i++)
		if (strncmp(names + 2 * i, operator, 2) == 0 && !operator[2]) {
			static const unsigned char truth[] = { 2, 5, 1, 3, 4, 6 }; // bit order + 1

			return truth[i] >> (order + 1) & 1 ? YES : NO;
		}
	return WRONG;
}

static int binary(char **a)
{
	if (strcmp(a[1], "=") == 0)
		return strcmp(a[0], a[2]) == 0 ? YES : NO;
	if (strcmp(a[1], "!=") == 0)
		return strcmp(a[0], a[2]) != 0 ? YES : NO;
	return *a[1] == '-' ? compare(atol(a[0]), a[1] + 1, atol(a[2])) : WRONG;
}

static int evaluate(char **a, int n)
{
	int result;

	if (n == 0)
		return NO;
	if (n == 1)
		return *a[0] ? YES : NO;
	if (n == 3 && (result = binary(a)) != WRONG)
		return result;
	if (strcmp(a[0], "!") == 0) {
		result = evaluate(a + 1, n - 1);
		return result == WRONG ? WRONG : !result;
	}
	return n == 2 ? unary(a[0], a[1]) : WRONG;
}

int do_test(char **argv)
{
	int n = 0, result;

	while (argv[n])
		n++;
	if (strcmp(argv[0], "[") == 0 && (n == 1 || strcmp(argv[--n], "]") != 0))
		result = WRONG;
	else
		result = n > 5 ? WRONG : evaluate(argv + 1, n - 1);
	if (result == WRONG)
		complain(argv[0], "wrong condition", "");
	return result;
}
