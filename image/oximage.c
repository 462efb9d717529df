// SPDX-License-Identifier: ISC
//
// oximage: looks into and changes FAT image files. `octix image` calls it.
#include "oximage.h"

#include <stdio.h>
#include <string.h>

#include "util.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *arguments, *help; // NULL: internal
} commands[] = {
	{"info", cmd_info, "IMAGE", "size, layout, free space"},
	{"ls", cmd_ls, "[-lR] IMAGE [PATH]", "list a folder; -l mode, user, group, size, date; -R all below"},
	{"cat", cmd_cat, "IMAGE PATH", "print a file"},
	{"get", cmd_get, "IMAGE PATH [FILE]", "copy a file out of the image"},
	{"put", cmd_put, "[--mode MODE] [--owner USER[:GROUP]] IMAGE FILE... DEST",
	 "copy files into the image: to a new name, a file to replace, or a folder.\n"
	 "        Without options a file that is replaced keeps owner and mode; new programs get root and 0755, others 0644"},
	{"rm", cmd_rm, "[-r] IMAGE PATH...", "delete files; -r folders and all below"},
	{"mkdir", cmd_mkdir, "[-p] [--mode MODE] [--owner USER[:GROUP]] IMAGE PATH...",
	 "make folders (root, 0755); -p with their parents, existing ones are no error"},
	{"check", cmd_check, "IMAGE", "check the file system, and that programs and swap lie in one piece"},
	{"write", cmd_write, "[--yes] IMAGE DEVICE", "write the image to a card and read it back"},
	{"layout", cmd_layout, NULL, NULL},
	{"mbr", cmd_mbr, NULL, NULL},
	{"swap", cmd_swap, NULL, NULL},
	{"owners", cmd_owners, NULL, NULL},
	{"seal", cmd_seal, NULL, NULL},
};

#define COMMANDS (sizeof commands / sizeof *commands)

static void help(void)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (commands[i].help)
			printf("  %s %s\n        %s\n", commands[i].name, commands[i].arguments, commands[i].help);
}

static int run(const struct command *c, int argc, char **argv)
{
	program = xprintf("octix image %s", c->help ? c->name : "build");
	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) && c->help) {
		printf("usage: octix image %s %s\n%s\n", c->name, c->arguments, c->help);
		return 0;
	}
	return c->run(argc, argv);
}

int main(int argc, char **argv)
{
	program = "octix image";
	if (argc < 2)
		usage_error("a subcommand is missing");
	if (!strcmp(argv[1], "--help")) {
		help();
		return 0;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return run(&commands[i], argc - 1, argv + 1);
	usage_error("unknown subcommand '%s'", argv[1]);
}
