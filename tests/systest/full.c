// SPDX-License-Identifier: ISC
//
// A card without room: ENOSPC, and nothing lost by it. These tests need a card on which only some hundred kilobytes are free.
#include "systest.h"

// Fills the card with one file, open as the result; *size is what went in.
static int fill(const char *path, long *size)
{
	int fd = file_with(path, "", 0);
	ssize_t n;

	*size = 0;
	memset(scratch, 'f', sizeof scratch);
	while ((n = write(fd, scratch, sizeof scratch)) > 0)
		*size += n;
	CHECK(n == -1 && errno == ENOSPC && *size > 0);
	return fd;
}

static void writing(void)
{
	long size, again;
	int fd = fill("big", &size);

	FAILS(ENOSPC, write(fd, scratch, 4096));
	CHECK(file_size("big") == size && close(fd) == 0 && file_size("big") == size);
	CHECK(unlink("big") == 0 && close(fill("big", &again)) == 0 && again == size);
	fd = open("big", O_RDONLY);
	CHECK(lseek(fd, size - 100, SEEK_SET) == size - 100 && read(fd, scratch, 200) == 100 && scratch[99] == 'f' && scratch[0] == 'f');
}

static void the_others(void)
{
	long size;
	int fd, other = file_with("other", "text", 4);

	fd = fill("big", &size);
	FAILS(ENOSPC, mkdir("dir", 0777));
	CHECK(access("dir", F_OK) == -1);
	make_file("empty", "");
	CHECK(file_is("other", "text") && file_is("empty", "") && write(other, "TEXT", 4) == 4 && file_is("other", "TEXT"));
	CHECK(ftruncate(other, 100000) == -1 && errno == ENOSPC && file_size("other") == 4);
	CHECK(lseek(other, 100000, SEEK_SET) == 100000 && write(other, "x", 1) == -1 && errno == ENOSPC && file_is("other", "TEXT"));
	CHECK(ftruncate(fd, size / 2) == 0 && mkdir("dir", 0777) == 0 && unlink("big") == 0 && close(fd) == 0);
	CHECK(ftruncate(other, 4) == 0 && file_is("other", "TEXT") && close(fill("dir/big", &size)) == 0);
}

// Names need room, too, when their directory grows.
static void names(void)
{
	char name[100];
	long size;
	int n, made;

	CHECK(close(fill("big", &size)) == 0);
	for (n = 0; n < 200; n++) {
		snprintf(name, sizeof name, "%d a name that takes as many as five entries of the directory", n);
		made = open(name, O_WRONLY | O_CREAT, 0666);
		if (made < 0)
			break;
		CHECK(close(made) == 0);
	}
	CHECK(n < 200 && errno == ENOSPC && access(name, F_OK) == -1);
	FAILS(ENOSPC, rename("big", "another name that takes as many as five entries of the directory"));
	CHECK(file_size("big") == size && truncate("big", size / 2) == 0 && close(open(name, O_WRONLY | O_CREAT, 0666)) == 0);
	CHECK(rename("big", "another name that takes as many as five entries of the directory") == 0);
}

static void programs_run(void)
{
	long size;

	CHECK(close(fill("big", &size)) == 0 && run_helper("exit", "5", NULL, NULL) == 5);
	memset(scratch, 'x', sizeof scratch); // pages go to the swap file, which has its place
	CHECK(scratch[sizeof scratch - 1] == 'x' && unlink("big") == 0);
}

static const struct test tests[] = {
	TEST(writing, OCTIX | FULL),
	TEST(the_others, OCTIX | FULL),
	TEST(names, OCTIX | FULL),
	TEST(programs_run, OCTIX | FULL),
};

AREA("full", tests);
