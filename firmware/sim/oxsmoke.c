// SPDX-License-Identifier: ISC
// oxsmoke: smoke-tests a card image on the simulated board. Each FILE of steps boots a fresh private
// copy of the image in a process of its own; the image file is never written. The manual is smoke.md.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "smoke.h"

static const char usage[] =
	"usage: oxsmoke [options] IMAGE [FILE...]\n"
	"Boots IMAGE on a simulated board and runs the commands in each FILE (- is standard input),\n"
	"comparing output and exit status; without FILE it boots and waits for the prompt.\n"
	"\n"
	"  --kernel FILE         kernel to boot (default build/BOARD/kernel.elf)\n"
	"  --limit SECONDS       simulated time for boot and for each command (default 10)\n"
	"  --tap                 print results as TAP on standard output (default)\n"
	"  --junit FILE          also write them as JUnit XML\n"
	"  -j N                  run N files at the same time\n"
	"  --help                this text\n"
	"\n"
	"A FILE holds, a line each:\n"
	"  # text                comment\n"
	"  $ COMMAND             typed at the prompt; what follows belongs to it:\n"
	"  text                  a line it prints; \"= text\" the same, for lines like these\n"
	"  ~ REGEX               a line that the extended regular expression matches\n"
	"  ...                   any lines, or none\n"
	"  ? N                   exit status, default 0; \"? any\" does not look\n"
	"  > text                typed to the running program, with Enter\n"
	"  key ^C                one key to it\n"
	"  pause 2s              let simulated time go by\n"
	"  halts, boots          the command ends by halting, by booting again\n"
	"  limit 5s              for the commands that follow\n"
	"  prompt TEXT           instead of \"# \"\n"
	"  boot                  first: the lines after it are the output of booting\n"
	"\n";

static const char usage_end[] =
	"\n"
	"Exit codes: 0 passed, 1 an expectation failed, 2 usage, 3 crash, 4 time-out, 5 halted too\n"
	"early. With several files the first of 2, 3, 4, 5, 1 that occurred.\n";

enum { OPT_KERNEL = OPT_OWN, OPT_LIMIT, OPT_TAP, OPT_JUNIT, OPT_HELP };

static const struct option longs[] = {
	OPTIONS_SHARED,
	{ "kernel", required_argument, 0, OPT_KERNEL },
	{ "limit", required_argument, 0, OPT_LIMIT },
	{ "tap", no_argument, 0, OPT_TAP },
	{ "junit", required_argument, 0, OPT_JUNIT },
	{ "help", no_argument, 0, OPT_HELP },
	{ 0 },
};

struct job {
	struct script script;
	struct results results;
	int fd;                 // results of the child
	pid_t pid;
	bool started, done;
};

struct smoke {
	struct options opt;
	const char *kernel, *junit;
	char default_kernel[64];
	double limit;
	unsigned parallel;
	bool help;
	struct job *jobs;
	size_t count;
};

// ---------------------------------------------------------------- options

static int positive(const char *opt, const char *arg, double *out)
{
	char *end;
	*out = strtod(arg, &end);
	if (end != arg && !*end && *out > 0 && *out < 1e6)
		return 0;
	fprintf(stderr, "oxsmoke: %s %s: a number above 0 must stand here\n", opt, arg);
	return -1;
}

static int take_parallel(struct smoke *s, const char *arg)
{
	double n;
	if (positive("-j", arg, &n))
		return -1;
	s->parallel = n < 1 ? 1 : (unsigned)n;
	return 0;
}

static int take_option(struct smoke *s, int opt, char *arg)
{
	switch (opt) {
	case OPT_KERNEL: s->kernel = arg; return 0;
	case OPT_LIMIT: return positive("--limit", arg, &s->limit);
	case OPT_TAP: return 0;
	case OPT_JUNIT: s->junit = arg; return 0;
	case OPT_HELP: s->help = true; return 0;
	case 'j': return take_parallel(s, arg);
	}
	return opt == '?' || opt == ':' ? -1 : options_take(&s->opt, opt, arg);
}

static int read_scripts(struct smoke *s, char **files, size_t count)
{
	s->count = count ? count : 1;
	s->jobs = calloc(s->count, sizeof *s->jobs);
	if (!s->jobs)
		return -1;
	if (!count)
		script_boot_only(&s->jobs[0].script);
	for (size_t i = 0; i < count; i++)
		if (script_read(&s->jobs[i].script, files[i], s->limit))
			return -1;
	return 0;
}

static void choose_kernel(struct smoke *s)
{
	snprintf(s->default_kernel, sizeof s->default_kernel, "build/%s/kernel.elf",
		 s->opt.cfg.chip->board);
	s->opt.cfg.kernel = s->kernel ? s->kernel : s->default_kernel;
}

