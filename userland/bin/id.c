// SPDX-License-Identifier: ISC
//
// id: the ids of the process; effective ones where they differ.
#include "command.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

static void show(const char *label, unsigned id, const char *name)
{
	printf("%s=%u", label, id);
	if (name)
		printf("(%s)", name);
}

static const char *user_name(uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);

	return pw ? pw->pw_name : NULL;
}

static const char *group_name(gid_t gid)
{
	const struct group *gr = getgrgid(gid);

	return gr ? gr->gr_name : NULL;
}

COMMAND(id, "", "print user and group")
{
	parse(&argc, &argv, "");
	show("uid", getuid(), user_name(getuid()));
	show(" gid", getgid(), group_name(getgid()));
	if (geteuid() != getuid())
		show(" euid", geteuid(), user_name(geteuid()));
	if (getegid() != getgid())
		show(" egid", getegid(), group_name(getegid()));
	putchar('\n');
	return OK;
}
