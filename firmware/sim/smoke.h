// SPDX-License-Identifier: ISC
// Parts of oxsmoke: the file of steps, matching of output, the run of one file, the results.
// The file format is described in smoke.md.
#ifndef SIM_SMOKE_H
#define SIM_SMOKE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "options.h"

// ---------------------------------------------------------------- smoke_file.c

enum line_kind { LINE_EXACT, LINE_REGEX, LINE_ANY };

struct expect {
	enum line_kind kind;
	char *text;
	regex_t regex;
};

enum send_kind { SEND_LINE, SEND_KEY, SEND_PAUSE };

struct send {
	enum send_kind kind;
	char *text;             // SEND_LINE
	char key;               // SEND_KEY
	double seconds;         // SEND_PAUSE
};

enum end_kind { END_PROMPT, END_HALT, END_BOOT };

struct step {
	char *command;          // NULL: the output of booting
	int line;               // in the file
	double limit;           // simulated seconds
	int status;             // expected, -1: any
	enum end_kind end;
	struct expect *expect;
	size_t expects;
	struct send *send;
	size_t sends;
};

struct script {
	const char *path;
	char *prompt;
	struct step *steps;
	size_t count;
};

// Reads path ("-" is standard input). Returns 0, or -1 after a message with path and line.
int script_read(struct script *s, const char *path, double limit);

// A script without steps: boot alone.
void script_boot_only(struct script *s);
void script_free(struct script *s);

// ---------------------------------------------------------------- smoke_match.c

// Cuts text into lines in place: CR before LF goes. Returns the number; *lines is from malloc.
size_t split_lines(char *text, char ***lines);

bool lines_match(const struct expect *want, size_t wants, char **got, size_t gots);

// Writes a comparison to f, each line beginning with "# ".
void lines_diff(FILE *f, const struct expect *want, size_t wants, char **got, size_t gots);

// ---------------------------------------------------------------- smoke_run.c

enum { EXIT_PASSED = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_CRASH = 3, EXIT_TIMEOUT = 4,
       EXIT_HALTED = 5 };

// Boots and runs one script; writes results to f as lines: "ok SECONDS name", "not ok SECONDS name",
// and "# ..." for explanations. limit: simulated seconds for booting. Returns an exit code.
int smoke_run(const struct script *s, const struct options *opt, double limit, FILE *f);

// ---------------------------------------------------------------- smoke_output.c

struct results {
	const char *name;       // of the script
	char *text;             // what smoke_run wrote
	int code;
};

// Prints the results of one script as TAP, numbering from *number.
void tap_print(const struct results *r, unsigned *number);

// Writes all results as JUnit XML. Returns 0, or -1 after a message.
int junit_write(const char *path, const struct results *r, size_t count);

#endif
