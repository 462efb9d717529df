// SPDX-License-Identifier: ISC
//
// chown: owners, by name or number.
#include "command.h"

#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

enum { KEEP = -1, UNKNOWN = -2 };

static int user_of(const char *text)
{
	unsigned long id;
	const struct passwd *pw;

	if (!*text)
		return KEEP;
	if (number(text, &id) == 0)
		return id < 255 ? (int)id : UNKNOWN;
	pw = getpwnam(text);
	return pw ? (int)pw->pw_uid : UNKNOWN;
}

static int group_of(const char *text)
{
	unsigned long id;
	const struct group *gr;

	if (!*text)
		return KEEP;
	if (number(text, &id) == 0)
		return id < 255 ? (int)id : UNKNOWN;
	gr = getgrnam(text);
	return gr ? (int)gr->gr_gid : UNKNOWN;
}

COMMAND(chown, "USER[:GROUP] FILE...", "change the owner; :GROUP alone changes the group")
{
	int user, group = KEEP, status = OK;
	char *colon;

	parse(&argc, &argv, "");
	if (argc < 2)
		misused();
	colon = strchr(argv[0], ':');
	if (colon) {
		*colon = 0;
		group = group_of(colon + 1);
	}
	user = user_of(argv[0]);
	if (user == UNKNOWN || group == UNKNOWN)
		return complain_because(user == UNKNOWN ? argv[0] : colon + 1, "not in /etc/passwd or /etc/group, and no number from 0 to 254");
	while (*++argv)
		if (chown(*argv, (uid_t)user, (gid_t)group) < 0)
			status = complain(*argv);
	return status;
}
