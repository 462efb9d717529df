// SPDX-License-Identifier: ISC
//
// System calls on files, directories and pipes.
#include "diag.h"
#include "sys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <octix/abi.h>
#include <octix/errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Open directories, by file descriptor.
enum { MAX_FD = 1024 };
static DIR *directories[MAX_FD];

static void forget_directory(uint32_t fd)
{
	if (fd < MAX_FD && directories[fd]) {
		closedir(directories[fd]);
		directories[fd] = NULL;
	}
}

int32_t sys_read(struct sys *s, const uint32_t *arg)
{
	void *to = sys_bytes(s, arg[1], arg[2], SPACE_WRITE);

	return to ? sys_result(read((int)arg[0], to, arg[2])) : -OX_EFAULT;
}

int32_t sys_write(struct sys *s, const uint32_t *arg)
{
	void *from = sys_bytes(s, arg[1], arg[2], SPACE_READ);

	return from ? sys_result(write((int)arg[0], from, arg[2])) : -OX_EFAULT;
}

static const struct {
	uint32_t octix;
	int host;
} open_flags[] = { { OX_O_APPEND, O_APPEND }, { OX_O_NONBLOCK, O_NONBLOCK }, { OX_O_CREAT, O_CREAT }, { OX_O_TRUNC, O_TRUNC },
		   { OX_O_EXCL, O_EXCL }, { OX_O_DIRECTORY, O_DIRECTORY }, { OX_O_CLOEXEC, O_CLOEXEC } };
enum { STATUS_FLAGS = 2 }; // the first of them: those that fcntl tells and changes

static int host_flags(uint32_t flags)
{
	int host = (int)(flags & OX_O_ACCMODE); // the same numbers

	for (size_t i = 0; i < sizeof open_flags / sizeof *open_flags; i++)
		if (flags & open_flags[i].octix)
			host |= open_flags[i].host;
	return host | O_NOCTTY;
}

int32_t sys_open(struct sys *s, const uint32_t *arg)
{
	char path[PATH_MAX];
	int32_t error = sys_path(s, arg[0], path, sizeof path);

	return error ? error : sys_result(open(path, host_flags(arg[1]), arg[2] & 0777));
}

int32_t sys_close(struct sys *s, const uint32_t *arg)
{
	(void)s;
	forget_directory(arg[0]);
	return sys_result(close((int)arg[0]));
}

int32_t sys_lseek(struct sys *s, const uint32_t *arg)
{
	off_t at;

	(void)s;
	if (arg[2] > OX_SEEK_END)
		return -OX_EINVAL;
	forget_directory(arg[0]);
	at = lseek((int)arg[0], (int32_t)arg[1], (int)arg[2]);
	return at > INT32_MAX ? -OX_EFBIG : sys_result(at);
}

static uint32_t saturate(off_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

// FAT has no time before 1980 or after 2107.
static uint32_t fat_date(time_t seconds)
{
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || tm.tm_year < 80 || tm.tm_year > 207)
		return 0;
	return (uint32_t)(tm.tm_year - 80) << 25 | (uint32_t)(tm.tm_mon + 1) << 21 | (uint32_t)tm.tm_mday << 16 |
	       (uint32_t)tm.tm_hour << 11 | (uint32_t)tm.tm_min << 5 | (uint32_t)tm.tm_sec / 2;
}

// One number for a file of any file system.
static uint32_t number_of(const struct stat *st)
{
	return (uint32_t)(st->st_ino ^ st->st_dev * 2654435761u);
}

static int32_t put_stat(struct sys *s, uint32_t addr, int failed, const struct stat *st)
{
	struct oct_stat o;
	void *to = sys_bytes(s, addr, sizeof o, SPACE_WRITE);

	if (failed)
		return sys_error(errno);
	if (!to)
		return -OX_EFAULT;
	o = (struct oct_stat){ .ino = number_of(st), .size = saturate(st->st_size), .mtime = fat_date(st->st_mtime),
			       .mode = (uint16_t)st->st_mode,
			       .uid = sys_small_id(st->st_uid), .gid = sys_small_id(st->st_gid) };
	memcpy(to, &o, sizeof o);
	return 0;
}

