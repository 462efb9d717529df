// SPDX-License-Identifier: ISC
//
// oxrun: runs an OXE program on the host.
#include "counts.h"
#include "diag.h"
#include "vm.h"

#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
	"usage: oxrun [options] PROGRAM [ARGUMENT...]\n"
	"Runs an OXE program; its system calls are done by the host.\n"
	"  --trace KIND    print on stderr each instruction (insn), or each system call with arguments and result (syscall)\n"
	"  --stats         print instruction counts by opcode on stderr at the end\n"
	"  --profile       print on stderr at the end which functions the instructions went to\n"
	"  --max-insns N   stop after N instructions (exit status 124)\n"
	"  --strict        kill on misaligned accesses, tell of missing system calls\n"
	"  --wide          kill on addresses above 64 KB; for programs packed with --no-narrow\n"
	"  --map FILE      names for messages, traces and profiles, from octix cc --map (default: PROGRAM.map, if there is one)\n"
	"  --record FILE   add to FILE which functions run, for octix cc --profile=FILE; needs a map\n"
	"  --counts FILE   add to FILE how often each instruction ran, for oxchoose; needs a map\n"
	"  --pages FILE    write all references to pages of code and data, in order\n"
	"  --root DIR      directory that stands for / in the program's paths\n"
	"  --env NAME=VAL  set an environment variable of the program (it gets no others)\n"
	"  --argv0 NAME    the program's argv[0] (default: PROGRAM)\n"
	"Exit status: the program's; 128 + signal when it was killed; 126 not an executable, 127 not found, 2 wrong usage.\n";

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, MAX_ENV = 128, MAX_SELF = 13 };

struct options {
	bool stats, profile, trace, trace_calls, strict, wide, child;
	uint64_t max_insns;
	const char *map, *record, *counts, *pages, *root, *argv0;
	char *env[MAX_ENV + 1];
	size_t nenv;
};

static struct option const long_options[] = {
	{ "trace", required_argument, NULL, 't' },	   { "stats", no_argument, NULL, 's' },	   { "max-insns", required_argument, NULL, 'n' },
	{ "strict", no_argument, NULL, 'S' },	   { "wide", no_argument, NULL, 'w' },
	{ "map", required_argument, NULL, 'm' }, { "root", required_argument, NULL, 'r' },
	{ "env", required_argument, NULL, 'e' },   { "argv0", required_argument, NULL, 'a' }, { "child", no_argument, NULL, 'c' },
	{ "profile", no_argument, NULL, 'p' }, { "record", required_argument, NULL, 'R' }, { "pages", required_argument, NULL, 'P' },
	{ "counts", required_argument, NULL, 'C' },
	{ "help", no_argument, NULL, 'h' },	   { 0 },
};

static _Noreturn void wrong_usage(void)
{
	fputs(usage, stderr);
	exit(EXIT_USAGE);
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (!*text || *end)
		wrong_usage();
	return n;
}

static void take_trace(struct options *o, const char *kind)
{
	o->trace |= !strcmp(kind, "insn");
	o->trace_calls |= !strcmp(kind, "syscall");
	if (strcmp(kind, "insn") && strcmp(kind, "syscall")) {
		warn("--trace %s: it must be insn or syscall", kind);
		exit(EXIT_USAGE);
	}
}

static void take_option(struct options *o, int c)
{
	switch (c) {
	case 't':
		take_trace(o, optarg);
		break;
	case 's':
		o->stats = true;
		break;
	case 'n':
		o->max_insns = number(optarg);
		break;
	case 'S':
		o->strict = true;
		break;
	case 'w':
		o->wide = true;
		break;
	case 'm':
		o->map = optarg;
		break;
	case 'C':
		o->counts = optarg;
		break;
	case 'p':
		o->profile = true;
		break;
	case 'R':
		o->record = optarg;
		break;
	case 'P':
		o->pages = optarg;
		break;
	case 'r':
		o->root = optarg;
		break;
	case 'e':
		if (o->nenv == MAX_ENV)
			die("more than %d environment variables", MAX_ENV);
		o->env[o->nenv++] = optarg;
		break;
	case 'a':
		o->argv0 = optarg;
		break;
	case 'c':
		o->child = true;
		break;
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		wrong_usage();
	}
}

static void print_fault(void *path, const char *text)
{
	warn("%s: %s", (const char *)path, text);
}

static void read_file(const char *path, struct oxe_file *f)
{
	const char *failed = oxe_read(path, f);

	if (failed) {
		warn("%s: %s", path, failed);
		exit(access(path, F_OK) ? NOT_FOUND : NOT_EXECUTABLE);
	}
	if (oxe_check_header(f, print_fault, (void *)path))
		exit(NOT_EXECUTABLE);
}

