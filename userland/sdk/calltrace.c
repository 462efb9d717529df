// SPDX-License-Identifier: ISC
//
// System calls as a person reads them, like strace: name(arguments) = result. What an argument is follows from its declaration
// in octix/syscalls.def.
#include "vm.h"

#include <ctype.h>
#include <errno.h>
#include <octix/abi.h>
#include <octix/errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 32, ARGS = 5 };

// The declarations of the arguments.
static const char *const declarations[SYS_COUNT] = {
#define SYSCALL(name, result, ...) #__VA_ARGS__,
#include <octix/syscalls.def>
#undef SYSCALL
};

// A line in the making: printed at once, so that those of several processes do not mix.
struct line {
	char text[1024];
	size_t n;
};

__attribute__((format(printf, 2, 3))) static void put(struct line *l, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->text + l->n, sizeof l->text - l->n, fmt, ap);
	va_end(ap);
	l->n += (size_t)n < sizeof l->text - l->n ? (size_t)n : sizeof l->text - l->n - 1;
}

static void put_char(struct line *l, uint8_t c)
{
	static const char plain[] = "\n\t\r\"\\", letters[] = "ntr\"\\";
	const char *special = c ? strchr(plain, c) : NULL;

	if (special)
		put(l, "\\%c", letters[special - plain]);
	else if (isprint(c))
		put(l, "%c", c);
	else
		put(l, "\\%o", c);
}

// Bytes of the process; not more than a person wants.
static void put_bytes(struct line *l, const struct space *s, uint32_t addr, uint32_t n)
{
	uint32_t shown = n < SHOWN ? n : SHOWN;

	if (!space_allows(s, addr, n, SPACE_READ)) {
		put(l, "0x%x", addr);
		return;
	}
	put(l, "\"");
	for (uint32_t i = 0; i < shown; i++)
		put_char(l, s->mem[addr + i]);
	put(l, shown < n ? "\"..." : "\"");
}

static void put_string(struct line *l, const struct space *s, uint32_t addr)
{
	uint32_t n = 0;

	while (space_allows(s, addr + n, 1, SPACE_READ) && s->mem[addr + n])
		n++;
	put_bytes(l, s, addr, n);
}

static void put_list(struct line *l, const struct space *s, uint32_t addr)
{
	const char *comma = "";

	if (!addr) {
		put(l, "NULL");
		return;
	}
	put(l, "[");
	for (; !(addr & 3) && space_allows(s, addr, 4, SPACE_READ) && space_word(s, addr); addr += 4, comma = ", ") {
		put(l, "%s", comma);
		put_string(l, s, space_word(s, addr));
	}
	put(l, "]");
}

static void put_open_flags(struct line *l, uint32_t flags)
{
	static const struct {
		const char *name;
		uint32_t bit;
	} names[] = { { "O_APPEND", OX_O_APPEND }, { "O_CREAT", OX_O_CREAT }, { "O_TRUNC", OX_O_TRUNC }, { "O_EXCL", OX_O_EXCL },
		      { "O_DIRECTORY", OX_O_DIRECTORY }, { "O_CLOEXEC", OX_O_CLOEXEC } };
	static const char *const access[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };

	put(l, "%s", access[flags & OX_O_ACCMODE]);
	flags &= ~(uint32_t)OX_O_ACCMODE;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (flags & names[i].bit) {
			put(l, "|%s", names[i].name);
			flags &= ~names[i].bit;
		}
	if (flags)
		put(l, "|0x%x", flags);
}

// A call: what it was given and, once it is back, its result.
struct call {
	const struct space *space;
	uint32_t number, arg[ARGS];
	bool back;
	int32_t result;
};

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}


