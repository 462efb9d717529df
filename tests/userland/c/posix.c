// SPDX-License-Identifier: ISC
//
// Processes, files, folders, time, environment, errors, and what C keeps between them.
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <octix/octix.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int constructed;

__attribute__((constructor)) static void construct(void)
{
	constructed = 42;
}

static void files(void)
{
	struct stat st;
	char buffer[8] = "";
	int fd = open("p", O_RDWR | O_CREAT | O_TRUNC, 0644);

	CHECK(fd > 2 && write(fd, "abcdef", 6) == 6 && lseek(fd, -2, SEEK_END) == 4 && read(fd, buffer, 8) == 2);
	CHECK(strcmp(buffer, "ef") == 0 && read(fd, buffer, 8) == 0);
	CHECK(fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 6 && st.st_mtime > 0);
	CHECK(ftruncate(fd, 2) == 0 && lseek(fd, 0, SEEK_END) == 2);
	CHECK(dup2(fd, 9) == 9 && close(fd) == 0 && lseek(9, 0, SEEK_CUR) == 2 && close(9) == 0);
	CHECK(close(fd) == -1 && errno == EBADF);
	CHECK(stat("nofile", &st) == -1 && errno == ENOENT);
	CHECK(stat(".", &st) == 0 && S_ISDIR(st.st_mode));
	CHECK(rename("p", "q") == 0 && access("p", F_OK) == -1 && access("q", R_OK) == 0 && unlink("q") == 0);
	CHECK(open("q", O_RDONLY) == -1 && isatty(0) == 0);
	fd = open("a", O_WRONLY | O_CREAT | O_APPEND, 0644);
	CHECK(write(fd, "1", 1) == 1 && lseek(fd, 0, SEEK_SET) == 0 && write(fd, "2", 1) == 1);
	CHECK(fstat(fd, &st) == 0 && st.st_size == 2 && close(fd) == 0);
	CHECK(open("a", O_WRONLY | O_CREAT | O_EXCL, 0644) == -1 && errno == EEXIST);
}

static void folders(void)
{
	char path[40];
	DIR *dir;
	struct dirent *entry;
	int n = 0, dirs = 0;

	CHECK(mkdir("d", 0777) == 0 && mkdir("d", 0777) == -1 && errno == EEXIST && mkdir("d/sub", 0777) == 0);
	for (int i = 0; i < 40; i++) {
		sprintf(path, "d/a-file-with-a-long-name-%d", i);
		close(open(path, O_WRONLY | O_CREAT, 0666));
	}
	dir = opendir("d");
	CHECK(dir != NULL);
	while ((entry = readdir(dir))) {
		n += strncmp(entry->d_name, "a-file", 6) == 0 && strlen(entry->d_name) == entry->d_namlen;
		dirs += entry->d_type == DT_DIR && strcmp(entry->d_name, "sub") == 0;
	}
	CHECK(n == 40 && dirs == 1);
	rewinddir(dir);
	CHECK(readdir(dir) != NULL && closedir(dir) == 0);
	CHECK(opendir("nodir") == NULL && errno == ENOENT && rmdir("d") == -1 && errno == ENOTEMPTY);
	CHECK(chdir("d") == 0 && getcwd(path, sizeof path) && strcmp(path, "/w/d") == 0 && chdir("..") == 0);
	CHECK(getcwd(path, 2) == NULL && errno == ERANGE);
}

static int spawned(const char *script, posix_spawn_file_actions_t *actions)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	pid_t pid;
	int status;

	if (posix_spawnp(&pid, "sh", actions, NULL, argv, NULL) != 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return status;
}

