// SPDX-License-Identifier: ISC
//
// Chooses the tests, runs each in a process of its own, and counts.
#include "systest.h"

#include <dirent.h>
#include <time.h>

enum { LIMIT_QUICK = 30, LIMIT_SLOW = 300, FAILED = 91, SKIPPED = 92, NOT_STARTED = 93 };

static const char folder[] = "systest.tmp";
static struct area *areas, **last = &areas;
static const struct test *running; // of the process that runs one
static const struct area *running_in;
static unsigned passed, failed, skipped;

const char *self;

static const char *const part_names[PARTS] = { "no users", "no sems", "no poll", "no proc", "no unicode", "not many", "no nice" }; // many: processes

static const char usage[] =
	"Usage: systest [-q] [-l] [AREA | AREA/TEST]...\n"
	"Tests the system calls; makes and removes the folder systest.tmp where it is started.\n"
	"  -q  the quick set only\n"
	"  -l  list the tests, and what each needs, instead of running them\n"
	"  -1 AREA/TEST  run one test in this process and folder, for a debugger\n"
	"A line for each test; the last line is `N passed, N failed, N skipped`. Exit status 0: none failed, 1: some, 2: usage.\n";

void area_add(struct area *area)
{
	*last = area;
	last = &area->next;
}

// ---- one test, in its process

_Noreturn static void end(const char *word, const char *text, int status)
{
	dprintf(1, "%-7s %s/%s: %s\n", word, running_in->name, running->name, text);
	_exit(status);
}

static int is_known(void)
{
	return on_octix && running->known;
}

_Noreturn void test_failed(const char *file, int line, int wanted)
{
	char text[200], instead[48] = "";
	const char *slash = strrchr(file, '/'), *reason = is_known() ? running->known : "";
	int error = errno;

	if (wanted)
		snprintf(instead, sizeof instead, ", not %d (%s)", wanted, strerror(wanted));
	snprintf(text, sizeof text, "%s%s%s:%d, errno %d (%s)%s", reason, *reason ? "; " : "", slash ? slash + 1 : file, line, error,
		 strerror(error), instead);
	end(*reason ? "known" : "FAILED", text, *reason ? SKIPPED : FAILED);
}

_Noreturn static void skip(const char *reason)
{
	end("skipped", reason, SKIPPED);
}

static int run_here(const struct area *area, const struct test *test)
{
	running_in = area;
	running = test;
	if (test->needs & OCTIX && !on_octix)
		skip("only Octix has it");
	if (test->needs & TTY && !isatty(0))
		skip("standard input is no terminal");
	if (test->needs & ROOT && geteuid() != 0)
		skip("not root");
	for (unsigned i = 0; i < PARTS; i++)
		if (test->needs & FIRST_PART << i && !has_part(FIRST_PART << i))
			skip(part_names[i]);
	if (test->needs & FULL && !nearly_full())
		skip("the card has room");
	test->run();
	if (is_known())
		end("FAILED", "it passes: take its KNOWN away", FAILED);
	return 0;
}

// ---- folders

static int is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

// Removes the files of the current folder; the name of a folder in it, or NULL.
static char *remove_files(void)
{
	static char name[256];
	struct dirent *entry;
	DIR *dir = opendir(".");
	char *found = NULL;

	while (dir && !found && (entry = readdir(dir)))
		if (!is_dots(entry->d_name) && unlink(entry->d_name) < 0)
			found = strcpy(name, entry->d_name);
	if (dir)
		closedir(dir);
	return found;
}

static void remove_contents(unsigned depth)
{
	char *name;

	while (depth < 40 && (name = remove_files())) {
		char copy[256];

		strcpy(copy, name);
		if (chdir(copy) < 0)
			return;
		remove_contents(depth + 1);
		if (chdir("..") < 0 || rmdir(copy) < 0)
			return;
	}
}

static void fresh_folder(void)
{
	if (mkdir(folder, 0777) < 0 && errno != EEXIST) {
		perror(folder);
		exit(2);
	}
}

static void remove_folder(void)
{
	if (chdir(folder) == 0) {
		remove_contents(0);
		if (chdir("..") < 0 || rmdir(folder) < 0)
			perror(folder);
	}
}

// ---- all tests

static pid_t start_test(const struct area *area, const struct test *test)
{
	char name[64];
	char *argv[] = { (char *)self, (char *)"-1", name, NULL };
	pid_t pid;

	snprintf(name, sizeof name, "%s/%s", area->name, test->name);
	fflush(stdout);
	pid = vfork();
	if (pid == 0) {
		if (!(test->needs & TTY))
			setpgid(0, 0);
		for (int fd = 3; fd < 64; fd++)
			close(fd);
		if (chdir(folder) == 0)
			execv(self, argv);
		_exit(NOT_STARTED);
	}
	return pid;
}

