// SPDX-License-Identifier: ISC
//
// What the kernel's table of processes says about one.
#include "private.h"

#include <errno.h>
#include <unistd.h>

int __oct_process(pid_t pid, struct oct_procinfo *info)
{
	for (int i = 0;; i++)
		if (oct_procinfo(i, info) == 0) {
			if (info->pid == pid)
				return 0;
		} else if (errno != ESRCH) { // not a free place: the end
			errno = ESRCH;
			return -1;
		}
}

pid_t getpgid(pid_t pid)
{
	struct oct_procinfo p;

	if (pid == 0)
		return getpgrp();
	return __oct_process(pid, &p) < 0 ? -1 : p.pgid;
}
