// SPDX-License-Identifier: ISC
//
// See octix/login.h.
#include <octix/login.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int oct_password_is(const char *name, const char *password)
{
	const char *hash = oct_shadow(name), *made;

	if (!hash)
		return 0;
	if (!*hash)
		return 1;
	made = crypt(password, hash);
	return made && strcmp(made, hash) == 0;
}

const char *oct_shell(const struct passwd *pw)
{
	return *pw->pw_shell ? pw->pw_shell : "/bin/sh";
}

int oct_become(const struct passwd *pw)
{
	if (setgid(pw->pw_gid) < 0 || setuid(pw->pw_uid) < 0)
		return -1;
	setenv("HOME", *pw->pw_dir ? pw->pw_dir : "/", 1);
	setenv("USER", pw->pw_name, 1);
	setenv("SHELL", oct_shell(pw), 1);
	return setenv("PATH", "/bin:/sbin", 1);
}
