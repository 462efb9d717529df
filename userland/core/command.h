// SPDX-License-Identifier: ISC
//
// What a command of the multi-call program stands on. A command is one file in bin/ or sbin/:
//
//	COMMAND(name, "usage of its arguments", "what it does, in one line")
//	{
//		unsigned options = parse(&argc, &argv, "al");
//		...
//		return status;
//	}
//
// The line begins with COMMAND and is copied into the table that dispatch, --help and help use. PROGRAM(...) is the
// same line for a program of its own that help shall list. Errors read `name: what: reason`; usage errors exit with 2.
#ifndef OCTIX_COMMAND_H
#define OCTIX_COMMAND_H

#include <program.h>
#include <stddef.h>

#define COMMAND(name, usage, summary) \
	int name##_main(int argc, char **argv); \
	int name##_main(int argc __attribute__((unused)), char **argv __attribute__((unused)))

enum { PATH_BYTES = 256, BLOCK = 512 };
enum { OK = 0, FAILED = 1, MISUSED = 2 };

struct command {
	char name[8];                        // the longest is 7 bytes
	int (*main)(int argc, char **argv);  // NULL: a program of its own
	const char *text;                    // usage NUL summary
};

extern const struct command commands[];
extern const unsigned command_count;
extern const struct command *self;   // the one that runs
extern char block[BLOCK];            // for whatever the command copies

const struct command *find_command(const char *name);
const char *summary_of(const struct command *c);
void print_usage(const struct command *c);

// Consumes option letters (`-al -1 --`); bit i is set for letters[i]. A wrong one prints the usage and exits with 2.
// After it argv[0] is the first operand.
unsigned parse(int *argc, char ***argv, const char *letters);
_Noreturn void misused(void);

int complain(const char *what);                       // `name: what: reason of errno`; returns FAILED
int complain_because(const char *what, const char *reason);
int number(const char *text, unsigned long *value);   // decimal digits only; 0 when it is one

int whole_number(const char *text, int *value);       // decimal, with a sign or without, -10000 to 65535; false when it is none
int write_all(int fd, const char *data, size_t n);    // -1 with errno
int copy_data(int from, int to);                      // 0; -1: reading failed; -2: writing failed
int each_file(int argc, char **argv, int (*work)(int fd, const char *name)); // stdin for none and for `-`

// The number of a pin in /dev/gpio by its name (PB5, or one of /etc/pins), -1: there is none; *channel: of the ADC, or -1. Uses block.
int find_pin(const char *name, int *channel);

const char *base_name(const char *path);
// Appends /name to path in place; returns the old length to cut back to, or -1 with ENAMETOOLONG.
int path_append(char path[PATH_BYTES], const char *name);
int is_dir(const char *path);
int target_of(char out[PATH_BYTES], const char *from, const char *to); // to, or to/basename(from) when it is a folder
int copy_tree(const char *from, const char *to);      // cp -r; complains itself
int remove_tree(const char *path, int quiet);         // rm -r; complains itself

#endif
