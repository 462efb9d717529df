// SPDX-License-Identifier: ISC
//
// uname: the board is both the machine and, as there is no network, the node.
#include "private.h"

#include <string.h>
#include <sys/utsname.h>

static void take(char *to, size_t size, const char *text, const char *name)
{
	const char *from = oct_proc_word(text, name);
	size_t n = strcspn(from, "\n");

	strlcpy(to, from, n < size ? n + 1 : size);
}

int uname(struct utsname *name)
{
	char text[OCT_PROC_TEXT];

	if (!oct_proc_text("/proc/stat", text, sizeof text))
		return -1;
	strlcpy(name->sysname, "Octix", sizeof name->sysname);
	take(name->nodename, sizeof name->nodename, text, "board");
	take(name->machine, sizeof name->machine, text, "board");
	take(name->release, sizeof name->release, text, "version");
	take(name->version, sizeof name->version, text, "version");
	return 0;
}
