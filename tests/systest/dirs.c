// SPDX-License-Identifier: ISC
//
// Directories: mkdir, rmdir, chdir, getcwd, reading them.
#include "systest.h"

#include <dirent.h>

// ---- mkdir and rmdir

static void making(void)
{
	make_file("file", "");
	CHECK(mkdir("dir", 0777) == 0 && mkdir("dir/sub", 0777) == 0 && mkdir("slash/", 0777) == 0);
	FAILS(EEXIST, mkdir("dir", 0777));
	FAILS(EEXIST, mkdir("file", 0777));
	FAILS(EEXIST, mkdir(".", 0777));
	FAILS(EEXIST, mkdir("/", 0777));
	FAILS(ENOENT, mkdir("none/dir", 0777));
	FAILS(ENOENT, mkdir("", 0777));
	FAILS(ENOTDIR, mkdir("file/dir", 0777));
	FAILS(ENAMETOOLONG, mkdir(long_name(PATH_MAX), 0777));
}

static void removing(void)
{
	make_file("file", "");
	CHECK(mkdir("dir", 0777) == 0 && mkdir("dir/sub", 0777) == 0);
	CHECK(rmdir("dir") == -1 && (errno == ENOTEMPTY || errno == EEXIST));
	FAILS(ENOTDIR, rmdir("file"));
	FAILS(ENOENT, rmdir("none"));
	FAILS(ENOENT, rmdir(""));
	FAILS(EINVAL, rmdir("dir/."));
	CHECK(rmdir("/") == -1 && rmdir("dir/sub") == 0);
	make_file("dir/file", "");
	CHECK(rmdir("dir") == -1 && unlink("dir/file") == 0 && rmdir("dir") == 0);
	FAILS(ENOENT, rmdir("dir"));
}

static void removing_dots(void)
{
	CHECK(mkdir("dir", 0777) == 0 && mkdir("dir/sub", 0777) == 0);
	CHECK(rmdir("dir/sub/..") == -1 && (errno == ENOTEMPTY || errno == EINVAL));
	CHECK(access("dir/sub", F_OK) == 0);
}

static void remove_cwd(void)
{
	char path[PATH_MAX];

	CHECK(mkdir("dir", 0777) == 0 && chdir("dir") == 0 && rmdir("../dir") == 0);
	FAILS(ENOENT, open("file", O_WRONLY | O_CREAT, 0666));
	FAILS(ENOENT, mkdir("sub", 0777));
	CHECK(getcwd(path, sizeof path) == NULL && errno == ENOENT);
}

static void remove_open(void)
{
	DIR *dir;

	CHECK(mkdir("dir", 0777) == 0);
	dir = opendir("dir");
	CHECK(dir && (rmdir("dir") == 0 || errno == EBUSY));
	CHECK(closedir(dir) == 0 && (rmdir("dir") == 0 || errno == ENOENT));
}

// ---- the working directory

static void changing(void)
{
	make_file("file", "");
	CHECK(mkdir("dir", 0777) == 0 && chdir("dir") == 0);
	make_file("inside", "x");
	CHECK(chdir("..") == 0 && file_is("dir/inside", "x") && file_is("./dir/../dir//inside", "x"));
	FAILS(ENOENT, chdir("none"));
	FAILS(ENOENT, chdir(""));
	FAILS(ENOTDIR, chdir("file"));
	FAILS(ENOTDIR, chdir("file/x"));
	FAILS(ENAMETOOLONG, chdir(long_name(PATH_MAX)));
	CHECK(file_is("dir/inside", "x") && chdir("/") == 0 && chdir("..") == 0 && access("bin", F_OK) == 0);
}

static void where(void)
{
	char before[PATH_MAX], after[PATH_MAX];

	CHECK(getcwd(before, sizeof before) == before && before[0] == '/');
	CHECK(mkdir("Some Folder", 0777) == 0 && chdir("Some Folder") == 0 && getcwd(after, sizeof after) == after);
	CHECK(strncmp(before, after, strlen(before)) == 0 && strcmp(after + strlen(before), "/Some Folder") == 0);
	CHECK(getcwd(before, strlen(after) + 1) == before && strcmp(before, after) == 0);
	CHECK(getcwd(before, strlen(after)) == NULL && errno == ERANGE);
	CHECK(getcwd(before, 1) == NULL && errno == ERANGE);
	CHECK(chdir("/") == 0 && getcwd(before, 2) == before && strcmp(before, "/") == 0);
}