int32_t sys_oct_stat(struct sys *s, const uint32_t *arg)
{
	char path[PATH_MAX];
	struct stat st;
	int32_t error = sys_path(s, arg[0], path, sizeof path);

	return error ? error : put_stat(s, arg[1], stat(path, &st), &st);
}

int32_t sys_oct_fstat(struct sys *s, const uint32_t *arg)
{
	struct stat st;

	return put_stat(s, arg[1], fstat((int)arg[0], &st), &st);
}

// Writes one record. Returns its bytes, 0 when it does not fit.
static uint32_t put_entry(uint8_t *to, uint32_t room, const struct dirent *d, int fd)
{
	size_t length = strlen(d->d_name);
	uint32_t bytes = (uint32_t)(offsetof(struct oct_dirent, name) + length + 1 + 3) & ~3u;
	struct oct_dirent e = { .ino = (uint32_t)d->d_ino, .reclen = (uint8_t)bytes, .namelen = (uint8_t)length };
	struct stat st;

	if (bytes > room)
		return 0;
	if (!fstatat(fd, d->d_name, &st, 0)) {
		e.size = saturate(st.st_size);
		e.ino = number_of(&st);
		e.mtime = fat_date(st.st_mtime);
		e.mode = (uint16_t)st.st_mode;
		e.uid = sys_small_id(st.st_uid);
		e.gid = sys_small_id(st.st_gid);
	}
	memset(to, 0, bytes);
	memcpy(to, &e, offsetof(struct oct_dirent, name));
	memcpy(to + offsetof(struct oct_dirent, name), d->d_name, length);
	return bytes;
}

static int32_t fill_entries(DIR *dir, uint8_t *to, uint32_t n)
{
	uint32_t used = 0;

	for (;;) {
		long before = telldir(dir);
		const struct dirent *d = readdir(dir);
		uint32_t bytes;

		if (!d)
			return (int32_t)used;
		if (strlen(d->d_name) > OX_NAME_MAX)
			continue;
		bytes = put_entry(to + used, n - used, d, dirfd(dir));
		if (!bytes) {
			seekdir(dir, before);
			return used ? (int32_t)used : -OX_EINVAL;
		}
		used += bytes;
	}
}

int32_t sys_getdents(struct sys *s, const uint32_t *arg)
{
	uint8_t *to = sys_bytes(s, arg[1], arg[2], SPACE_WRITE);
	int copy;

	if (!to)
		return -OX_EFAULT;
	if (arg[0] >= MAX_FD)
		return -OX_EBADF;
	if (!directories[arg[0]]) {
		copy = fcntl((int)arg[0], F_DUPFD_CLOEXEC, 100);
		if (copy < 0)
			return sys_error(errno);
		directories[arg[0]] = fdopendir(copy);
		if (!directories[arg[0]]) {
			int error = errno;

			close(copy);
			return sys_error(error);
		}
	}
	return fill_entries(directories[arg[0]], to, arg[2]);
}

// Calls that take one path and a number.
static int32_t on_path(struct sys *s, const uint32_t *arg, int (*call)(const char *, mode_t))
{
	char path[PATH_MAX];
	int32_t error = sys_path(s, arg[0], path, sizeof path);

	return error ? error : sys_result(call(path, arg[1] & 0777));
}

static int do_chdir(const char *path, mode_t unused)
{
	(void)unused;
	return chdir(path);
}

static int do_rmdir(const char *path, mode_t unused)
{
	(void)unused;
	return rmdir(path);
}

static int do_unlink(const char *path, mode_t unused)
{
	(void)unused;
	return unlink(path);
}

int32_t sys_chdir(struct sys *s, const uint32_t *arg)
{
	return on_path(s, arg, do_chdir);
}

int32_t sys_mkdir(struct sys *s, const uint32_t *arg)
{
	return on_path(s, arg, mkdir);
}

