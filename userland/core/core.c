// SPDX-License-Identifier: ISC
//
// The multi-call program: runs the command that argv[0] names (an alias file carries that name to it).
#include "command.h"

#include <stdio.h>
#include <string.h>

#define ROW(name, usage, summary) int name##_main(int argc, char **argv);
#define OWN(name, usage, summary)
#include "commands.h"
#undef ROW
#undef OWN

const struct command commands[] = {
#define ROW(name, usage, summary) { #name, name##_main, usage "\0" summary },
#define OWN(name, usage, summary) { #name, NULL, usage "\0" summary },
#include "commands.h"
};

const unsigned command_count = sizeof commands / sizeof commands[0];
const struct command *self;
char block[BLOCK];

static int finish(int status)
{
	if (fflush(stdout) < 0 || ferror(stdout))
		return complain("write");
	return status;
}

int main(int argc, char **argv)
{
	const char *name = argc > 0 ? base_name(argv[0]) : "";

	if (strcmp(name, "core") == 0 && argc > 1) { // `core ls -l` runs ls
		name = *++argv;
		argc--;
	}
	self = find_command(name);
	if (!self || !self->main) {
		fputs(name, stderr);
		fputs(": no such command\n", stderr);
		return 127;
	}
	if (argc > 1 && strcmp(argv[1], "--help") == 0) {
		print_usage(self);
		return finish(OK);
	}
	return finish(self->main(argc, argv));
}
