// SPDX-License-Identifier: ISC
//
// systest: the system calls and their wrappers in the C library, by tables of small tests. A file is an area: test functions, a
// table of them, and AREA(name, table) below it; nothing else has to change for a new one.
//
// Each test runs in a process and an empty folder of its own, with standard input, output and error open and nothing else. What it
// leaves behind is removed, and its process group is killed. It passes when it returns. The same files are compiled for Linux,
// where they must pass, too: what only Octix has or promises is marked OCTIX and skipped there.
#ifndef SYSTEST_H
#define SYSTEST_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum needs {
	QUICK = 0,
	SLOW = 1,  // not part of the quick set
	OCTIX = 2, // only Octix has it
	TTY = 4,   // standard input is a terminal, and the test runs in its foreground
	FULL = 8,  // the file system has little room
	ROOT = 16, // runs as root
	// Parts that a small board leaves out:
	WITH_USERS = 32, // users and modes
	WITH_SEMS = 64,
	WITH_POLL = 128,
	WITH_PROC = 256,
	WITH_UNICODE = 512, // names beyond ASCII
	WITH_MANY = 1024,   // room for more than four processes besides init and the shell
	WITH_NICE = 2048,   // nice values
};

enum { PARTS = 7, FIRST_PART = WITH_USERS }; // of these

enum { NOBODY = 0x7ffffff0 }; // no process has this number

struct test {
	void (*run)(void);
	const char *name;
	unsigned short needs; // enum needs
	const char *known;   // why it fails on Octix; NULL: it does not
};

struct area {
	const char *name;
	const struct test *tests;
	unsigned count;
	struct area *next;
};

#define TEST(function, needs) { function, #function, needs, NULL }
#define KNOWN(function, needs, reason) { function, #function, needs, reason }

#define AREA(title, table) \
	__attribute__((constructor)) static void enter(void) \
	{ \
		static struct area area = { title, table, sizeof table / sizeof table[0], NULL }; \
		area_add(&area); \
	} \
	struct area // takes the semicolon

void area_add(struct area *area);

// ---- inside a test

// The condition holds, or the test ends here and has failed.
#define CHECK(condition) \
	do { \
		if (!(condition)) \
			test_failed(__FILE__, __LINE__, 0); \
	} while (0)

// The call answers -1 and sets this errno.
#define FAILS(error, call) \
	do { \
		errno = 0; \
		if ((call) != -1) \
			errno = 0; \
		if (errno != (error)) \
			test_failed(__FILE__, __LINE__, error); \
	} while (0)

// Not the text of the check: a thousand of them would fill the data space. `wanted`: the errno that should be, or 0.
_Noreturn void test_failed(const char *file, int line, int wanted);

// An open file with these n bytes, position 0; a whole file; the bytes of a file are exactly these.
int file_with(const char *path, const void *data, size_t n);
void make_file(const char *path, const char *text);
int file_is(const char *path, const char *text);
long file_size(const char *path);

extern unsigned char scratch[16000]; // for large transfers; zeros at first

// Byte i of a pattern that does not repeat at sector, page or frame borders.
unsigned char pattern(unsigned seed, unsigned i);
void pattern_fill(unsigned char *to, unsigned n, unsigned seed, unsigned from);
int pattern_is(const unsigned char *data, unsigned n, unsigned seed, unsigned from);

// A name or path of n bytes.
char *long_name(unsigned n);

// Starts a helper (helpers.c) with up to three arguments; its status, which must be an exit.
pid_t ended_child(int status); // of vfork
pid_t start(const char *helper, const char *a, const char *b, const char *c);
int exit_status(pid_t pid);
int run_helper(const char *helper, const char *a, const char *b, const char *c);
const char *text_of(long number); // until the fourth next call
int helper_main(char **arguments);

extern const char *self; // path of this program

// ---- what differs between the systems (port_octix.c, port_linux.c)

extern const int on_octix;

// Is so little room left that a test can use it up?
int nearly_full(void);

// Has the system this part (enum needs)?
int has_part(unsigned part);

// Addresses that a program must not pass to a call that reads (writes) there: n = 0, 1, ...; false behind the last one.
int bad_address(unsigned n, int for_writing, void **address);

// The last n bytes before an address that is bad.
void *edge_address(unsigned n);

int open_max(void);                // descriptors that a process may have
unsigned long stack_bottom(void); // the lowest address of the stack; 0: not known

// The system call of this number, past the library: its result, or -errno.
long raw_call(unsigned number, unsigned long a, unsigned long b, unsigned long c);

int bad_stack_kill(int signal);   // sends it to itself while the stack pointer is bad

enum call { // numbers of Octix's calls
#define SYSCALL(name, ...) CALL_##name,
#include <octix/syscalls.def>
#undef SYSCALL
	CALLS
};

#endif
