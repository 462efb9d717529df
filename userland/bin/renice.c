// SPDX-License-Identifier: ISC
//
// renice: changes the nice values of processes that run. POSIX renice.
#include "command.h"

#include <string.h>
#include <sys/resource.h>

COMMAND(renice, "-n N [-p | -g | -u] ID...", "change how much of the time processes get")
{
	int more, id, which = PRIO_PROCESS, status = OK;

	if (!argv[1] || strcmp(argv[1], "-n") != 0 || !argv[2])
		misused();
	if (!whole_number(argv[2], &more))
		return complain_because(argv[2], "not a number");
	argv += 3;
	if (*argv && **argv == '-' && strchr("pgu", (*argv)[1]) && (*argv)[1] && !(*argv)[2]) {
		which = (*argv)[1] == 'p' ? PRIO_PROCESS : (*argv)[1] == 'g' ? PRIO_PGRP : PRIO_USER;
		argv++;
	}
	if (!*argv)
		misused();
	for (; *argv; argv++)
		if (!whole_number(*argv, &id) || id < 0)
			status = complain_because(*argv, "not a number of a process, group or user");
		else if (setpriority(which, (id_t)id, getpriority(which, (id_t)id) + more) < 0)
			status = complain(*argv);
	return status;
}
