// SPDX-License-Identifier: ISC
//
// Tokenizer and recursive descent over arithmetic expressions, with 32-bit division.
#include "bench.h"

static const char *at;

static int32_t sum(void);

static int32_t number(void)
{
	int32_t n = 0;

	while (*at >= '0' && *at <= '9')
		n = n * 10 + (*at++ - '0');
	return n;
}

static void blanks(void)
{
	while (*at == ' ')
		at++;
}

static int32_t factor(void)
{
	int32_t n;

	blanks();
	if (*at == '-') {
		at++;
		return -factor();
	}
	if (*at != '(')
		return number();
	at++;
	n = sum();
	blanks();
	if (*at == ')')
		at++;
	return n;
}

static int32_t product(void)
{
	int32_t n = factor();

	for (;;) {
		int32_t right;
		char op;

		blanks();
		op = *at;
		if (op != '*' && op != '/' && op != '%')
			return n;
		at++;
		right = factor();
		if (op == '*')
			n *= right;
		else if (right)
			n = op == '/' ? n / right : n % right;
	}
}

static int32_t sum(void)
{
	int32_t n = product();

	for (;;) {
		blanks();
		if (*at == '+') {
			at++;
			n += product();
		} else if (*at == '-') {
			at++;
			n -= product();
		} else {
			return n;
		}
	}
}

uint32_t bench(void)
{
	static const char *const lines[] = {
		"1 + 2 * 3 - 4 / 2", "(17 + 4) * (33 - 11) / 7", "1000000 / 7 % 1000 + 12345 * 67",
		"((((1 + 2) * 3 + 4) * 5 + 6) * 7 + 8) / 9", "-5 * (-6 + 7) - -8", "123456789 / 12345 - 99 % 10",
	};
	uint32_t total = 0;

	for (unsigned round = 0; round < 12; round++)
		for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
			at = lines[i];
			total = total * 5 + (uint32_t)sum() + round;
		}
	return total;
}