int32_t sys_rmdir(struct sys *s, const uint32_t *arg)
{
	return on_path(s, arg, do_rmdir);
}

int32_t sys_unlink(struct sys *s, const uint32_t *arg)
{
	return on_path(s, arg, do_unlink);
}

int32_t sys_rename(struct sys *s, const uint32_t *arg)
{
	char from[PATH_MAX], to[PATH_MAX];
	int32_t error = sys_path(s, arg[0], from, sizeof from);

	if (!error)
		error = sys_path(s, arg[1], to, sizeof to);
	return error ? error : sys_result(rename(from, to));
}

int32_t sys_ftruncate(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return sys_result(ftruncate((int)arg[0], (int32_t)arg[1]));
}

int32_t sys_dup(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return sys_result(dup((int)arg[0]));
}

int32_t sys_dup2(struct sys *s, const uint32_t *arg)
{
	(void)s;
	if (arg[0] != arg[1])
		forget_directory(arg[1]);
	return sys_result(dup2((int)arg[0], (int)arg[1]));
}

int32_t sys_pipe(struct sys *s, const uint32_t *arg)
{
	int fd[2];

	if (!sys_bytes(s, arg[0], 8, SPACE_WRITE))
		return -OX_EFAULT;
	if (pipe(fd))
		return sys_error(errno);
	space_put_word(s->space, arg[0], (uint32_t)fd[0]);
	space_put_word(s->space, arg[0] + 4, (uint32_t)fd[1]);
	return 0;
}

static int32_t status_flags(int host)
{
	int32_t flags = host & O_ACCMODE;

	for (size_t i = 0; host >= 0 && i < STATUS_FLAGS; i++)
		if (host & open_flags[i].host)
			flags |= (int32_t)open_flags[i].octix;
	return host < 0 ? sys_error(errno) : flags;
}

int32_t sys_fcntl(struct sys *s, const uint32_t *arg)
{
	int fd = (int)arg[0];

	(void)s;
	switch (arg[1]) {
	case OX_F_DUPFD:
	case OX_F_DUPFD_CLOEXEC:
		if (arg[2] >= OX_OPEN_MAX)
			return fcntl(fd, F_GETFD) < 0 ? sys_error(errno) : -OX_EINVAL;
		return sys_result(fcntl(fd, arg[1] == OX_F_DUPFD ? F_DUPFD : F_DUPFD_CLOEXEC, (int)arg[2]));
	case OX_F_GETFD:
		return sys_result(fcntl(fd, F_GETFD));
	case OX_F_SETFD:
		return sys_result(fcntl(fd, F_SETFD, (int)arg[2] & FD_CLOEXEC));
	case OX_F_GETFL:
		return status_flags(fcntl(fd, F_GETFL));
	case OX_F_SETFL:
		return sys_result(fcntl(fd, F_SETFL, host_flags(arg[2] & (OX_O_APPEND | OX_O_NONBLOCK))));
	}
	return fcntl(fd, F_GETFD) < 0 ? sys_error(errno) : -OX_EINVAL;
}

_Static_assert(sizeof(struct oct_pollfd) == sizeof(struct pollfd) && OX_POLLIN == POLLIN && OX_POLLPRI == POLLPRI && OX_POLLOUT == POLLOUT
	&& OX_POLLERR == POLLERR && OX_POLLHUP == POLLHUP && OX_POLLNVAL == POLLNVAL, "the host's are the same");

int32_t sys_poll(struct sys *s, const uint32_t *arg)
{
	struct pollfd fds[OX_OPEN_MAX];
	void *user;
	int32_t result;

	if (arg[1] > OX_OPEN_MAX)
		return -OX_EINVAL;
	user = sys_bytes(s, arg[0], arg[1] * (uint32_t)sizeof *fds, SPACE_WRITE);
	if (!user)
		return -OX_EFAULT;
	memcpy(fds, user, arg[1] * sizeof *fds);
	result = sys_result(poll(fds, arg[1], (int)arg[2]));
	memcpy(user, fds, arg[1] * sizeof *fds);
	return result;
}
