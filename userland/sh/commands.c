// SPDX-License-Identifier: ISC
//
// Which commands are the shell's.
#include "sh.h"

#include <string.h>

// Names stand apart from functions: those are looked through for every command. The first ones leave the shell as it is.
enum { STATELESS = 4 };

static const char names[] =
	":\0true\0false\0echo\0"
	"cd\0exit\0export\0unset\0set\0shift\0wait\0jobs\0.\0read\0break\0fg\0bg\0kill\0continue\0umask\0test\0[\0eval\0return\0local\0readonly\0"
	"trap\0command\0type\0getopts\0";

static int (*const functions[])(char **argv) = {
	do_true, do_true, do_false, do_echo,
	do_cd, do_exit, do_export, do_unset, do_set, do_shift, do_wait, do_jobs, do_dot, do_read, do_break, do_fg, do_bg, do_kill, do_continue, do_umask, do_test, do_test,
	do_eval, do_return, do_local, do_readonly, do_trap, do_command, do_type, do_getopts,
};

// Its number; -1: none.
static int find(const char *name)
{
	int i = 0;

	for (const char *n = names; *n; n += strlen(n) + 1, i++)
		if (*n == *name && strcmp(n, name) == 0)
			return i;
	return -1;
}

int is_builtin(const char *name)
{
	return find(name) >= 0;
}

int changes_shell(const char *name)
{
	return find(name) >= STATELESS || strcmp(name, ":") == 0 || strcmp(name, "exec") == 0;
}

int run_builtin(char **argv)
{
	return functions[find(argv[0])](argv);
}