static void where_of_size_0(void)
{
	char path[4];

	CHECK(getcwd(path, 0) == NULL && errno == EINVAL);
}

static void where_from_heap(void)
{
	char path[PATH_MAX], *own;

	CHECK(getcwd(path, sizeof path) && (own = getcwd(NULL, 0)) && strcmp(own, path) == 0);
	free(own);
}

static int real_is(const char *path, const char *before, const char *after)
{
	char real[PATH_MAX], *own = realpath(path, NULL);
	int same = realpath(path, real) == real && own && strcmp(own, real) == 0;

	free(own);
	return same && strncmp(real, before, strlen(before)) == 0 && strcmp(real + strlen(before), after) == 0;
}

static void real_paths(void)
{
	char here[PATH_MAX];

	make_file("file", "");
	CHECK(mkdir("dir", 0777) == 0 && mkdir("dir/sub", 0777) == 0 && getcwd(here, sizeof here));
	CHECK(real_is(".", here, "") && real_is("file", here, "/file") && real_is("dir//sub/./../sub/", here, "/dir/sub"));
	CHECK(real_is("dir/../dir/..", here, "") && real_is("/", "/", "") && real_is("/..//.", "/", "") && real_is("/tmp/../tmp", "/", "tmp"));
	CHECK(realpath("none", here) == NULL && errno == ENOENT && realpath("", here) == NULL && errno == ENOENT);
	CHECK(realpath("file/..", here) == NULL && errno == ENOTDIR);
}

static void deep(void)
{
	char path[PATH_MAX + 300], small[200];

	for (int i = 0; i < 8; i++)
		CHECK(mkdir("a folder with a name of 32 bytes", 0777) == 0 && chdir("a folder with a name of 32 bytes") == 0);
	make_file("file", "deep");
	CHECK(file_is("file", "deep") && file_is("../a folder with a name of 32 bytes/file", "deep"));
	CHECK(getcwd(path, sizeof path) && strlen(path) > 8 * 33 && strcmp(path + strlen(path) - 32, "a folder with a name of 32 bytes") == 0);
	CHECK(getcwd(small, sizeof small) == NULL && errno == ERANGE);
	for (int i = 0; i < 8; i++)
		CHECK(chdir("..") == 0);
	CHECK(access("a folder with a name of 32 bytes", F_OK) == 0);
}

// ---- reading

static void reading(void)
{
	int dots = 0, seen[3] = { 0 }, others = 0;
	struct dirent *entry;
	DIR *dir;

	make_file("a", "");
	make_file("A longer name.text", "");
	CHECK(mkdir("sub", 0777) == 0 && (dir = opendir(".")) != NULL);
	errno = 0;
	while ((entry = readdir(dir))) {
		CHECK(entry->d_ino != 0);
		if (entry->d_name[0] == '.')
			dots++;
		else if (strcmp(entry->d_name, "a") == 0)
			seen[0]++;
		else if (strcmp(entry->d_name, "A longer name.text") == 0)
			seen[1]++;
		else if (strcmp(entry->d_name, "sub") == 0)
			seen[2]++;
		else
			others++;
	}
	CHECK(errno == 0 && dots == 2 && seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && others == 0);
	CHECK(readdir(dir) == NULL && closedir(dir) == 0);
}

static unsigned count(DIR *dir)
{
	unsigned n = 0;

	while (readdir(dir))
		n++;
	return n;
}

static void rewinding(void)
{
	char first[256];
	struct dirent *entry;
	long place;
	DIR *dir;

	for (int i = 0; i < 12; i++)
		make_file(text_of(i), "");
	dir = opendir(".");
	CHECK(dir && count(dir) == 14);
	rewinddir(dir);
	CHECK(count(dir) == 14);
	make_file("more", "");
	rewinddir(dir);
	for (int i = 0; i < 5; i++)
		CHECK(readdir(dir));
	place = telldir(dir);
	CHECK((entry = readdir(dir)) != NULL);
	strcpy(first, entry->d_name);
	CHECK(count(dir) == 9);
	seekdir(dir, place);
	CHECK((entry = readdir(dir)) && strcmp(entry->d_name, first) == 0 && count(dir) == 9 && closedir(dir) == 0);
}

