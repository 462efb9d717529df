// SPDX-License-Identifier: ISC
//
// execve and its family: arguments, environment, what stays, what cannot be run. posix_spawn.
#include "systest.h"

#include <spawn.h>

enum { CHILD_FAILED = 120 };

static char *word(const char *text)
{
	return (char *)text;
}

// Copies a file, to be executed.
static void copy_program(const char *from, const char *to)
{
	static char block[1024];
	int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0777);
	ssize_t n;

	CHECK(in >= 0 && out >= 0);
	while ((n = read(in, block, sizeof block)) > 0)
		CHECK(write(out, block, (size_t)n) == n);
	CHECK(n == 0 && close(in) == 0 && close(out) == 0);
}

static void arguments(void)
{
	CHECK(run_helper("env", "NONE", "", NULL) == 1);
	CHECK(setenv("EMPTY", "", 1) == 0 && run_helper("env", "EMPTY", "", NULL) == 0);
	CHECK(setenv("A", "value with = and blanks ", 1) == 0 && run_helper("env", "A", "value with = and blanks ", NULL) == 0);
	CHECK(run_helper("env", "A", "value with = and blanks", NULL) == 1);
}

static void long_argument(void)
{
	char *text = long_name(300);

	CHECK(setenv("LONG", text, 1) == 0 && run_helper("env", "LONG", text, NULL) == 0);
}

// Around the limit of Octix: what is not refused arrives whole.
static void longest_argument(void)
{
	unsigned accepted = 0, refused = 0;

	for (unsigned n = 500; n < 4200; n += n < 3900 ? 331 : 17) {
		char *text = long_name(n);
		pid_t pid = start("length", text, text_of((long)n), NULL);
		int status = exit_status(pid);

		CHECK(status == 0 || (status == 127 && on_octix)); // 127: execv has refused it
		CHECK(status == 127 || !refused);
		accepted += status == 0;
		refused += status == 127;
		free(text);
	}
	CHECK(accepted > 5 && (refused > 0) == on_octix);
}

// Arguments take no stack from the program but the first kilobyte.
static void stack_stays(void)
{
	enum { MUCH = 3700 };

	CHECK(run_helper("deep", long_name(MUCH), text_of(MUCH), NULL) == 0);
}

static void too_long(void)
{
	char *argv[] = { word(self), word("-x"), word("exit"), word("0"), long_name(on_octix ? 4096 : 200000), NULL };

	FAILS(E2BIG, execv(on_octix ? self : "/proc/self/exe", argv));
	FAILS(E2BIG, execve(on_octix ? self : "/proc/self/exe", argv, argv));
}

static void too_many(void)
{
	enum { MANY = 900 };
	static char *argv[MANY + 1];

	for (int i = 0; i < MANY; i++)
		argv[i] = word("");
	FAILS(E2BIG, execv(self, argv));
}

static void environments(void)
{
	char *argv[] = { word(self), word("-x"), word("env"), word("B"), word("b"), NULL };
	char *envp[] = { word("A=a"), word("B=b"), NULL };
	pid_t pid = vfork();

	if (pid == 0) {
		execve(self, argv, envp);
		_exit(CHILD_FAILED);
	}
	CHECK(exit_status(pid) == 0);
	pid = vfork();
	if (pid == 0) {
		execle(self, self, "-x", "env", "A", "a", (char *)NULL, envp);
		_exit(CHILD_FAILED);
	}
	CHECK(exit_status(pid) == 0 && setenv("B", "mine", 1) == 0);
	pid = vfork();
	if (pid == 0) {
		execl(self, self, "-x", "env", "B", "mine", (char *)NULL);
		_exit(CHILD_FAILED);
	}
	CHECK(exit_status(pid) == 0);
}

static void along_path(void)
{
	pid_t pid;

	copy_program("/bin/true", "a-program");
	CHECK(mkdir("bin", 0777) == 0 && rename("a-program", "bin/a-program") == 0 && setenv("PATH", "/none:bin:/bin", 1) == 0);
	pid = vfork();
	if (pid == 0) {
		execlp("a-program", "true", (char *)NULL);
		_exit(CHILD_FAILED);
	}
	CHECK(exit_status(pid) == 0);
	FAILS(ENOENT, execlp("no-program", "x", (char *)NULL));
	FAILS(ENOENT, execlp("./a-program", "x", (char *)NULL));
	CHECK(setenv("PATH", "/bin", 1) == 0);
	FAILS(ENOENT, execlp("a-program", "x", (char *)NULL));
	FAILS(ENOENT, execlp("", "x", (char *)NULL));
}

