// SPDX-License-Identifier: ISC
//
// nodes: calls on /dev and /proc that must fail, and how, by a table; then what devices read and write. Prints what is wrong and, at the
// end, `N checks, M wrong`.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <octix/octix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int checks, wrong;

static void check(int good, const char *what, const char *path, int result, int error)
{
	checks++;
	if (good)
		return;
	wrong++;
	printf("%s %s: %d, errno %d\n", what, path, result, error);
}

// ---- what must fail

enum call { OPEN, MKDIR, RMDIR, UNLINK, CHDIR, RENAME_TO, RENAME_FROM, STAT, EXECVE };

static const char *const names[] = { "open", "mkdir", "rmdir", "unlink", "chdir", "rename to", "rename", "stat", "execve" };

static const struct failure {
	unsigned char call, error;
	const char *path;
	int flags;
} failures[] = {
	{ OPEN, EISDIR, "/dev", O_WRONLY }, { OPEN, EISDIR, "/proc", O_RDWR }, { OPEN, EISDIR, "/proc/1", O_WRONLY | O_TRUNC },
	{ OPEN, EISDIR, "/dev", O_RDONLY | O_CREAT }, { OPEN, ENOTDIR, "/dev/null", O_RDONLY | O_DIRECTORY },
	{ OPEN, EEXIST, "/dev/null", O_WRONLY | O_CREAT | O_EXCL }, { OPEN, EEXIST, "/dev", O_RDONLY | O_CREAT | O_EXCL },
	{ OPEN, EACCES, "/proc/stat", O_WRONLY }, { OPEN, EACCES, "/proc/meminfo", O_RDWR }, { OPEN, EACCES, "/proc/1/stat", O_WRONLY | O_APPEND },
	{ OPEN, EROFS, "/dev/new", O_WRONLY | O_CREAT }, { OPEN, EROFS, "/proc/77", O_RDONLY | O_CREAT },
	{ OPEN, EROFS, "/proc/1/new", O_RDWR | O_CREAT | O_EXCL },
	{ OPEN, ENOENT, "/dev/new", O_RDONLY }, { OPEN, ENOENT, "/proc/0", O_RDONLY }, { OPEN, ENOENT, "/proc/01", O_RDONLY },
	{ OPEN, ENOENT, "/proc/1x", O_RDONLY }, { OPEN, ENOENT, "/proc/99999999999", O_RDONLY }, { OPEN, ENOENT, "/proc/-1", O_RDONLY },
	{ OPEN, ENOENT, "/proc/1/1", O_RDONLY }, { OPEN, ENOENT, "/dev/...", O_RDONLY }, { OPEN, ENOENT, "/dev/.x", O_RDONLY },
	{ OPEN, ENOENT, "/devx", O_RDONLY }, { OPEN, ENOENT, "/de", O_RDONLY }, { OPEN, ENOENT, "/dev/nul", O_RDONLY },
	{ OPEN, ENOENT, "/dev/nullx", O_RDONLY }, { OPEN, ENOENT, "/dev/dev", O_RDONLY }, { OPEN, ENOENT, "/proc/proc", O_RDONLY },
	{ OPEN, ENOENT, "/etc/dev", O_RDONLY }, { OPEN, ENOENT, "/dev/stat", O_RDONLY }, { OPEN, ENOENT, "/dev/\xff\xfe", O_RDONLY },
	{ OPEN, ENOENT, "/dev/new/", O_RDONLY }, { OPEN, ENOENT, "/dev/new/x", O_WRONLY | O_CREAT },
	{ OPEN, ENOTDIR, "/dev/null/", O_RDONLY }, { OPEN, ENOTDIR, "/dev/null/x", O_RDONLY }, { OPEN, ENOTDIR, "/dev/null/..", O_RDONLY },
	{ OPEN, ENOTDIR, "/proc/stat/x", O_WRONLY | O_CREAT }, { OPEN, ENOTDIR, "/proc/1/stat/.", O_RDONLY },
	{ MKDIR, EEXIST, "/dev", 0 }, { MKDIR, EEXIST, "/dev/", 0 }, { MKDIR, EEXIST, "/dev/null", 0 }, { MKDIR, EROFS, "/dev/x", 0 },
	{ MKDIR, EROFS, "/proc/5555", 0 }, { MKDIR, ENOTDIR, "/dev/null/x", 0 }, { MKDIR, ENOENT, "/dev/x/y", 0 },
	{ RMDIR, EROFS, "/dev", 0 }, { RMDIR, EROFS, "/proc/1", 0 }, { RMDIR, EROFS, "/dev/null", 0 }, { RMDIR, EROFS, "/dev/new", 0 },
	{ UNLINK, EROFS, "/dev", 0 }, { UNLINK, EROFS, "/dev/null", 0 }, { UNLINK, EROFS, "/proc/stat", 0 }, { UNLINK, EROFS, "/proc/1/stat", 0 },
	{ UNLINK, EROFS, "/proc/none", 0 }, { UNLINK, ENOTDIR, "/dev/tty/x", 0 },
	{ CHDIR, ENOTDIR, "/dev/null", 0 }, { CHDIR, ENOTDIR, "/proc/stat", 0 }, { CHDIR, ENOENT, "/proc/31999", 0 },
	{ RENAME_TO, EROFS, "/dev/file", 0 }, { RENAME_TO, EROFS, "/dev/null", 0 }, { RENAME_TO, EROFS, "/dev", 0 },
	{ RENAME_TO, EROFS, "/proc/1", 0 }, { RENAME_FROM, EROFS, "/dev/null", 0 }, { RENAME_FROM, EROFS, "/dev", 0 },
	{ RENAME_FROM, EROFS, "/proc/1/stat", 0 }, { RENAME_FROM, EROFS, "/dev/none", 0 },
	{ STAT, ENOENT, "/proc/31999/stat", 0 }, { STAT, ENOTDIR, "/dev/zero/", 0 },
	{ EXECVE, EACCES, "/dev/null", 0 }, { EXECVE, EACCES, "/proc/stat", 0 }, { EXECVE, EACCES, "/dev", 0 }, { EXECVE, ENOENT, "/dev/none", 0 },
};

