// SPDX-License-Identifier: ISC
//
// login: asks who it is, and runs his shell. init starts it on the console once there is an /etc/shadow. root comes in without being asked
// while no password is set for him.
#include <octix/login.h>
#include <program.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

PROGRAM(login, "", "asks for user and password, and runs the user's shell");

enum { DELAY = 2 }; // seconds after a wrong password

static int ask(char *name, int size)
{
	fputs("login: ", stdout);
	fflush(stdout);
	if (!fgets(name, size, stdin))
		return 0;
	name[strcspn(name, "\n")] = 0;
	return 1;
}

static void run_shell(const struct passwd *pw)
{
	char name[32];

	if (oct_become(pw) < 0) {
		perror("login");
		return;
	}
	if (chdir(*pw->pw_dir ? pw->pw_dir : "/") < 0 && chdir("/") < 0)
		perror(pw->pw_dir);
	snprintf(name, sizeof name, "-%s", strrchr(oct_shell(pw), '/') ? strrchr(oct_shell(pw), '/') + 1 : oct_shell(pw));
	execl(oct_shell(pw), name, NULL);
	perror(oct_shell(pw));
}

int main(int argc, char **argv)
{
	char name[34];
	const char *hash = oct_shadow("root");
	const struct passwd *pw;

	if (argc > 1)
		return puts("usage: login\nasks for user and password, and runs the user's shell") < 0 || strcmp(argv[1], "--help") != 0;
	if (geteuid()) {
		fputs("login: only root runs this: use su\n", stderr);
		return 1;
	}
	setvbuf(stdin, NULL, _IONBF, 0); // what follows is the shell's
	if ((!hash || !*hash) && (pw = getpwnam("root"))) {
		run_shell(pw);
		return 1;
	}
	while (ask(name, sizeof name)) {
		const char *wanted, *password = "";

		if (!*name)
			continue;
		wanted = oct_shadow(name);
		if (!wanted || *wanted)
			password = getpass("Password: ");
		if (password && oct_password_is(name, password) && (pw = getpwnam(name)))
			run_shell(pw);
		sleep(DELAY);
		puts("Login incorrect");
	}
	return 1;
}
