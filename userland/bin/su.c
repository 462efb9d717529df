// SPDX-License-Identifier: ISC
//
// su: becomes another user, whose password is asked for unless root asks. Set-uid root.
#include <errno.h>
#include <octix/login.h>
#include <program.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

PROGRAM(su, "[USER [-c COMMAND]]", "become another user, root if none is named");

enum { DELAY = 2 };

static int fail(const char *name, const char *why)
{
	fprintf(stderr, "su: %s: %s\n", name, why);
	return 1;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "root", *hash;
	struct passwd *pw = getpwnam(name);

	if (strcmp(name, "--help") == 0)
		return puts("usage: su [USER [-c COMMAND]]\nbecome another user, root if none is named") < 0;
	if (argc == 3 || argc > 4 || *name == '-' || (argc == 4 && strcmp(argv[2], "-c") != 0)) {
		fputs("usage: su [USER [-c COMMAND]]\n", stderr);
		return 2;
	}
	if (geteuid())
		return fail("/bin/su", "is not set-uid root: chmod 4755 /bin/su");
	if (!pw)
		return fail(name, "no such user in /etc/passwd");
	if (getuid()) {
		hash = oct_shadow(name);
		const char *password = hash && !*hash ? "" : getpass("Password: ");

		if (!password || !oct_password_is(name, password)) {
			sleep(DELAY);
			return fail(name, "wrong password");
		}
	}
	if (oct_become(pw) < 0)
		return fail(name, strerror(errno));
	if (argc == 4)
		execl(oct_shell(pw), "sh", "-c", argv[3], NULL);
	else
		execl(oct_shell(pw), "sh", NULL);
	return fail(oct_shell(pw), strerror(errno));
}