static int result_of(const struct failure *f)
{
	static char *const none[] = { NULL };
	struct stat st;

	switch (f->call) {
	case OPEN: return open(f->path, f->flags, 0666);
	case MKDIR: return mkdir(f->path, 0777);
	case RMDIR: return rmdir(f->path);
	case UNLINK: return unlink(f->path);
	case CHDIR: return chdir(f->path);
	case RENAME_TO: return rename("/tmp/nodes", f->path);
	case RENAME_FROM: return rename(f->path, "/tmp/other");
	case STAT: return stat(f->path, &st);
	}
	return execve(f->path, none, none);
}

static void all_failures(void)
{
	int fd = open("/tmp/nodes", O_WRONLY | O_CREAT, 0666);

	check(fd >= 0, "open", "/tmp/nodes", fd, errno);
	close(fd);
	for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
		int result = result_of(&failures[i]);

		check(result == -1 && errno == failures[i].error, names[failures[i].call], failures[i].path, result, errno);
	}
	check(unlink("/tmp/nodes") == 0 && access("/tmp/other", F_OK) != 0, "unlink", "/tmp/nodes", 0, errno);
}

// ---- what must work

// Opens path, and expects these results (-errno for -1) of a read and a write of n bytes, and of lseek to 0.
static void device(const char *path, int flags, unsigned n, int reads, int writes, int seeks)
{
	static char data[600];
	int fd = open(path, flags), got;

	memset(data, 'x', sizeof data);
	check(fd >= 0, "open", path, fd, errno);
	got = write(fd, data, n) < 0 ? -errno : (int)n;
	check(got == writes, "write", path, got, 0);
	got = read(fd, data, n);
	got = got < 0 ? -errno : got;
	check(got == reads, "read", path, got, 0);
	if (!strcmp(path, "/dev/zero") && got > 0)
		for (int i = 0; i < got; i++)
			check(data[i] == 0, "zero", path, data[i], i);
	got = lseek(fd, 0, SEEK_SET) < 0 ? -errno : 0;
	check(got == seeks, "lseek", path, got, 0);
	got = ftruncate(fd, 0) < 0 ? -errno : 0;
	check(got == -EINVAL, "ftruncate", path, got, 0);
	close(fd);
}

static void devices(void)
{
	device("/dev/null", O_RDWR, 600, 0, 600, 0);
	device("/dev/null", O_RDONLY, 10, 0, -EBADF, 0);
	device("/dev/null", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 10, -EBADF, 10, 0);
	device("/dev/zero", O_RDWR, 600, 600, 600, 0);
	device("/dev/zero", O_RDWR, 0, 0, 0, 0);
	device("/dev/random", O_RDONLY, 600, 600, -EBADF, 0);
	device("/dev/tty", O_WRONLY, 0, -EBADF, 0, -ESPIPE);
	device("/dev/console", O_RDONLY, 0, 0, -EBADF, -ESPIPE);
	device("/proc/1/stat", O_RDONLY, 1, 1, -EBADF, 0);
	device("/dev", O_RDONLY, 1, -EISDIR, -EBADF, 0);
}