static void missing(void)
{
	char *argv[] = { word("x"), NULL };

	make_file("file", "text that is no program\n");
	FAILS(ENOENT, execv("none", argv));
	FAILS(ENOENT, execv("", argv));
	FAILS(ENOENT, execv("none/x", argv));
	FAILS(ENOTDIR, execv("file/x", argv));
	FAILS(EACCES, execv(".", argv));
	FAILS(ENAMETOOLONG, execv(long_name(PATH_MAX), argv));
}

static void no_program(void)
{
	char *argv[] = { word("x"), NULL };
	int fd;

	fd = open("text", O_WRONLY | O_CREAT, 0777);
	CHECK(write(fd, "this is no program\n", 19) == 19 && close(fd) == 0);
	FAILS(ENOEXEC, execv("./text", argv));
	CHECK(close(open("empty", O_WRONLY | O_CREAT, 0777)) == 0);
	FAILS(ENOEXEC, execv("./empty", argv));
}

static void large_no_program(void)
{
	char *argv[] = { word("x"), NULL };
	int fd = open("text", O_WRONLY | O_CREAT, 0777);

	for (int i = 0; i < 100; i++)
		CHECK(write(fd, "no program\n", 11) == 11);
	CHECK(close(fd) == 0);
	FAILS(ENOEXEC, execv("./text", argv));
}

static void damaged(void)
{
	char *argv[] = { word("x"), NULL };
	unsigned char byte;
	int fd;

	for (int at = 0; at < 500; at += 61) {
		copy_program("/bin/true", "program");
		fd = open("program", O_RDWR);
		CHECK(fd >= 0 && pread(fd, &byte, 1, at) == 1);
		byte ^= 16;
		CHECK(pwrite(fd, &byte, 1, at) == 1 && close(fd) == 0);
		FAILS(ENOEXEC, execv("program", argv));
	}
	copy_program("/bin/core", "program");
	CHECK(truncate("program", 1024) == 0);
	FAILS(ENOEXEC, execv("program", argv));
}

static void copied(void)
{
	char *argv[] = { word("true"), NULL };
	pid_t pid;

	copy_program("/bin/true", "program");
	pid = vfork();
	if (pid == 0) {
		execv("./program", argv);
		_exit(CHILD_FAILED);
	}
	CHECK(exit_status(pid) == 0 && unlink("program") == 0);
}

static void being_written(void)
{
	char *argv[] = { word("true"), NULL };
	int fd;

	copy_program("/bin/true", "program");
	fd = open("program", O_WRONLY);
	CHECK(fd >= 0);
	FAILS(ETXTBSY, execv("./program", argv));
	CHECK(close(fd) == 0);
}

static void what_stays(void)
{
	char *me = word(text_of(getpid()));
	pid_t pid;

	make_file("file", "x");
	CHECK(run_helper("file", "file", "x", NULL) == 0 && run_helper("group", me, NULL, NULL) == 0);
	pid = vfork();
	if (pid == 0) {
		if (setpgid(0, 0) < 0)
			_exit(CHILD_FAILED);
		execl(self, self, "-x", "group", text_of(getpid()), (char *)NULL);
		_exit(CHILD_FAILED);
	}
	CHECK(exit_status(pid) == 0);
}

static void nothing_lost_by_failing(void)
{
	static const char before[] = "memory stays";
	char *argv[] = { word("x"), NULL };

	make_file("file", "x");
	for (int i = 0; i < 20; i++)
		FAILS(ENOENT, execv("none", argv));
	CHECK(strcmp(before, "memory stays") == 0 && file_is("file", "x") && run_helper("exit", "9", NULL, NULL) == 9);
}

// ---- posix_spawn

static char *spawn_argv[] = { NULL, (char *)"-x", (char *)"put", (char *)"1", (char *)"spawned", NULL };

static void spawning(void)
{
	pid_t pid = -1;
	char *none[] = { word("none"), NULL };
	posix_spawn_file_actions_t actions;

	spawn_argv[0] = word(self);
	CHECK(posix_spawn_file_actions_init(&actions) == 0);
	CHECK(posix_spawn_file_actions_addopen(&actions, 1, "out", O_WRONLY | O_CREAT | O_TRUNC, 0666) == 0);
	CHECK(posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 && posix_spawn_file_actions_addclose(&actions, 0) == 0);
	CHECK(posix_spawnp(&pid, self, &actions, NULL, spawn_argv, environ) == 0 && exit_status(pid) == 0);
	CHECK(posix_spawn_file_actions_destroy(&actions) == 0 && file_is("out", "spawned"));
	CHECK(posix_spawn(&pid, "none", NULL, NULL, none, environ) == ENOENT);
	CHECK(posix_spawnp(&pid, "none", NULL, NULL, none, environ) == ENOENT);
	FAILS(ECHILD, wait(NULL));
}

