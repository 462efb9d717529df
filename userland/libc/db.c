// SPDX-License-Identifier: ISC
//
// /etc/passwd, /etc/group and /etc/shadow: lines of fields between colons. <pwd.h> and <grp.h> over them.
#include "private.h"

#include <grp.h>
#include <octix/login.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Is field n of a line this text?
static int field_is(const char *line, unsigned n, const char *text)
{
	size_t length = strlen(text);

	while (n--) {
		line = strchr(line, ':');
		if (!line)
			return 0;
		line++;
	}
	return strncmp(line, text, length) == 0 && (line[length] == ':' || !line[length]);
}

// Looks for the line whose field n is `text` and cuts it into `count` fields; those that are missing are empty. 0: there is none.
static int find_line(const char *path, unsigned n, const char *text, char *line, int size, char **fields, unsigned count)
{
	FILE *f = fopen(path, "r");
	int found = 0;

	while (f && !found && fgets(line, size, f)) {
		line[strcspn(line, "\n")] = 0;
		found = *line && *line != ':' && field_is(line, n, text);
	}
	if (f)
		fclose(f);
	for (unsigned i = 0; found && i < count; i++) {
		fields[i] = line;
		line += strcspn(line, ":");
		if (*line)
			*line++ = 0;
	}
	return found;
}

static const char *number_text(unsigned id)
{
	static char text[12];

	sprintf(text, "%u", id);
	return text;
}

static struct passwd *find_user(unsigned n, const char *text)
{
	static char line[160];
	static struct passwd pw;
	char *field[7];

	if (!find_line("/etc/passwd", n, text, line, sizeof line, field, 7))
		return NULL;
	pw.pw_name = field[0];
	pw.pw_passwd = field[1];
	pw.pw_uid = (uid_t)atoi(field[2]);
	pw.pw_gid = (gid_t)atoi(field[3]);
	pw.pw_gecos = pw.pw_comment = field[4];
	pw.pw_dir = field[5];
	pw.pw_shell = field[6];
	return &pw;
}

struct passwd *getpwnam(const char *name)
{
	return find_user(0, name);
}

struct passwd *getpwuid(uid_t uid)
{
	return find_user(2, number_text(uid));
}

// Members are not told: there are no supplementary groups.
static struct group *find_group(unsigned n, const char *text)
{
	static char line[80];
	static char *none[1];
	static struct group gr;
	char *field[3];

	if (!find_line("/etc/group", n, text, line, sizeof line, field, 3))
		return NULL;
	gr.gr_name = field[0];
	gr.gr_passwd = field[1];
	gr.gr_gid = (gid_t)atoi(field[2]);
	gr.gr_mem = none;
	return &gr;
}

struct group *getgrnam(const char *name)
{
	return find_group(0, name);
}

struct group *getgrgid(gid_t gid)
{
	return find_group(2, number_text(gid));
}

const char *oct_shadow(const char *name)
{
	static char line[160];
	char *field[2];

	return find_line("/etc/shadow", 0, name, line, sizeof line, field, 2) ? field[1] : NULL;
}