// The program that an alias names: below `root`, else beside the alias itself.
static void alias_path(const struct options *o, const char *from, const char *target, char *to, size_t n)
{
	const char *slash = strrchr(from, '/');

	snprintf(to, n, "%s%s", o->root ? o->root : "", target);
	if (access(to, F_OK))
		snprintf(to, n, "%.*s%s", slash ? (int)(slash - from + 1) : 0, from, strrchr(target, '/') + 1);
}

static void open_program(const struct options *o, const char *path, struct oxe_file *f)
{
	char target[PATH_MAX];

	read_file(path, f);
	if (f->header->type == OXE_ALIAS) {
		alias_path(o, path, f->header->u.alias, target, sizeof target);
		oxe_free(f);
		read_file(target, f);
		if (f->header->type == OXE_ALIAS) {
			warn("%s: alias of an alias", path);
			exit(NOT_EXECUTABLE);
		}
	}
	if (oxe_check_crcs(f, print_fault, (void *)path))
		exit(NOT_EXECUTABLE);
}

// The host command for programs that this one executes.
static void host_command(const struct options *o, char **self)
{
	*self++ = (char *)"oxrun";
	*self++ = (char *)"--child";
	if (o->trace)
		*self++ = (char *)"--trace=insn";
	if (o->trace_calls)
		*self++ = (char *)"--trace=syscall";
	if (o->stats)
		*self++ = (char *)"--stats";
	if (o->strict)
		*self++ = (char *)"--strict";
	if (o->wide)
		*self++ = (char *)"--wide";
	if (o->root) {
		*self++ = (char *)"--root";
		*self++ = (char *)o->root;
	}
	*self = NULL;
}

static void end(const struct options *o, const struct vm *v, int status)
{
	if (o->stats)
		vm_stats(v);
	if (o->profile)
		vm_hot(v);
	if (v->recorder)
		record_end(v->recorder, o->record);
	if (o->counts)
		counts_add(o->counts, v->map, v->per_place, v->pages * (uint32_t)OXE_PAGE);
	if (v->space.refs)
		refs_close(v->space.refs);
	if (o->child && v->signal) { // so that its parent learns of the signal
		signal(sys_host_signal(v->signal), SIG_DFL);
		raise(sys_host_signal(v->signal));
	}
	exit(status);
}

// What is watched while the program runs.
static void instruments(const struct options *o, const char *path, struct vm *v)
{
	char beside[PATH_MAX];
	const char *map = o->map;

	snprintf(beside, sizeof beside, "%s.map", path);
	if (!map && access(beside, R_OK) == 0)
		map = beside;
	v->map = map ? symbols_read(map) : NULL;
	if ((o->record || o->counts) && !v->map) {
		warn("--record and --counts need a map; octix cc --map=FILE writes it, --map FILE names it");
		exit(EXIT_USAGE);
	}
	if (o->record)
		v->recorder = record_start(v->map, v->pages * (uint32_t)OXE_PAGE);
	if (o->profile || o->counts)
		v->per_place = xcalloc(v->pages * (size_t)OXE_PAGE, sizeof *v->per_place);
	v->trace = o->trace;
	v->trace_calls = o->trace_calls;
	v->pid = getpid();
	v->child = o->child;
	if (o->pages)
		v->space.refs = refs_open(o->pages);
}

static void run(const struct options *o, char **argv)
{
	static struct vm v;
	static char *self[MAX_SELF];
	struct oxe_file f;

	v.name = argv[0];
	open_program(o, argv[0], &f);
	vm_load(&v, &f);
	oxe_free(&f);
	host_command(o, self);
	instruments(o, argv[0], &v);
	v.strict = v.sys.strict = o->strict;
	v.wide = o->wide;
	v.max_insns = o->max_insns;
	v.sys.root = o->root;
	v.sys.self = self;
	if (o->argv0)
		argv[0] = (char *)o->argv0;
	v.cpu.r[2] = space_arguments(&v.space, argv, o->env);
	if (!v.cpu.r[2])
		die("arguments and environment exceed %d bytes", OXE_ARG_MAX);
	end(o, &v, vm_run(&v));
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	int c;

	diag_name = "oxrun";
	while ((c = getopt_long(argc, argv, "+h", long_options, NULL)) != -1)
		take_option(&o, c);
	if (optind == argc)
		wrong_usage();
	run(&o, argv + optind);
}