static void spawning_group(void)
{
	char *argv[] = { word(self), word("-x"), word("group"), word(text_of(getpid())), NULL };
	posix_spawnattr_t attributes;
	pid_t pid;

	CHECK(posix_spawnattr_init(&attributes) == 0 && posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0);
	CHECK(posix_spawnattr_setpgroup(&attributes, 0) == 0);
	CHECK(posix_spawnp(&pid, self, NULL, &attributes, argv, environ) == 0 && exit_status(pid) == 1); // its own, not ours
	CHECK(posix_spawnattr_destroy(&attributes) == 0);
}

static void spawning_signals(void)
{
	char *ignored[] = { word(self), word("-x"), word("ignored"), word(text_of(SIGUSR1)), NULL };
	char *blocked[] = { word(self), word("-x"), word("mask"), word(text_of(SIGHUP)), NULL };
	posix_spawnattr_t attributes;
	sigset_t set, got;
	short flags;
	pid_t pid;

	CHECK(signal(SIGUSR1, SIG_IGN) != SIG_ERR && posix_spawnattr_init(&attributes) == 0);
	CHECK(sigemptyset(&set) == 0 && sigaddset(&set, SIGUSR1) == 0 && posix_spawnattr_setsigdefault(&attributes, &set) == 0);
	CHECK(sigemptyset(&set) == 0 && sigaddset(&set, SIGHUP) == 0 && posix_spawnattr_setsigmask(&attributes, &set) == 0);
	CHECK(posix_spawnattr_getsigmask(&attributes, &got) == 0 && sigismember(&got, SIGHUP) == 1 && sigismember(&got, SIGUSR1) == 0);
	CHECK(posix_spawn(&pid, self, NULL, &attributes, ignored, environ) == 0 && exit_status(pid) == 1); // no flags yet
	CHECK(posix_spawn(&pid, self, NULL, &attributes, blocked, environ) == 0 && exit_status(pid) == 0);
	CHECK(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) == 0);
	CHECK(posix_spawnattr_getflags(&attributes, &flags) == 0 && flags == (POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
	CHECK(posix_spawn(&pid, self, NULL, &attributes, ignored, environ) == 0 && exit_status(pid) == 0);
	CHECK(posix_spawn(&pid, self, NULL, &attributes, blocked, environ) == 0 && exit_status(pid) == 1);
	CHECK(run_helper("ignored", text_of(SIGUSR1), NULL, NULL) == 1 && run_helper("mask", text_of(SIGHUP), NULL, NULL) == 0); // ours are as before
	CHECK(posix_spawnattr_setflags(&attributes, 0x4000) == EINVAL && posix_spawnattr_destroy(&attributes) == 0);
}

static void shell(void)
{
	char line[20] = "";
	int status = system("exit 3");
	FILE *file;

	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3 && system(NULL) != 0);
	file = popen("echo from a shell", "r");
	CHECK(file && fgets(line, sizeof line, file) && strcmp(line, "from a shell\n") == 0 && pclose(file) == 0);
	file = popen("read word; test $word = told; exit $?", "w");
	CHECK(file && fputs("told\n", file) >= 0 && pclose(file) == 0);
}

static const struct test tests[] = {
	TEST(arguments, QUICK),
	TEST(long_argument, QUICK),
	TEST(longest_argument, QUICK),
	TEST(stack_stays, QUICK),
	TEST(too_long, QUICK),
	TEST(too_many, OCTIX),
	TEST(environments, QUICK),
	TEST(along_path, QUICK),
	TEST(missing, QUICK),
	TEST(no_program, QUICK),
	TEST(large_no_program, QUICK),
	TEST(damaged, OCTIX),
	TEST(copied, QUICK),
	TEST(being_written, QUICK),
	TEST(what_stays, QUICK),
	TEST(nothing_lost_by_failing, QUICK),
	TEST(spawning, QUICK),
	TEST(spawning_signals, QUICK),
	TEST(spawning_group, QUICK),
	TEST(shell, QUICK),
};

AREA("exec", tests);
