// SPDX-License-Identifier: ISC
//
// Bad addresses in each call that takes one: not there, not writable, beyond the data space, over its end.
#include "systest.h"

#include <sys/statvfs.h>

typedef int tried(void *address);

// The call answers EFAULT for all bad addresses, or all but NULL, which means something else.
static void each_bad_from(unsigned first, int for_writing, tried *try)
{
	void *address;

	for (unsigned n = first; bad_address(n, for_writing, &address); n++)
		FAILS(EFAULT, try(address));
}

static void each_bad(int for_writing, tried *try)
{
	each_bad_from(0, for_writing, try);
}

static void each_bad_but_null(int for_writing, tried *try)
{
	each_bad_from(1, for_writing, try);
}

// The same for a structure that begins well.
static void over_the_edge(tried *try, unsigned inside)
{
	FAILS(EFAULT, try(edge_address(inside)));
}

static int fd;

// ---- paths

static int try_open(void *p)
{
	return open(p, O_RDONLY);
}

static int try_create(void *p)
{
	return open(p, O_WRONLY | O_CREAT | O_TRUNC, 0666);
}

static int try_stat(void *p)
{
	struct stat st;

	return stat(p, &st);
}

static int try_chdir(void *p)
{
	return chdir(p);
}

static int try_mkdir(void *p)
{
	return mkdir(p, 0777);
}

static int try_rmdir(void *p)
{
	return rmdir(p);
}

static int try_unlink(void *p)
{
	return unlink(p);
}

static int try_rename_from(void *p)
{
	return rename(p, "other");
}

static int try_rename_to(void *p)
{
	return rename("file", p);
}

static int try_access(void *p)
{
	return access(p, F_OK);
}

static int try_execve(void *p)
{
	char *const argv[] = { (char *)"x", NULL };

	return execve(p, argv, argv + 1);
}

static tried *const paths[] = { try_open, try_create, try_stat, try_chdir, try_mkdir, try_rmdir, try_unlink, try_rename_from, try_rename_to,
				try_access, try_execve };

static void bad_paths(void)
{
	make_file("file", "x");
	for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++)
		each_bad(0, paths[i]);
	CHECK(file_is("file", "x"));
}

static void unended_paths(void)
{
	char *edge = edge_address(3);

	make_file("file", "x");
	memset(edge, 'f', 3);
	for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++)
		over_the_edge(paths[i], 3);
	edge = edge_address(5);
	strcpy(edge, "file"); // ends with the last good byte
	CHECK(access(edge, F_OK) == 0 && file_is("file", "x"));
}

// ---- buffers

static int try_read(void *p)
{
	lseek(fd, 0, SEEK_SET);
	return (int)read(fd, p, 3);
}

static int try_write(void *p)
{
	return (int)write(fd, p, 3);
}

static void file_buffers(void)
{
	fd = file_with("file", "abcdef", 6);
	each_bad(1, try_read);
	each_bad(0, try_write);
	CHECK(close(fd) == 0 && file_is("file", "abcdef"));
}

static void pipe_buffers(void)
{
	char text[8];
	int ends[2];

	CHECK(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3);
	fd = ends[1];
	each_bad(0, try_write);
	fd = ends[0];
	each_bad(1, try_read);
	CHECK(write(ends[1], "d", 1) == 1 && read(ends[0], text, 8) == 4 && memcmp(text, "abcd", 4) == 0);
}

static void partly(void)
{
	char *edge = edge_address(2), text[4];
	ssize_t n;

	memcpy(edge, "ab", 2);
	fd = file_with("file", "0123456789", 10);
	n = write(fd, edge, 6);
	CHECK((n == 2 || (n == -1 && errno == EFAULT)) && file_size("file") == 10);
	CHECK(lseek(fd, 0, SEEK_CUR) == (n == 2 ? 2 : 0) && lseek(fd, 4, SEEK_SET) == 4);
	n = read(fd, edge, 6);
	CHECK(n == 2 || (n == -1 && errno == EFAULT));
	CHECK(memcmp(edge, "45", 2) == 0 && lseek(fd, 4, SEEK_SET) == 4 && read(fd, text, 4) == 4 && memcmp(text, "4567", 4) == 0);
}

// A file that was to be written from there keeps no room for it.
static void no_room_taken(void)
{
	struct statvfs before, after;

	fd = file_with("file", "", 0);
	CHECK(statvfs(".", &before) == 0);
	each_bad(0, try_write);
	CHECK(file_size("file") == 0 && statvfs(".", &after) == 0 && after.f_bfree == before.f_bfree);
}

static void at_the_edge(void)
{
	char *edge = edge_address(6);

	fd = file_with("file", "012345", 6);
	CHECK(read(fd, edge, 6) == 6 && memcmp(edge, "012345", 6) == 0 && write(fd, edge, 6) == 6 && file_is("file", "012345012345"));
}

// ---- structures

static int try_pipe(void *p)
{
	return pipe(p);
}

static void pipes(void)
{
	for (int i = 0; i < 4; i++) {
		each_bad(1, try_pipe);
		over_the_edge(try_pipe, 4);
	}
	CHECK(file_with("file", "", 0) == 3); // no descriptor is lost
}

static int try_waitpid(void *p)
{
	pid_t child = ended_child(3);
	int result = waitpid(child, p, 0), error = errno;

	waitpid(child, NULL, WNOHANG); // it may still be there
	errno = error;
	return result;
}

static void statuses(void)
{
	each_bad_but_null(1, try_waitpid);
}

static int try_argv(void *p)
{
	return execve(self, p, NULL);
}

static int try_envp(void *p)
{
	char *const argv[] = { (char *)"x", NULL };

	return execve(self, argv, p);
}

static int try_argument(void *p)
{
	char *const argv[] = { (char *)"x", p, NULL };

	return execve(self, argv, argv + 2);
}

static void vectors(void)
{
	each_bad_but_null(0, try_argv);
	each_bad_but_null(0, try_envp);
	each_bad_but_null(0, try_argument);
	*(char **)edge_address(sizeof(char *)) = (char *)"x"; // no NULL behind it
	over_the_edge(try_argv, sizeof(char *));
	over_the_edge(try_envp, sizeof(char *));
}

static const struct test tests[] = {
	TEST(bad_paths, QUICK),
	TEST(unended_paths, QUICK),
	TEST(file_buffers, QUICK),
	TEST(pipe_buffers, QUICK),
	TEST(partly, QUICK),
	TEST(at_the_edge, QUICK),
	TEST(no_room_taken, OCTIX | WITH_PROC), // elsewhere others may write meanwhile
	TEST(pipes, QUICK),
	TEST(statuses, QUICK),
	TEST(vectors, QUICK),
};

AREA("address", tests);
