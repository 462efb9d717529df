// SPDX-License-Identifier: ISC
//
// oxpack: turns a linked RV32EM ELF file into an OXE executable, or makes an alias file.
#include "diag.h"
#include "opset.h"
#include "oxefile.h"
#include "pack.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
	"usage: oxpack [--map FILE] [--profile FILE]... [-v] [--no-narrow] [--link-order] [--only FILE] [--without OP,...]\n"
	"              [--favour OP,...] [-o OUT] ELF\n"
	"       oxpack --alias TARGET -o OUT\n"
	"Turns ELF, a program linked for RV32EM with -Wl,--emit-relocs,--no-relax, into an OXE executable.\n"
	"  -o OUT          output file (default: ELF with .oxe in place of its ending)\n"
	"  --map FILE      write where each function and instruction went\n"
	"  --profile FILE  put what runs together on the same pages, from oxrun --record; may be given more than once\n"
	"  -v, --stats     print sizes of code and data, pages, padding, far jumps, and how many instructions there are of each form\n"
	"  --no-narrow     compute all bytes of every result, also those that nothing reads\n"
	"  --link-order    lay out functions in the order of ELF, not callers near callees\n"
	"  --only FILE     use only the basic opcodes and those named in FILE (/dev/null: the basic ones)\n"
	"  --without OP,.. do not use these opcodes\n"
	"  --favour OP,..  use these opcodes wherever they can stand, whatever the cost\n"
	"  --alias TARGET  write an alias: a file that runs the program TARGET (an absolute path) under its own name\n"
	"Exit status: 0 done, 1 the input cannot be packed or a file failed, 2 wrong usage.\n";

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	if (!out)
		die("%s: %s", path, strerror(errno));
	fchmod(fileno(out), 0755);
	if (fwrite(bytes, 1, n, out) != n || fclose(out)) {
		int error = errno;

		remove(path);
		die("%s: %s", path, strerror(error));
	}
}

static char *default_name(const char *elf)
{
	const char *slash = strrchr(elf, '/'), *dot = strrchr(elf, '.');
	size_t n = dot && (!slash || dot > slash + 1) && dot != elf ? (size_t)(dot - elf) : strlen(elf);
	char *name = xcalloc(n + 5, 1);

	memcpy(name, elf, n);
	strcpy(name + n, ".oxe");
	return name;
}

static void make_alias(const char *target, const char *path)
{
	struct oxe_header h = { .magic = OXE_MAGIC, .format = OXE_FORMAT, .bytecode = OXE_BYTECODE, .abi = OXE_ABI,
				.type = OXE_ALIAS };

	if (target[0] != '/')
		die("alias target %s: must be an absolute path", target);
	if (strlen(target) >= OXE_ALIAS_MAX)
		die("alias target %s: longer than %d bytes", target, OXE_ALIAS_MAX - 1);
	strcpy(h.u.alias, target);
	oxe_seal((uint8_t *)&h);
	write_file(path, &h, sizeof h);
}

static void pack(struct program *p, const char *elf, const char *out, const struct profile *profile)
{
	analyse(p, elf_load(elf), profile);
	select_ops(p);
	join(p);
	layout(p, profile);
	emit(p);
	verify(p);
	write_file(out, p->file, p->file_size);
}

static _Noreturn void wrong_usage(void)
{
	fputs(usage, stderr);
	exit(EXIT_USAGE);
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "map", required_argument, NULL, 'm' }, { "stats", no_argument, NULL, 'v' },
						 { "alias", required_argument, NULL, 'a' }, { "no-narrow", no_argument, NULL, 'N' },
						 { "profile", required_argument, NULL, 'p' }, { "help", no_argument, NULL, 'h' },
						 { "link-order", no_argument, NULL, 'L' }, { "only", required_argument, NULL, 'O' }, { "without", required_argument, NULL, 'W' },
						 { "favour", required_argument, NULL, 'F' },
						 { 0 } };
	const char *out = NULL, *map = NULL, *alias = NULL;
	struct profile profile = { 0 };
	struct program p = { .narrow = true };
	bool want_stats = false;
	int c;

	diag_name = "oxpack";
	while ((c = getopt_long(argc, argv, "o:vh", options, NULL)) != -1) {
		if (c == 'o')
			out = optarg;
		else if (c == 'm')
			map = optarg;
		else if (c == 'p')
			profile_read(&profile, optarg);
		else if (c == 'v')
			want_stats = true;
		else if (c == 'a')
			alias = optarg;
		else if (c == 'O')
			ops_only(optarg);
		else if (c == 'W')
			ops_without(optarg);
		else if (c == 'F')
			ops_favour(optarg);
		else if (c == 'N')
			p.narrow = false;
		else if (c == 'L')
			p.link_order = true;
		else if (c == 'h')
			return fputs(usage, stdout) < 0;
		else
			wrong_usage();
	}
	if (alias ? optind != argc || !out || map : optind + 1 != argc)
		wrong_usage();
	if (alias) {
		make_alias(alias, out);
		return 0;
	}
	pack(&p, argv[optind], out ? out : default_name(argv[optind]), &profile);
	if (map)
		write_map(&p, map);
	if (want_stats)
		print_stats(&p);
	return 0;
}
