// SPDX-License-Identifier: ISC
//
// Arithmetic (POSIX 2.6.4): the operators of C on long, but for ++ -- , and sizeof. Variables go by their names.
#include "sh.h"

#include <stdlib.h>
#include <string.h>

// Binary operators, loosest first: those of a level stand together. Text, level, what it does.
struct operator {
	char text[3];
	uint8_t level, what;
};

enum { OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUAL, DIFFERENT, LESS_EQUAL, MORE_EQUAL, LEFT, RIGHT, LESS, MORE, PLUS, MINUS, TIMES, DIVIDE, REST };
enum { TIGHTEST = 10 };

static const struct operator operators[] = {
	{ "||", 1, OR },    { "&&", 2, AND },         { "==", 6, EQUAL }, { "!=", 6, DIFFERENT }, { "<=", 7, LESS_EQUAL }, { ">=", 7, MORE_EQUAL },
	{ "<<", 8, LEFT },  { ">>", 8, RIGHT },       { "|", 3, BIT_OR }, { "^", 4, BIT_XOR },    { "&", 5, BIT_AND },     { "<", 7, LESS },
	{ ">", 7, MORE },   { "+", 9, PLUS },         { "-", 9, MINUS },  { "*", 10, TIMES },     { "/", 10, DIVIDE },     { "%", 10, REST },
};

static const char *in;       // the cursor
static uint8_t wrong, unused; // unused: what is not evaluated, as behind 0 &&

static void fail(const char *why)
{
	if (!wrong)
		fatal("arithmetic", why, in);
	wrong = 1;
}

static char next(void)
{
	in += strspn(in, " \t\n");
	return *in;
}

static const struct operator *operator_here(void)
{
	next();
	for (const struct operator *o = operators; o < operators + sizeof operators / sizeof *operators; o++)
		if (strncmp(in, o->text, strlen(o->text)) == 0)
			return o;
	return NULL;
}

static long apply(int what, long a, long b)
{
	unsigned long u = (unsigned long)a, v = (unsigned long)b; // that overflow wraps

	switch (what) {
	case OR: return a || b;
	case AND: return a && b;
	case BIT_OR: return a | b;
	case BIT_XOR: return a ^ b;
	case BIT_AND: return a & b;
	case EQUAL: return a == b;
	case DIFFERENT: return a != b;
	case LESS_EQUAL: return a <= b;
	case MORE_EQUAL: return a >= b;
	case LEFT: return (long)(u << (v & 31));
	case RIGHT: return a >> (v & 31);
	case LESS: return a < b;
	case MORE: return a > b;
	case PLUS: return (long)(u + v);
	case MINUS: return (long)(u - v);
	case TIMES: return (long)(u * v);
	}
	if (unused)
		return 0;
	if (b == 0) {
		fail("division by zero");
		return 0;
	}
	if (b == -1)
		return what == REST ? 0 : (long)-u;
	return what == REST ? a % b : a / b;
}

static long choice(void);

static long number(const char *text, const char **end)
{
	char *stop;
	long value = (long)strtoul(text, &stop, 0);

	*end = stop;
	return value;
}

static long variable_value(const char *name, size_t n)
{
	const char *text = get_variable(name, n), *end;
	long value;
	int negative;

	if (!text || !*text)
		return 0;
	negative = *text == '-';
	value = number(text + negative, &end);
	if (*end || end == text + negative) {
		in = text;
		fail("not a number: ");
	}
	return negative ? (long)-(unsigned long)value : value;
}

// NAME, or an assignment to it.
static long variable(void)
{
	const char *name = in;
	size_t n = name_length(in);
	const struct operator *o;
	char text[12];
	long value;

	in += n;
	o = operator_here();
	if (o && o->level > 2 && o->level != 6 && o->level != 7 && in[strlen(o->text)] == '=') {
		in += strlen(o->text) + 1;
		value = variable_value(name, n);
		value = apply(o->what, value, choice());
	} else if (*in == '=' && in[1] != '=') {
		in++;
		value = choice();
	} else {
		return unused ? 0 : variable_value(name, n);
	}
	if (!unused && !wrong)
		assign(name, n, decimal(value, text));
	return value;
}

static long primary(void)
{
	char c = next();
	const char *end;
	long value;

	if (name_length(in))
		return variable();
	if (c >= '0' && c <= '9') {
		value = number(in, &end);
		in = end;
		return value;
	}
	if (!c || !strchr("(-+!~", c)) {
		fail(c ? "a number is expected, not " : "a number is expected at the end");
		return 0;
	}
	in++;
	switch (c) {
	case '-': return (long)-(unsigned long)primary();
	case '+': return primary();
	case '!': return !primary();
	case '~': return ~primary();
	}
	value = choice();
	if (next() == ')')
		in++;
	else
		fail(") is missing before ");
	return value;
}

static long binary(int level)
{
	long value = level > TIGHTEST ? primary() : binary(level + 1);
	const struct operator *o;

	while (level <= TIGHTEST && !wrong && (o = operator_here()) && o->level == level && in[strlen(o->text)] != '=') {
		int rest = (o->what == OR && value) || (o->what == AND && !value);
		long right;

		in += strlen(o->text);
		unused += (uint8_t)rest;
		right = binary(level + 1);
		unused -= (uint8_t)rest;
		value = apply(o->what, value, right);
	}
	return value;
}

static long choice(void)
{
	long value = binary(1), yes, no;

	if (wrong || next() != '?')
		return value;
	in++;
	unused += !value;
	yes = choice();
	unused -= !value;
	if (next() != ':') {
		fail(": is missing before ");
		return 0;
	}
	in++;
	unused += value != 0;
	no = choice();
	unused -= value != 0;
	return value ? yes : no;
}

long arithmetic(const char *expression)
{
	long value;

	in = expression;
	wrong = unused = 0;
	if (!next())
		return 0;
	value = choice();
	if (!wrong && next())
		fail("not understood: ");
	return value;
}