// The argument of this declaration; what the call wrote is shown when it is back.
static void put_argument(struct line *l, const struct call *c, const char *declared, size_t length, const uint32_t *arg)
{
	bool done = c->back && c->result >= 0;

	if (starts(declared, "const char *"))
		put_string(l, c->space, *arg);
	else if (starts(declared, "char *const "))
		put_list(l, c->space, *arg);
	else if (starts(declared, "const void *"))
		put_bytes(l, c->space, *arg, arg[1]);
	else if (starts(declared, "void *") && done && c->number == SYS_read)
		put_bytes(l, c->space, *arg, (uint32_t)c->result);
	else if (starts(declared, "char *") && done)
		put_string(l, c->space, *arg);
	else if (starts(declared, "int *") && done && c->result > 0 && *arg)
		put(l, "[0x%x]", space_word(c->space, *arg));
	else if (memchr(declared, '[', length) && done)
		put(l, "[%u, %u]", space_word(c->space, *arg), space_word(c->space, *arg + 4));
	else if (memchr(declared, '*', length) || memchr(declared, '[', length))
		put(l, *arg ? "0x%x" : "NULL", *arg);
	else if (starts(declared, "int flags"))
		put_open_flags(l, *arg);
	else if (starts(declared, "int mode"))
		put(l, "%#o", *arg);
	else if (starts(declared, "unsigned"))
		put(l, "%u", *arg);
	else
		put(l, "%d", (int32_t)*arg);
}

static void put_arguments(struct line *l, const struct call *c)
{
	const char *declared = declarations[c->number];

	for (unsigned i = 0; i < ARGS && strcmp(declared, "void"); i++) {
		size_t length = strcspn(declared, ",");

		if (c->number == SYS_open && i == 2 && !(c->arg[1] & OX_O_CREAT))
			break;
		put(l, "%s", i ? ", " : "");
		put_argument(l, c, declared, length, &c->arg[i]);
		if (!declared[length])
			break;
		declared += length + 1 + strspn(declared + length + 1, " ");
	}
}

// The host's number for an error of the program: they differ in a few.
static int host_error(int error)
{
	switch (error) {
	case OX_ENOSYS:
		return ENOSYS;
	case OX_ENOTEMPTY:
		return ENOTEMPTY;
	case OX_ENAMETOOLONG:
		return ENAMETOOLONG;
	default:
		return error;
	}
}

static void put_result(struct line *l, const struct call *c)
{
	const char *name = c->result < 0 && c->result >= -OX_ENAMETOOLONG ? strerrorname_np(host_error(-c->result)) : NULL;

	if (!c->back)
		put(l, " = ?");
	else if (name)
		put(l, " = -1 %s (%s)", name, strerrordesc_np(host_error(-c->result)));
	else
		put(l, " = %d", c->result);
}

static void print_line(const struct vm *v, const struct line *l)
{
	if (v->child || getpid() != v->pid)
		fprintf(stderr, "[pid %d] %s\n", (int)getpid(), l->text);
	else
		fprintf(stderr, "%s\n", l->text);
}

static void print_call(const struct vm *v, const struct call *c)
{
	struct line l = { .n = 0 };

	if (c->number < SYS_COUNT) {
		put(&l, "%s(", sys_name(c->number));
		put_arguments(&l, c);
		put(&l, ")");
	} else {
		put(&l, "syscall %u(0x%x, 0x%x, 0x%x)", c->number, c->arg[0], c->arg[1], c->arg[2]);
	}
	put_result(&l, c);
	print_line(v, &l);
}

// A call that was expected not to come back.
static void print_return(const struct vm *v, const struct call *c)
{
	struct line l = { .n = 0 };

	put(&l, "<... %s is back>", sys_name(c->number));
	put_result(&l, c);
	print_line(v, &l);
}

uint32_t vm_traced_call(struct vm *v, uint32_t number, const uint32_t *arg)
{
	struct call c = { .space = &v->space, .number = number };
	bool leaves = number == SYS__exit || number == SYS_execve;

	memcpy(c.arg, arg, sizeof c.arg);
	if (leaves)
		print_call(v, &c);
	c.result = (int32_t)sys_call(&v->sys, number, arg);
	c.back = true;
	if (!leaves)
		print_call(v, &c);
	else if (!v->sys.exited)
		print_return(v, &c);
	return (uint32_t)c.result;
}