// The wait status of the process; it is killed after `limit` seconds. -1 then.
static int wait_for(pid_t pid, unsigned limit)
{
	unsigned pause = 4;
	int status;

	for (unsigned ms = 0; ms < limit * 1000; ms += pause) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		pause = 4 + ms / 4;
		usleep(pause * 1000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return -1;
}

static void report(const struct area *area, const struct test *test, int status)
{
	int code = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	if (code == 0) {
		passed++;
		printf("%-7s %s/%s\n", "ok", area->name, test->name);
		return;
	}
	if (code == SKIPPED) {
		skipped++;
		return;
	}
	failed++;
	if (code == FAILED)
		return;
	printf("FAILED  %s/%s: ", area->name, test->name);
	if (status == -1)
		puts("not done in time");
	else if (code < 0)
		printf("killed by signal %d\n", WTERMSIG(status));
	else
		printf("exit status %d\n", code);
}

static void run(const struct area *area, const struct test *test)
{
	pid_t pid;
	int status;

	fresh_folder();
	pid = start_test(area, test);
	if (pid < 0) {
		perror("systest: cannot start a process");
		exit(2);
	}
	status = wait_for(pid, test->needs & SLOW ? LIMIT_SLOW : LIMIT_QUICK);
	if (!(test->needs & TTY))
		kill(-pid, SIGKILL); // what it has started
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	report(area, test, status);
	remove_folder();
}

static void list(const struct area *area, const struct test *test)
{
	printf("%s/%s%s%s%s%s%s", area->name, test->name, test->needs & SLOW ? " slow" : "", test->needs & OCTIX ? " octix" : "",
	       test->needs & TTY ? " tty" : "", test->needs & FULL ? " full" : "", test->needs & ROOT ? " root" : "");
	for (unsigned i = 0; i < PARTS; i++)
		if (test->needs & FIRST_PART << i)
			fputs(strchr(part_names[i], ' '), stdout);
	printf("%s%s\n", test->known ? " known: " : "", test->known ? test->known : "");
}

// Is the test among those that were named? All are when none was.
static int chosen(const struct area *area, const struct test *test, char **names)
{
	size_t n = strlen(area->name);

	for (char **name = names; *name; name++)
		if (strncmp(*name, area->name, n) == 0 && (!(*name)[n] || ((*name)[n] == '/' && strcmp(*name + n + 1, test->name) == 0)))
			return 1;
	return !*names;
}

typedef void action(const struct area *, const struct test *);

static unsigned each(action *act, int quick, char **names)
{
	unsigned n = 0;

	for (const struct area *a = areas; a; a = a->next)
		for (unsigned i = 0; i < a->count; i++)
			if (chosen(a, &a->tests[i], names) && !(quick && a->tests[i].needs & SLOW)) {
				n++;
				act(a, &a->tests[i]);
			}
	return n;
}

static void run_one(const struct area *area, const struct test *test)
{
	exit(run_here(area, test));
}

// The absolute path of this program: tests run in other folders.
static void find_self(const char *name)
{
	static char path[PATH_MAX];

	self = name;
	if (*name == '/')
		return;
	if (!strchr(name, '/') || !getcwd(path, sizeof path) || strlen(path) + strlen(name) + 2 > sizeof path) {
		fputs("systest: start it by its path, as in ./systest, and in a folder whose path is not long\n", stderr);
		exit(2);
	}
	strcat(path, "/");
	self = strcat(path, name);
}

static int complain(void)
{
	fputs(usage, stderr);
	return 2;
}

int main(int argc, char **argv)
{
	int option, quick = 0;
	action *act = run;

	find_self(argv[0]);
	if (argc > 1 && strcmp(argv[1], "-x") == 0)
		return helper_main(argv + 2);
	while ((option = getopt(argc, argv, "ql1h")) != -1)
		switch (option) {
		case 'q': quick = 1; break;
		case 'l': act = list; break;
		case '1': act = run_one; break;
		case 'h': fputs(usage, stdout); return 0;
		default: return complain();
		}
	if (act == run_one && argc - optind != 1)
		return complain();
	if (!each(act, quick, argv + optind)) {
		fprintf(stderr, "systest: no test of that name: systest -l lists them\n");
		return 2;
	}
	if (act == run)
		printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed != 0;
}
