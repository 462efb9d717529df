// SPDX-License-Identifier: ISC
//
// oxpkg: packages in an image. `octix pkg` calls it.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/util.h"
#include "package.h"

static const struct command {
	const char *name;
	int (*run)(const char *image, int argc, char **argv);
} commands[] = {
	{"add", cmd_add},
	{"remove", cmd_remove},
	{"list", cmd_list},
};

static void help(void)
{
	puts("usage: octix pkg --image IMAGE add PACKAGE.oxp...   install packages\n"
	     "       octix pkg --image IMAGE remove NAME...       delete packages and their files\n"
	     "       octix pkg --image IMAGE list                 names and versions of what is installed");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"image", required_argument, NULL, 'i'}, {"help", no_argument, NULL, 'h'}, {0}};
	const char *image = NULL;
	program = "octix pkg";
	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (option == 'h') {
			help();
			return 0;
		}
		if (option != 'i')
			usage_error("wrong option");
		image = optarg;
	}
	argc -= optind, argv += optind;
	if (argc && !strcmp(argv[0], "pack"))
		return cmd_pack(argc, argv);
	for (size_t i = 0; argc && i < sizeof commands / sizeof *commands; i++) {
		if (strcmp(argv[0], commands[i].name))
			continue;
		if (!image)
			usage_error("--image is missing");
		return commands[i].run(image, argc, argv);
	}
	usage_error(argc ? "unknown subcommand '%s'" : "a subcommand is missing", argc ? argv[0] : "");
}
