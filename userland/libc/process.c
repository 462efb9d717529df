// SPDX-License-Identifier: ISC
//
// What the kernel says about a process.
#include "private.h"

#include <errno.h>
#include <unistd.h>

pid_t getpgid(pid_t pid)
{
	long group = pid ? __oct_process(pid, "pgid") : getpgrp();

	if (group < 0 && (errno == ENOENT || errno == ENOTDIR))
		errno = ESRCH;
	return (pid_t)group;
}