// Bytes that are no pointers, for the calls as they are.
static void bad_memory(void)
{
	int fd = open("/dev/zero", O_RDONLY), random = open("/dev/random", O_RDONLY), text = open("/proc/stat", O_RDONLY);

	check(read(fd, (void *)4, 10) == -1 && errno == EFAULT, "read to NULL", "zero", 0, errno);
	check(read(random, (void *)0x10000, 10) == -1 && errno == EFAULT, "read to 64 KB", "random", 0, errno);
	check(read(text, (void *)failures, 10) == -1 && errno == EFAULT, "read to constants", "stat", 0, errno);
	check(getdents(text, (void *)4, 100) == -1 && errno == ENOTDIR, "getdents", "stat", 0, errno);
	check(lseek(text, 100000, SEEK_SET) == 100000 && read(text, &fd, 4) == 0, "read behind the end", "stat", 0, errno);
	close(text);
	close(random);
}

static void randomness(void)
{
	static unsigned char seen[256], data[512];
	int fd = open("/dev/random", O_RDONLY), distinct = 0;
	unsigned ones = 0;

	check(read(fd, data, sizeof data) == sizeof data, "read", "random", 0, errno);
	close(fd);
	for (unsigned i = 0; i < sizeof data; i++) {
		distinct += !seen[data[i]]++;
		for (unsigned bit = 0; bit < 8; bit++)
			ones += data[i] >> bit & 1;
	}
	check(distinct > 190 && distinct < 245, "distinct bytes", "random", distinct, 0); // 221 are to be expected
	check(ones > 1900 && ones < 2200, "ones", "random", (int)ones, 0);                // of 4,096 bits: 2,048
}

// A text read byte by byte, backwards and in pieces is the same text: lines do not move.
static void texts(const char *path)
{
	static char all[600], pieces[600];
	int fd = open(path, O_RDONLY), n, size = 0;

	while ((n = read(fd, all + size, sizeof all - (size_t)size)) > 0)
		size += n;
	check(size > 100 && all[size - 1] == '\n' && size % 25 == 0, "size", path, size, n);
	for (int at = size - 1; at >= 0; at--)
		check(lseek(fd, at, SEEK_SET) == at && read(fd, pieces + at, 1) == 1, "byte", path, at, errno);
	for (int i = 0; i < size; i++)
		check((pieces[i] == '\n') == (all[i] == '\n') && (pieces[i] == all[i] || i % 25 > 12), "text", path, i, pieces[i]);
	close(fd);
}

static void numbers(void)
{
	struct stat st, by_fd;
	DIR *dir = opendir("/dev");
	struct dirent *d;
	char path[140];
	int n = 0, fd;

	for (; (d = readdir(dir)); n++) {
		snprintf(path, sizeof path, "/dev/%s", d->d_name);
		fd = open(path, O_RDONLY);
		check(stat(path, &st) == 0 && fstat(fd, &by_fd) == 0 && st.st_ino == by_fd.st_ino && st.st_mode == by_fd.st_mode
		      && S_ISCHR(st.st_mode) && st.st_size == 0, "stat", path, (int)st.st_mode, fd);
		check(isatty(fd) == (!strncmp(d->d_name, "tty", 3) || !strcmp(d->d_name, "console")), "isatty", path, 0, 0);
		close(fd);
	}
	check(n == 12, "entries", "/dev", n, 0);
	rewinddir(dir);
	check(readdir(dir) != NULL, "rewind", "/dev", 0, errno);
	closedir(dir);
	check(stat("/proc/stat", &st) == 0 && st.st_mode == (S_IFREG | 0444), "stat", "/proc/stat", (int)st.st_mode, 0);
	check(stat("/proc/1", &st) == 0 && st.st_mode == (S_IFDIR | 0555), "stat", "/proc/1", (int)st.st_mode, 0);
	check(stat("/DEV/../proc/./1/../../dev//null", &st) == 0 && S_ISCHR(st.st_mode), "stat", "a long way", (int)st.st_mode, 0);
}

static void folders(void)
{
	char path[40];

	sprintf(path, "/proc/%d", (int)getpid());
	check(chdir(path) == 0 && getcwd(path + 20, 20) && !strcmp(path, path + 20), "getcwd", path, 0, errno);
	check(access("stat", R_OK) == 0 && access("../meminfo", R_OK) == 0 && access("../../dev/null", W_OK) == 0, "access", path, 0, errno);
	check(chdir("..") == 0 && getcwd(path, 20) && !strcmp(path, "/proc"), "getcwd", path, 0, errno);
	check(mkdir("x", 0777) == -1 && errno == EROFS, "mkdir", "x", 0, errno);
	check(chdir("../dev/..") == 0 && getcwd(path, 20) && !strcmp(path, "/"), "getcwd", path, 0, errno);
}

int main(void)
{
	all_failures();
	devices();
	bad_memory();
	randomness();
	texts("/proc/stat");
	texts("/proc/meminfo");
	texts("/proc/1/stat");
	numbers();
	folders();
	printf("%d checks, %d wrong\n", checks, wrong);
	return wrong != 0;
}
