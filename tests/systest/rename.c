// SPDX-License-Identifier: ISC
//
// rename: what may take whose place, and what open files make of it.
#include "systest.h"

static void to_new_name(void)
{
	make_file("a", "text");
	CHECK(mkdir("dir", 0777) == 0 && rename("a", "b") == 0 && access("a", F_OK) == -1 && file_is("b", "text"));
	CHECK(rename("b", "dir/a much longer name") == 0 && file_is("dir/a much longer name", "text"));
	CHECK(rename("dir/a much longer name", "./c") == 0 && file_is("c", "text") && rmdir("dir") == 0);
}

static void over_file(void)
{
	make_file("a", "new");
	make_file("b", "old");
	CHECK(rename("a", "b") == 0 && file_is("b", "new") && access("a", F_OK) == -1);
	CHECK(rename("b", "b") == 0 && file_is("b", "new"));
	CHECK(rename("b", "./b") == 0 && file_is("b", "new"));
}

static void missing(void)
{
	make_file("file", "x");
	FAILS(ENOENT, rename("none", "other"));
	FAILS(ENOENT, rename("", "other"));
	FAILS(ENOENT, rename("file", ""));
	FAILS(ENOENT, rename("file", "none/file"));
	FAILS(ENOENT, rename("none/file", "file"));
	FAILS(ENOTDIR, rename("file/x", "other"));
	FAILS(ENOTDIR, rename("file", "file/x"));
	FAILS(ENOTDIR, rename("file", "other/"));
	FAILS(ENAMETOOLONG, rename("file", long_name(PATH_MAX)));
	FAILS(ENAMETOOLONG, rename(long_name(PATH_MAX), "file"));
	CHECK(file_is("file", "x") && access("other", F_OK) == -1);
}

static void directories(void)
{
	make_file("file", "x");
	CHECK(mkdir("dir", 0777) == 0 && mkdir("dir/sub", 0777) == 0 && mkdir("empty", 0777) == 0 && mkdir("full", 0777) == 0);
	make_file("full/file", "");
	make_file("dir/file", "in dir");
	FAILS(EISDIR, rename("file", "dir"));
	FAILS(ENOTDIR, rename("dir", "file"));
	CHECK(rename("dir", "full") == -1 && (errno == ENOTEMPTY || errno == EEXIST));
	FAILS(EINVAL, rename("dir", "dir/sub/dir"));
	FAILS(EINVAL, rename("dir", "dir/x"));
	CHECK(rename("dir", "empty") == 0 && access("dir", F_OK) == -1 && file_is("empty/file", "in dir"));
	CHECK(rename("empty", "empty") == 0 && rename("empty/", "full/moved/") == 0 && file_is("full/moved/sub/../../moved/file", "in dir"));
	CHECK(file_is("full/moved/../../file", "x"));
}

static void dots_and_root(void)
{
	CHECK(mkdir("dir", 0777) == 0);
	CHECK(rename("dir/.", "other") == -1 && (errno == EINVAL || errno == EBUSY));
	CHECK(rename("dir/..", "other") == -1 && (errno == EINVAL || errno == EBUSY));
	CHECK(rename("dir", "/") == -1 && rename("/", "dir") == -1);
	CHECK(access("dir", F_OK) == 0);
}

static void working_directory(void)
{
	char path[PATH_MAX];

	CHECK(mkdir("one", 0777) == 0 && mkdir("two", 0777) == 0 && chdir("one") == 0 && rename("../one", "../two/three") == 0);
	make_file("file", "x");
	CHECK(file_is("../../two/three/file", "x") && getcwd(path, sizeof path) && strcmp(path + strlen(path) - 10, "/two/three") == 0);
}

static void open_file(void)
{
	char text[4];
	int fd = file_with("a", "abc", 3);

	CHECK(rename("a", "b") == 0 && read(fd, text, 4) == 3 && write(fd, "def", 3) == 3 && file_is("b", "abcdef"));
	CHECK(close(fd) == 0 && file_is("b", "abcdef") && access("a", F_OK) == -1);
}

static void over_open_file(void)
{
	char text[4];
	int fd = file_with("b", "old", 3);

	make_file("a", "new");
	CHECK(rename("a", "b") == 0 && file_is("b", "new"));
	CHECK(read(fd, text, 4) == 3 && memcmp(text, "old", 3) == 0 && write(fd, "more", 4) == 4 && close(fd) == 0);
	CHECK(file_is("b", "new"));
}

static void letter_case(void)
{
	make_file("name", "x");
	CHECK(rename("name", "NAME") == 0 && file_is("NAME", "x") && rename("NAME", "A Name") == 0 && rename("A Name", "a name") == 0);
	CHECK(file_is("a name", "x"));
}

static void fat_names(void)
{
	make_file("file", "x");
	FAILS(EINVAL, rename("file", "a:b"));
	FAILS(EINVAL, rename("file", "dot."));
	CHECK(file_is("file", "x"));
}

static const struct test tests[] = {
	TEST(to_new_name, QUICK),
	TEST(over_file, QUICK),
	TEST(missing, QUICK),
	TEST(directories, QUICK),
	TEST(dots_and_root, QUICK),
	TEST(working_directory, QUICK),
	TEST(open_file, QUICK),
	TEST(over_open_file, QUICK),
	TEST(letter_case, QUICK),
	TEST(fat_names, OCTIX),
};

AREA("rename", tests);
