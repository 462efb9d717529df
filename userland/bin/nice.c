// SPDX-License-Identifier: ISC
//
// nice: runs a command with another nice value. POSIX nice.
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

COMMAND(nice, "[-n N] [COMMAND [ARGUMENT...]]", "run a command with less of the time (or more: -n -20)")
{
	int more = 10;

	if (argv[1] && strncmp(argv[1], "-n", 2) == 0) {
		const char *text = argv[1][2] ? argv[1] + 2 : argv[2];

		if (!text)
			misused();
		if (!whole_number(text, &more))
			return complain_because(text, "not a number");
		argv += argv[1][2] ? 1 : 2;
	}
	if (argv[1] && strcmp(argv[1], "--") == 0)
		argv++;
	if (!*++argv) {
		printf("%d\n", getpriority(PRIO_PROCESS, 0));
		return OK;
	}
	errno = 0;
	if (nice(more) == -1 && errno)
		complain("the nice value stays"); // POSIX: the command runs all the same
	execvp(*argv, argv);
	complain(*argv);
	return errno == ENOENT ? 127 : 126;
}