static int parse(struct smoke *s, int argc, char **argv)
{
	int opt;
	options_init(&s->opt);
	s->limit = 10;
	s->parallel = 1;
	while ((opt = getopt_long(argc, argv, "j:", longs, NULL)) != -1)
		if (take_option(s, opt, optarg))
			return -1;
	if (s->help)
		return 0;
	if (optind >= argc) {
		fprintf(stderr, "oxsmoke: an IMAGE must be named; --help tells more\n");
		return -1;
	}
	s->opt.cfg.card = argv[optind];
	choose_kernel(s);
	options_finish(&s->opt, 0);
	return read_scripts(s, argv + optind + 1, (size_t)(argc - optind - 1));
}

// A missing image or kernel is the caller's mistake: say so once, before anything runs.
static int check_files(const struct smoke *s)
{
	const char *files[2] = { s->opt.cfg.card, s->opt.cfg.kernel };
	for (int i = 0; i < 2; i++)
		if (access(files[i], R_OK)) {
			fprintf(stderr, "oxsmoke: %s: cannot be read: %s%s\n", files[i],
				strerror(errno), i ? "; build it, or name one with --kernel" : "");
			return -1;
		}
	return 0;
}

// ---------------------------------------------------------------- jobs

static int run_child(struct smoke *s, struct job *j)
{
	FILE *f = fdopen(j->fd, "w");
	int code = f ? smoke_run(&j->script, &s->opt, s->limit, f) : EXIT_USAGE;
	if (f && fflush(f))
		code = EXIT_USAGE;
	return code;
}

static void start(struct smoke *s, struct job *j)
{
	j->started = true;
	j->results.name = j->script.path;
	j->fd = memfd_create("results", MFD_CLOEXEC);
	fflush(NULL);
	j->pid = j->fd < 0 ? -1 : fork();
	if (j->pid == 0)
		_exit(run_child(s, j));
	if (j->pid < 0) {
		fprintf(stderr, "oxsmoke: cannot start a process: %s\n", strerror(errno));
		exit(EXIT_USAGE);
	}
}

static void collect_text(struct job *j)
{
	struct stat st;
	size_t size = fstat(j->fd, &st) ? 0 : (size_t)st.st_size;
	j->results.text = calloc(size + 1, 1);
	if (j->results.text && pread(j->fd, j->results.text, size, 0) < 0)
		j->results.text[0] = '\0';
	close(j->fd);
}

static void finish(struct smoke *s, pid_t pid, int status)
{
	for (size_t i = 0; i < s->count; i++) {
		struct job *j = &s->jobs[i];
		if (!j->started || j->done || j->pid != pid)
			continue;
		j->done = true;
		j->results.code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_USAGE;
		collect_text(j);
		if (!WIFEXITED(status))
			fprintf(stderr, "oxsmoke: %s: the simulator died of signal %d\n",
				j->script.path, WTERMSIG(status));
	}
}

static void print_in_order(struct smoke *s, size_t *printed, unsigned *number)
{
	while (*printed < s->count && s->jobs[*printed].done)
		tap_print(&s->jobs[(*printed)++].results, number);
}

static void run_all(struct smoke *s)
{
	size_t next = 0, running = 0, printed = 0;
	unsigned number = 0;
	int status;
	printf("TAP version 13\n");
	while (printed < s->count) {
		while (next < s->count && running < s->parallel) {
			start(s, &s->jobs[next++]);
			running++;
		}
		pid_t pid = wait(&status);
		if (pid < 0 && errno != EINTR)
			break;
		if (pid < 0)
			continue;
		running--;
		finish(s, pid, status);
		print_in_order(s, &printed, &number);
	}
	printf("1..%u\n", number);
}

static int worst(const struct smoke *s)
{
	static const int order[] = { EXIT_USAGE, EXIT_CRASH, EXIT_TIMEOUT, EXIT_HALTED, EXIT_FAILED };
	for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
		for (size_t i = 0; i < s->count; i++)
			if (s->jobs[i].results.code == order[k])
				return order[k];
	return EXIT_PASSED;
}

static int write_junit(const struct smoke *s)
{
	struct results *all = calloc(s->count, sizeof *all);
	int rc = -1;
	for (size_t i = 0; all && i < s->count; i++)
		all[i] = s->jobs[i].results;
	if (all)
		rc = junit_write(s->junit, all, s->count);
	free(all);
	return rc;
}

static void release(struct smoke *s)
{
	for (size_t i = 0; i < s->count; i++) {
		script_free(&s->jobs[i].script);
		free(s->jobs[i].results.text);
	}
	free(s->jobs);
}

int main(int argc, char **argv)
{
	static struct smoke s;
	int code;
	if (parse(&s, argc, argv))
		return EXIT_USAGE;
	if (s.help) {
		printf("%s%s%s", usage, options_help, usage_end);
		return EXIT_PASSED;
	}
	if (check_files(&s))
		return EXIT_USAGE;
	run_all(&s);
	code = worst(&s);
	if (s.junit && write_junit(&s))
		code = EXIT_USAGE;
	release(&s);
	return code;
}