static void reading_root(void)
{
	int dots = 0, bin = 0;
	struct dirent *entry;
	DIR *dir = opendir("/");

	CHECK(dir);
	while ((entry = readdir(dir))) {
		dots += strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
		bin += strcmp(entry->d_name, "bin") == 0;
	}
	CHECK(dots == 2 && bin == 1 && closedir(dir) == 0);
}

static void reading_errors(void)
{
	char byte;
	int fd;

	make_file("file", "");
	CHECK(opendir("none") == NULL && errno == ENOENT);
	CHECK(opendir("file") == NULL && errno == ENOTDIR);
	CHECK(opendir("") == NULL && errno == ENOENT);
	fd = open(".", O_RDONLY);
	FAILS(EISDIR, read(fd, &byte, 1));
	FAILS(EBADF, write(fd, &byte, 1));
	FAILS(EINVAL, ftruncate(fd, 0));
}

static void from_descriptor(void)
{
	int fd = open(".", O_RDONLY), file = file_with("file", "", 0);
	DIR *dir = fdopendir(fd);

	CHECK(dir && dirfd(dir) == fd && count(dir) == 3);
	CHECK(fdopendir(file) == NULL && errno == ENOTDIR);
	CHECK(fdopendir(9) == NULL && errno == EBADF);
	CHECK(closedir(dir) == 0);
	FAILS(EBADF, close(fd));
}

static void remove_while_reading(void)
{
	unsigned n = 0;
	struct dirent *entry;
	DIR *dir;

	for (int i = 0; i < 20; i++)
		make_file(text_of(1000 + i), "");
	dir = opendir(".");
	CHECK(dir);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.') {
			CHECK(unlink(entry->d_name) == 0);
			n++;
		}
	CHECK(n == 20);
	rewinddir(dir);
	CHECK(count(dir) == 2 && closedir(dir) == 0);
}

static int chosen(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void scanning(void)
{
	static const char *const names[] = { "b", "a", "a long name in the middle", "c" };
	static const char *const sorted[] = { "a", "a long name in the middle", "b", "c" };
	struct dirent **list;
	int n;

	for (int i = 0; i < 4; i++)
		make_file(names[i], "");
	n = scandir(".", &list, chosen, alphasort);
	CHECK(n == 4);
	for (int i = 0; i < n; i++) {
		CHECK(strcmp(list[i]->d_name, sorted[i]) == 0);
		free(list[i]);
	}
	free(list);
	CHECK(scandir("none", &list, NULL, NULL) == -1 && errno == ENOENT);
}

static void many_files(void)
{
	char name[32];
	DIR *dir;

	for (int i = 0; i < 120; i++) {
		snprintf(name, sizeof name, "a file with number %d", i);
		make_file(name, "");
	}
	dir = opendir(".");
	CHECK(dir && count(dir) == 122 && closedir(dir) == 0);
	for (int i = 0; i < 120; i += 2) {
		snprintf(name, sizeof name, "a file with number %d", i);
		CHECK(unlink(name) == 0);
	}
	dir = opendir(".");
	CHECK(dir && count(dir) == 62 && closedir(dir) == 0);
	for (int i = 0; i < 120; i++) {
		snprintf(name, sizeof name, "a file with number %d", i);
		CHECK(file_size(name) == (i & 1 ? 0 : -1));
	}
}

static const struct test tests[] = {
	TEST(making, QUICK),
	TEST(removing, QUICK),
	TEST(removing_dots, QUICK),
	TEST(remove_cwd, QUICK),
	TEST(remove_open, QUICK),
	TEST(changing, QUICK),
	TEST(where, QUICK),
	TEST(where_of_size_0, QUICK),
	TEST(where_from_heap, QUICK),
	TEST(real_paths, QUICK),
	TEST(deep, QUICK),
	TEST(reading, QUICK),
	TEST(rewinding, QUICK),
	TEST(reading_root, QUICK),
	TEST(reading_errors, QUICK),
	TEST(from_descriptor, QUICK),
	TEST(remove_while_reading, QUICK),
	TEST(scanning, QUICK),
	TEST(many_files, SLOW),
};

AREA("dirs", tests);
