// SPDX-License-Identifier: ISC
//
// uname: the board is both the machine and, as there is no network, the node.
#include "private.h"

#include <string.h>
#include <sys/utsname.h>

int uname(struct utsname *name)
{
	struct oct_sysinfo info;

	if (oct_sysinfo(&info) < 0)
		return -1;
	strlcpy(name->sysname, "Octix", sizeof name->sysname);
	strlcpy(name->nodename, info.board, sizeof name->nodename);
	strlcpy(name->release, info.version, sizeof name->release);
	strlcpy(name->version, info.version, sizeof name->version);
	strlcpy(name->machine, info.board, sizeof name->machine);
	return 0;
}