static void processes(void)
{
	char *const argv[] = { (char *)"nosuch", NULL };
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status;

	CHECK(WEXITSTATUS(spawned("exit 3", NULL)) == 3);
	CHECK(posix_spawnp(&pid, "nosuch", NULL, NULL, argv, NULL) == ENOENT);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "spawned", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	posix_spawn_file_actions_addclose(&actions, 0);
	CHECK(spawned("echo out; echo err >&2", &actions) == 0);
	posix_spawn_file_actions_destroy(&actions);
	CHECK(WEXITSTATUS(spawned("read a < spawned && [ $a = out ]", NULL)) == 0);
	pid = vfork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "kill -TERM $$", (char *)NULL);
		_exit(127);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	CHECK(wait(&status) == -1 && errno == ECHILD);
	CHECK(getpid() > 0 && getppid() > 0 && kill(getpid(), 0) == 0);
	CHECK(signal(SIGINT, SIG_IGN) == SIG_DFL && signal(SIGINT, SIG_DFL) == SIG_IGN && raise(0) == 0);
}

static void times(void)
{
	struct timeval tv;
	struct timespec ts = { .tv_nsec = 20000000 };
	unsigned long before = cycles();

	CHECK(time(NULL) >= 0 && gettimeofday(&tv, NULL) == 0 && nanosleep(&ts, NULL) == 0 && usleep(100) == 0);
	CHECK(cycles() != before && clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && mark(7) == 0);
}

static void environment(void)
{
	CHECK(strcmp(getenv("PATH"), "/bin:/sbin") == 0 && getenv("NOSUCH") == NULL);
	CHECK(setenv("A", "1", 1) == 0 && setenv("A", "2", 0) == 0 && strcmp(getenv("A"), "1") == 0);
	CHECK(WEXITSTATUS(spawned("exit $A", NULL)) == 1 && unsetenv("A") == 0 && getenv("A") == NULL);
}

static void jumps(void)
{
	static jmp_buf here;
	volatile int passed = 0;

	if (setjmp(here) < 3)
		longjmp(here, ++passed);
	CHECK(passed == 3);
}

static int by_value(const void *a, const void *b)
{
	return *(const short *)a - *(const short *)b;
}

static void library(void)
{
	short v[100];
	char text[] = "a,b,,c", *end;
	int sorted = 1, key = 0;

	for (int i = 0; i < 100; i++)
		v[i] = (short)(i * 7919 % 1009 - 500);
	qsort(v, 100, sizeof v[0], by_value);
	for (int i = 1; i < 100; i++)
		sorted &= v[i - 1] <= v[i];
	key = v[70];
	CHECK(sorted && bsearch(&(short){ (short)key }, v, 100, sizeof v[0], by_value) == &v[70]);
	CHECK(strtol("-123x", &end, 10) == -123 && *end == 'x' && strtoul("0xff", NULL, 0) == 255);
	errno = 0;
	CHECK(strtol("99999999999", NULL, 10) == 0x7fffffff && errno == ERANGE && atoi("  42") == 42);
	CHECK(strcmp(strtok(text, ","), "a") == 0 && strcmp(strtok(NULL, ","), "b") == 0 && strcmp(strtok(NULL, ","), "c") == 0);
	srand(1);
	key = rand();
	srand(1);
	CHECK(rand() == key && rand() != key);
	CHECK(strcmp(strerror(ENOENT), "no such file") == 0 && strcmp(strerror(ENAMETOOLONG), "name too long") == 0);
	CHECK(strcmp(strerror(ENOSYS), "not implemented") == 0 && strcmp(strerror(999), "error 999") == 0);
	CHECK((long long)0x123456789abcdefll / 1000 == 81985529216486ll && 7000000000ull % 1000007 == 951007);
}

static void last(void)
{
	puts("atexit 1");
}

static void first(void)
{
	puts("atexit 2");
}

int main(int argc, char **argv)
{
	CHECK(constructed == 42 && argc == 3 && strcmp(argv[1], "one") == 0 && strcmp(argv[2], "t w o") == 0 && !argv[3]);
	files();
	folders();
	processes();
	times();
	environment();
	jumps();
	library();
	atexit(last);
	atexit(first);
	return report();
}
