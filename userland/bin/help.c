// SPDX-License-Identifier: ISC
//
// help: the commands with a line each, or how to use one.
#include "command.h"

#include <stdio.h>

static int explain(const char *name)
{
	const struct command *c = find_command(name);

	if (!c)
		return complain_because(name, "no such command");
	print_usage(c);
	return OK;
}

COMMAND(help, "[COMMAND...]", "list the commands, or explain some")
{
	int status = OK;

	parse(&argc, &argv, "");
	if (argc == 0) {
		for (const struct command *c = commands; c < commands + command_count; c++)
			printf("%-8s %s\n", c->name, summary_of(c));
		puts("\nBuilt into the shell: . bg break cd continue exec exit export fg jobs kill read set shift test umask unset wait\n"
		     "COMMAND --help tells more about one.");
	}
	for (; *argv; argv++)
		status |= explain(*argv);
	return status;
}
