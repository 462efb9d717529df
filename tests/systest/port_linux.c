// SPDX-License-Identifier: ISC
//
// What differs, on Linux: bad addresses, and the calls that only Octix has, so that the tables link.
#include "systest.h"

#include <octix/octix.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

const int on_octix = 0;

static const char constant[] = "read-only";

// Tests crash on purpose and ask for too much memory.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_abort=0:allocator_may_return_null=1:detect_leaks=0";
}

// Who starts the tests may ignore some, as nohup and shells do for what runs in the background.
static __attribute__((constructor)) void default_signals(int argc, char **argv)
{
	for (int n = 1; n < 32 && (argc < 2 || strcmp(argv[1], "-x")); n++) // not in a process that a test has started
		signal(n, SIG_DFL);
}

int bad_address(unsigned n, int for_writing, void **address)
{
	static void *nothing;

	if (!nothing)
		nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (n >= 4u + !!for_writing)
		return 0;
	*address = n == 0 ? NULL : n == 1 ? (void *)1 : n == 2 ? (void *)~0ul : n == 3 ? nothing : (char *)constant;
	return 1;
}

void *edge_address(unsigned n)
{
	static char *pages;

	if (!pages)
		pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(pages != MAP_FAILED && mprotect(pages + 4096, 4096, PROT_NONE) == 0);
	return pages + 4096 - n;
}

unsigned long stack_bottom(void)
{
	return 0;
}

int open_max(void)
{
	const struct rlimit limit = { 20, 20 };

	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	return 20;
}

int has_part(unsigned part)
{
	(void)part;
	return 1;
}

int nearly_full(void)
{
	return 0;
}

static int nowhere(void)
{
	errno = ENOSYS;
	return -1;
}

long raw_call(unsigned number, unsigned long a, unsigned long b, unsigned long c)
{
	(void)number, (void)a, (void)b, (void)c;
	return nowhere();
}

int bad_stack_kill(int signal)
{
	(void)signal;
	return nowhere();
}

int mark(int n)
{
	(void)n;
	return nowhere();
}

unsigned long cycles(void)
{
	return 0;
}

const char *oct_proc_text(const char *path, char *text, unsigned size)
{
	(void)path, (void)text, (void)size;
	nowhere();
	return NULL;
}

const char *oct_proc_word(const char *text, const char *name)
{
	(void)text;
	return name;
}

unsigned long oct_proc_number(const char *text, const char *name)
{
	(void)text, (void)name;
	return 0;
}

int oct_stat(const char *path, struct oct_stat *st)
{
	(void)path, (void)st;
	return nowhere();
}

int oct_reboot(int how)
{
	(void)how;
	return nowhere();
}

int getdents(int fd, void *buf, unsigned n)
{
	(void)fd, (void)buf, (void)n;
	return nowhere();
}
