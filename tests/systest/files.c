// SPDX-License-Identifier: ISC
//
// Regular files: open, read, write, lseek, ftruncate, stat, access, unlink, sync.
#include "systest.h"

#include <sys/statvfs.h>

// ---- open

static void open_missing(void)
{
	FAILS(ENOENT, open("none", O_RDONLY));
	FAILS(ENOENT, open("none", O_WRONLY | O_TRUNC));
	FAILS(ENOENT, open("none/file", O_WRONLY | O_CREAT, 0666));
	FAILS(ENOENT, open("", O_RDONLY));
	FAILS(ENOENT, open("", O_WRONLY | O_CREAT, 0666));
	FAILS(EISDIR, open("none/", O_WRONLY | O_CREAT, 0666));
}

static void open_creates(void)
{
	int fd = open("new", O_WRONLY | O_CREAT, 0666);

	CHECK(fd == 3 && file_size("new") == 0);
	CHECK(write(fd, "abc", 3) == 3 && close(fd) == 0);
	fd = open("new", O_RDWR | O_CREAT, 0666);
	CHECK(fd == 3 && close(fd) == 0 && file_is("new", "abc"));
	CHECK(close(creat("new", 0666)) == 0 && file_is("new", ""));
}

static void open_exclusive(void)
{
	int fd = open("new", O_WRONLY | O_CREAT | O_EXCL, 0666);

	CHECK(fd == 3 && close(fd) == 0 && mkdir("dir", 0777) == 0);
	FAILS(EEXIST, open("new", O_WRONLY | O_CREAT | O_EXCL, 0666));
	FAILS(EEXIST, open("dir", O_RDONLY | O_CREAT | O_EXCL, 0666));
}

static void open_truncates(void)
{
	make_file("file", "some text");
	CHECK(close(open("file", O_WRONLY | O_TRUNC)) == 0 && file_size("file") == 0);
	make_file("file", "some text");
	CHECK(close(open("file", O_RDWR | O_CREAT | O_TRUNC, 0666)) == 0 && file_size("file") == 0);
}

static void open_directory(void)
{
	make_file("file", "");
	FAILS(EISDIR, open(".", O_WRONLY));
	FAILS(EISDIR, open(".", O_RDWR));
	FAILS(EISDIR, open(".", O_RDONLY | O_CREAT, 0666));
	FAILS(EISDIR, open("/", O_WRONLY | O_TRUNC));
	FAILS(ENOTDIR, open("file", O_RDONLY | O_DIRECTORY));
	CHECK(close(open(".", O_RDONLY | O_DIRECTORY)) == 0);
}

static void open_through_file(void)
{
	make_file("file", "");
	FAILS(ENOTDIR, open("file/x", O_RDONLY));
	FAILS(ENOTDIR, open("file/x", O_WRONLY | O_CREAT, 0666));
	FAILS(ENOTDIR, open("file/", O_RDONLY));
	FAILS(ENOTDIR, open("file/.", O_RDONLY));
	FAILS(ENOTDIR, open("file/..", O_RDONLY));
}

static void open_directions(void)
{
	int fd;

	make_file("file", "text");
	fd = open("file", O_WRONLY);
	FAILS(EBADF, read(fd, scratch, 1));
	CHECK(close(fd) == 0);
	fd = open("file", O_RDONLY);
	FAILS(EBADF, write(fd, scratch, 1));
	CHECK(close(fd) == 0 && file_is("file", "text"));
}

static void open_twice(void)
{
	int one, two;

	make_file("file", "0123456789");
	one = open("file", O_RDWR);
	two = open("file", O_RDONLY);
	CHECK(one == 3 && two == 4 && read(one, scratch, 4) == 4);
	CHECK(lseek(two, 0, SEEK_CUR) == 0 && read(two, scratch, 2) == 2 && scratch[0] == '0');
	CHECK(write(one, "x", 1) == 1 && lseek(two, 4, SEEK_SET) == 4 && read(two, scratch, 1) == 1 && scratch[0] == 'x');
}

// ---- names

static void name_lengths(void)
{
	long longest = NAME_MAX < PATH_MAX - 1 ? NAME_MAX : PATH_MAX - 1;

	for (long n = longest - 14; n <= longest; n++) { // each number of pieces and rests of a FAT name
		make_file(long_name((unsigned)n), "");
		CHECK(file_size(long_name((unsigned)n)) == 0);
		CHECK(unlink(long_name((unsigned)n)) == 0);
	}
	FAILS(ENAMETOOLONG, open(long_name((unsigned)longest + 1), O_WRONLY | O_CREAT, 0666));
	FAILS(ENAMETOOLONG, open(long_name(255 + !on_octix), O_WRONLY | O_CREAT, 0666));
	FAILS(ENAMETOOLONG, open(long_name(256), O_RDONLY));
}

// A path of n bytes to "file" in this folder.
static char *long_path(unsigned n)
{
	char *path = malloc(n + 1);

	CHECK(path);
	memset(path, '/', n - 4);
	path[0] = '.';
	strcpy(path + n - 4, "file");
	return path;
}

static void path_lengths(void)
{
	struct stat st;

	make_file("file", "text");
	CHECK(file_is(long_path(PATH_MAX - 1), "text"));
	FAILS(ENAMETOOLONG, open(long_path(PATH_MAX), O_RDONLY));
	FAILS(ENAMETOOLONG, stat(long_path(PATH_MAX), &st));
	FAILS(ENAMETOOLONG, open(long_path(PATH_MAX + 1), O_RDONLY));
	FAILS(ENAMETOOLONG, unlink(long_path(PATH_MAX + 1000)));
	CHECK(file_is("file", "text"));
}

static void name_characters(void)
{
	static const char *const names[] = { "a b", "UPPER", "MiXed.Text", ".dot", "..dots", "x.y.z", "\xc3\xa4\xe2\x82\xac", "+,;=[]", "-", "~1" };
	char *text;

	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
		make_file(names[i], text_of((long)i));
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		text = (char *)text_of((long)i);
		CHECK(file_is(names[i], text) && unlink(names[i]) == 0);
	}
}

static void name_fat(void)
{
	FAILS(EINVAL, open("a:b", O_WRONLY | O_CREAT, 0666));
	FAILS(EINVAL, open("what?", O_WRONLY | O_CREAT, 0666));
	FAILS(EINVAL, open("dot.", O_WRONLY | O_CREAT, 0666));
	FAILS(EINVAL, open("\xff", O_WRONLY | O_CREAT, 0666));
	make_file("Name", "x");
	CHECK(file_is("nAME", "x")); // case is kept, and makes no difference
}

// ---- read and write

static void write_and_read(void)
{
	static const unsigned sizes[] = { 0, 1, 255, 256, 257, 511, 512, 513, 1024, 2100 };
	int fd;

	for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		unsigned n = sizes[i];

		pattern_fill(scratch, n, i, 0);
		fd = file_with("file", scratch, n);
		memset(scratch, 0, 2100);
		CHECK(read(fd, scratch, 2100) == (ssize_t)n && pattern_is(scratch, n, i, 0));
		CHECK(read(fd, scratch, 1) == 0 && close(fd) == 0 && file_size("file") == (long)n);
	}
}

static void write_in_pieces(void)
{
	unsigned at = 0;
	int fd = file_with("file", "", 0);

	for (unsigned n = 1; at < 6000; n = n * 5 % 89 + 1) {
		pattern_fill(scratch, n, 3, at);
		CHECK(write(fd, scratch, n) == (ssize_t)n);
		at += n;
		CHECK(lseek(fd, 0, SEEK_CUR) == (off_t)at);
	}
	CHECK(lseek(fd, 0, SEEK_END) == (off_t)at && lseek(fd, 0, SEEK_SET) == 0);
	for (unsigned from = 0, n; from < at; from += n) {
		n = at - from < 700 ? at - from : 700;
		CHECK(read(fd, scratch, n) == (ssize_t)n && pattern_is(scratch, n, 3, from));
	}
}

static void write_over(void)
{
	int fd;

	pattern_fill(scratch, 1500, 1, 0);
	fd = file_with("file", scratch, 1500);
	CHECK(lseek(fd, 500, SEEK_SET) == 500 && write(fd, "0123456789ABCDEF", 16) == 16);
	CHECK(lseek(fd, 0, SEEK_SET) == 0 && read(fd, scratch, 2100) == 1500);
	CHECK(pattern_is(scratch, 500, 1, 0) && memcmp(scratch + 500, "0123456789ABCDEF", 16) == 0 && pattern_is(scratch + 516, 984, 1, 516));
}

static void nothing(void)
{
	int fd = file_with("file", "abc", 3);

	CHECK(read(fd, scratch, 0) == 0 && write(fd, scratch, 0) == 0 && lseek(fd, 0, SEEK_CUR) == 0);
	CHECK(lseek(fd, 100, SEEK_SET) == 100 && write(fd, scratch, 0) == 0 && file_size("file") == 3);
}

static void read_behind_end(void)
{
	volatile size_t huge = 0x7ffff000;
	int fd = file_with("file", "abc", 3);

	CHECK(read(fd, scratch, huge) == 3);
	CHECK(read(fd, scratch, 1) == 0 && read(fd, scratch, 1) == 0);
	CHECK(lseek(fd, 5000, SEEK_SET) == 5000 && read(fd, scratch, 10) == 0 && lseek(fd, 0, SEEK_CUR) == 5000);
}

static void appending(void)
{
	int fd, other;

	make_file("file", "one");
	fd = open("file", O_RDWR | O_APPEND);
	other = open("file", O_WRONLY | O_APPEND);
	CHECK(lseek(fd, 0, SEEK_CUR) == 0 && read(fd, scratch, 1) == 1);
	CHECK(write(fd, "two", 3) == 3 && lseek(fd, 0, SEEK_CUR) == 6);
	CHECK(write(other, "3", 1) == 1 && lseek(fd, 0, SEEK_SET) == 0 && write(fd, "4", 1) == 1);
	CHECK(file_is("file", "onetwo34"));
}

static void at_offsets(void)
{
	int fd = file_with("file", "0123456789", 10);

	CHECK(lseek(fd, 2, SEEK_SET) == 2);
	CHECK(pread(fd, scratch, 3, 5) == 3 && memcmp(scratch, "567", 3) == 0 && lseek(fd, 0, SEEK_CUR) == 2);
	CHECK(pwrite(fd, "xy", 2, 8) == 2 && lseek(fd, 0, SEEK_CUR) == 2 && file_is("file", "01234567xy"));
	CHECK(pread(fd, scratch, 3, 10) == 0);
	FAILS(EINVAL, pread(fd, scratch, 1, -1));
	FAILS(EINVAL, pwrite(fd, scratch, 1, -1));
	FAILS(EBADF, pread(9, scratch, 1, 0));
}

// ---- positions and lengths

static void seeking(void)
{
	int fd = file_with("file", "0123456789", 10);

	CHECK(lseek(fd, 4, SEEK_SET) == 4 && lseek(fd, 2, SEEK_CUR) == 6 && lseek(fd, -1, SEEK_CUR) == 5);
	CHECK(lseek(fd, -3, SEEK_END) == 7 && read(fd, scratch, 1) == 1 && scratch[0] == '7');
	FAILS(EINVAL, lseek(fd, -1, SEEK_SET));
	FAILS(EINVAL, lseek(fd, -9, SEEK_CUR));
	FAILS(EINVAL, lseek(fd, -11, SEEK_END));
	FAILS(EINVAL, lseek(fd, 0, 77));
	FAILS(EINVAL, lseek(fd, 0, -1));
	CHECK(lseek(fd, LONG_MAX, SEEK_CUR) == -1 && (errno == EOVERFLOW || errno == EINVAL));
	CHECK(lseek(fd, 0, SEEK_CUR) == 8);
}

static void seek_beyond_end(void)
{
	int fd = file_with("file", "abc", 3);

	CHECK(lseek(fd, 1300, SEEK_SET) == 1300 && file_size("file") == 3);
	CHECK(write(fd, "z", 1) == 1 && file_size("file") == 1301 && lseek(fd, 0, SEEK_SET) == 0);
	memset(scratch, 1, 2100);
	CHECK(read(fd, scratch, 2100) == 1301 && memcmp(scratch, "abc", 3) == 0 && scratch[1300] == 'z');
	for (unsigned i = 3; i < 1300; i++)
		CHECK(scratch[i] == 0);
}

static void truncating(void)
{
	int fd;

	pattern_fill(scratch, 1300, 2, 0);
	fd = file_with("file", scratch, 1300);
	CHECK(lseek(fd, 700, SEEK_SET) == 700 && ftruncate(fd, 600) == 0);
	CHECK(file_size("file") == 600 && lseek(fd, 0, SEEK_CUR) == 700 && ftruncate(fd, 600) == 0);
	CHECK(ftruncate(fd, 1200) == 0 && file_size("file") == 1200 && lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read(fd, scratch, 2100) == 1200 && pattern_is(scratch, 600, 2, 0));
	for (unsigned i = 600; i < 1200; i++)
		CHECK(scratch[i] == 0);
	CHECK(ftruncate(fd, 0) == 0 && file_size("file") == 0 && lseek(fd, 0, SEEK_SET) == 0 && read(fd, scratch, 1) == 0);
	CHECK(write(fd, "x", 1) == 1 && truncate("file", 3) == 0 && file_size("file") == 3);
}

static void truncating_wrongly(void)
{
	int fd = file_with("file", "abc", 3), reader = open("file", O_RDONLY), pipe_ends[2];

	FAILS(EINVAL, ftruncate(fd, -1));
	FAILS(EINVAL, ftruncate(reader, 0));
	CHECK(pipe(pipe_ends) == 0);
	FAILS(EINVAL, ftruncate(pipe_ends[1], 0));
	FAILS(EBADF, ftruncate(9, 0));
	FAILS(ENOENT, truncate("none", 0));
	FAILS(EISDIR, truncate(".", 0));
	CHECK(file_is("file", "abc"));
}

// Two descriptors of one file, as it grows, shrinks and grows through several clusters.
static void two_writers(void)
{
	int a = file_with("file", "", 0), b = open("file", O_RDWR);

	for (unsigned i = 0; i < 12; i++) {
		pattern_fill(scratch, 1500, i, 0);
		CHECK(write(i & 1 ? a : b, scratch, 1500) == 1500);
		CHECK(lseek(i & 1 ? b : a, 0, SEEK_END) == (off_t)(i + 1) * 1500);
	}
	CHECK(ftruncate(a, 100) == 0 && lseek(b, 9000, SEEK_SET) == 9000 && read(b, scratch, 10) == 0);
	pattern_fill(scratch, 4000, 50, 0);
	CHECK(lseek(a, 8000, SEEK_SET) == 8000 && write(a, scratch, 4000) == 4000);
	memset(scratch, 1, 4000);
	CHECK(read(b, scratch, 4000) == 3000 && pattern_is(scratch, 3000, 50, 1000));
	CHECK(lseek(b, 0, SEEK_SET) == 0 && read(b, scratch, 4000) == 4000 && pattern_is(scratch, 100, 1, 0) == 0);
	CHECK(pattern_is(scratch, 100, 0, 0) && scratch[100] == 0 && scratch[3999] == 0);
}

// A write that fails has not made the file longer (elsewhere it may have).
static void far_and_wrong(void)
{
	int fd = file_with("file", "abc", 3);
	void *bad;

	CHECK(lseek(fd, 20000, SEEK_SET) == 20000 && write(fd, "", 0) == 0);
	for (unsigned i = 0; bad_address(i, 0, &bad); i++)
		FAILS(EFAULT, write(fd, bad, 1));
	CHECK(file_is("file", "abc") && lseek(fd, 0, SEEK_CUR) == 20000);
}

// While one process fills a file with zeros, others run; and it can be killed.
static void filling(void)
{
	int fd = file_with("file", "abc", 3), status = 0;
	unsigned turns = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(lseek(fd, 150000, SEEK_SET) != 150000 || write(fd, "x", 1) != 1);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		usleep(5000);
		turns++;
	}
	CHECK(status == 0 && turns > 8 && file_size("file") == 150001);
	CHECK(lseek(fd, 99998, SEEK_SET) == 99998 && read(fd, scratch, 4) == 4 && !scratch[0] && !scratch[3]);
	CHECK(lseek(fd, 149999, SEEK_SET) == 149999 && read(fd, scratch, 4) == 2 && !scratch[0] && scratch[1] == 'x');
	pid = fork();
	if (pid == 0)
		_exit(ftruncate(fd, 4000000));
	usleep(100000);
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && file_size("file") < 4000000);
}

static void large(void)
{
	int fd = file_with("file", "", 0);

	for (unsigned i = 0; i < 100; i++) {
		pattern_fill(scratch, 2000, i, 0);
		CHECK(write(fd, scratch, 2000) == 2000);
	}
	CHECK(file_size("file") == 200000);
	for (unsigned i = 100; i--;) {
		CHECK(lseek(fd, (off_t)i * 2000, SEEK_SET) == (off_t)i * 2000 && read(fd, scratch, 2000) == 2000);
		CHECK(pattern_is(scratch, 2000, i, 0));
	}
}

// ---- stat and access

static void stat_fields(void)
{
	struct stat by_name, by_fd;
	int fd = file_with("file", "0123456789", 10);

	CHECK(stat("file", &by_name) == 0 && fstat(fd, &by_fd) == 0);
	CHECK(S_ISREG(by_name.st_mode) && by_name.st_size == 10 && by_name.st_nlink == 1 && by_name.st_mtime > 1500000000);
	CHECK(by_fd.st_mode == by_name.st_mode && by_fd.st_size == 10 && by_fd.st_ino == by_name.st_ino);
	CHECK(stat(".", &by_name) == 0 && S_ISDIR(by_name.st_mode) && lstat("file", &by_fd) == 0 && S_ISREG(by_fd.st_mode));
	CHECK(by_fd.st_ino != by_name.st_ino);
	CHECK(write(fd, "0123456789abc", 13) == 13 && fstat(fd, &by_fd) == 0 && by_fd.st_size == 13 && file_size("file") == 13);
}

static void stat_number_stays(void)
{
	struct stat before, after;
	int fd = file_with("file", "", 0);

	CHECK(fstat(fd, &before) == 0 && write(fd, "x", 1) == 1 && fstat(fd, &after) == 0 && before.st_ino == after.st_ino);
}

static void stat_numbers_differ(void)
{
	struct stat a, b;

	make_file("a", "");
	make_file("b", "");
	CHECK(stat("a", &a) == 0 && stat("b", &b) == 0 && a.st_ino != b.st_ino);
	make_file("a", "x");
	make_file("b", "x");
	CHECK(stat("a", &a) == 0 && stat("b", &b) == 0 && a.st_ino != b.st_ino);
}

static void stat_missing(void)
{
	struct stat st;

	make_file("file", "");
	FAILS(ENOENT, stat("none", &st));
	FAILS(ENOENT, lstat("none/x", &st));
	FAILS(ENOENT, stat("", &st));
	FAILS(ENOTDIR, stat("file/x", &st));
	FAILS(ENOTDIR, stat("file/", &st));
}

static void accessing(void)
{
	make_file("file", "");
	CHECK(access("file", F_OK) == 0 && access("file", R_OK | W_OK) == 0 && access(".", R_OK | W_OK | X_OK) == 0);
	FAILS(ENOENT, access("none", F_OK));
	FAILS(ENOTDIR, access("file/x", F_OK));
	FAILS(EINVAL, access("file", 64));
}

static void links(void)
{
	char text[8];

	make_file("file", "");
	FAILS(EINVAL, readlink("file", text, sizeof text));
	FAILS(ENOENT, readlink("none", text, sizeof text));
	FAILS(ENOENT, link("none", "other"));
}

static void no_links(void)
{
	make_file("file", "");
	FAILS(EPERM, link("file", "other"));
	FAILS(EPERM, symlink("file", "other"));
	CHECK(access("other", F_OK) == -1);
}

static void room(void)
{
	struct statvfs by_name, by_fd;

	CHECK(statvfs(".", &by_name) == 0 && fstatvfs(file_with("file", "", 0), &by_fd) == 0);
	CHECK(by_name.f_frsize >= 512 && by_name.f_blocks > 100 && by_name.f_blocks == by_fd.f_blocks && by_name.f_namemax > 12);
	CHECK(by_name.f_bavail <= by_name.f_bfree && by_name.f_bfree <= by_name.f_blocks);
	FAILS(ENOENT, statvfs("none", &by_name));
	FAILS(EBADF, fstatvfs(9, &by_fd));
}

// ---- unlink

static void unlinking(void)
{
	make_file("file", "x");
	CHECK(unlink("file") == 0 && file_size("file") == -1);
	FAILS(ENOENT, unlink("file"));
	FAILS(ENOENT, unlink(""));
	FAILS(ENOENT, unlink("none/file"));
	make_file("file", "x");
	FAILS(ENOTDIR, unlink("file/x"));
	FAILS(ENOTDIR, unlink("file/"));
	CHECK(mkdir("dir", 0777) == 0 && unlink("dir") == -1 && (errno == EISDIR || errno == EPERM));
	CHECK(unlink("/") == -1 && unlink(".") == -1 && unlink("..") == -1);
	CHECK(remove("dir") == 0 && remove("file") == 0);
	FAILS(ENOENT, remove("file"));
}

static void unlink_open(void)
{
	struct stat st;
	int fd = file_with("file", "old text", 8);

	CHECK(unlink("file") == 0);
	make_file("file", "new");
	CHECK(read(fd, scratch, 100) == 8 && memcmp(scratch, "old text", 8) == 0);
	pattern_fill(scratch, 1500, 5, 0);
	CHECK(write(fd, scratch, 1500) == 1500 && fstat(fd, &st) == 0 && st.st_size == 1508);
	CHECK(lseek(fd, 8, SEEK_SET) == 8 && read(fd, scratch, 2100) == 1500 && pattern_is(scratch, 1500, 5, 0));
	CHECK(close(fd) == 0 && file_is("file", "new"));
}

static void unlink_several(void)
{
	int a = file_with("a", "A", 1), b = file_with("b", "B", 1), again = open("a", O_RDWR);

	CHECK(unlink("a") == 0 && unlink("b") == 0);
	CHECK(write(a, "123", 3) == 3 && read(b, scratch, 9) == 1 && scratch[0] == 'B' && write(b, "4", 1) == 1);
	CHECK(read(again, scratch, 9) == 3 && memcmp(scratch, "123", 3) == 0 && close(a) == 0);
	CHECK(lseek(again, 0, SEEK_SET) == 0 && read(again, scratch, 9) == 3 && close(again) == 0);
	CHECK(lseek(b, 0, SEEK_SET) == 0 && read(b, scratch, 9) == 2 && memcmp(scratch, "B4", 2) == 0);
}

static void outlives_folder(void)
{
	int fd;

	CHECK(mkdir("dir", 0777) == 0);
	fd = file_with("dir/file", "text", 4);
	CHECK(unlink("dir/file") == 0 && rmdir("dir") == 0 && mkdir("dir", 0777) == 0);
	make_file("dir/file", "new");
	pattern_fill(scratch, 3000, 1, 0);
	CHECK(lseek(fd, 4, SEEK_SET) == 4 && write(fd, scratch, 3000) == 3000 && lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read(fd, scratch, 4) == 4 && memcmp(scratch, "text", 4) == 0 && close(fd) == 0 && file_is("dir/file", "new"));
}

static void unlink_running(void)
{
	FAILS(ETXTBSY, unlink(self));
	FAILS(ENOENT, rename("none", self));
	make_file("file", "x");
	FAILS(ETXTBSY, rename("file", self));
	CHECK(access(self, X_OK) == 0 && file_is("file", "x"));
}

static void write_running(void)
{
	FAILS(ETXTBSY, open(self, O_WRONLY));
	FAILS(ETXTBSY, open(self, O_RDWR | O_TRUNC));
	FAILS(ETXTBSY, truncate(self, 0));
	CHECK(close(open(self, O_RDONLY)) == 0);
}

static void syncing(void)
{
	int fd = file_with("file", "abc", 3);

	sync();
	CHECK(fsync(fd) == 0 && fdatasync(fd) == 0);
	FAILS(EBADF, fsync(9));
	FAILS(EBADF, fdatasync(-1));
}

static const struct test tests[] = {
	TEST(open_missing, QUICK),
	TEST(open_creates, QUICK),
	TEST(open_exclusive, QUICK),
	TEST(open_truncates, QUICK),
	TEST(open_directory, QUICK),
	TEST(open_through_file, QUICK),
	TEST(open_directions, QUICK),
	TEST(open_twice, QUICK),
	TEST(name_lengths, QUICK),
	TEST(path_lengths, QUICK),
	TEST(name_characters, WITH_UNICODE),
	TEST(name_fat, OCTIX),
	TEST(write_and_read, QUICK),
	TEST(write_in_pieces, QUICK),
	TEST(write_over, QUICK),
	TEST(nothing, QUICK),
	TEST(read_behind_end, QUICK),
	TEST(appending, QUICK),
	TEST(at_offsets, QUICK),
	TEST(seeking, QUICK),
	TEST(seek_beyond_end, QUICK),
	TEST(truncating, QUICK),
	TEST(truncating_wrongly, QUICK),
	TEST(far_and_wrong, OCTIX),
	TEST(filling, OCTIX),
	TEST(two_writers, QUICK),
	TEST(large, SLOW),
	TEST(stat_fields, QUICK),
	KNOWN(stat_number_stays, QUICK, "a file's number is its first cluster, and an empty one has none"),
	TEST(stat_numbers_differ, QUICK),
	TEST(stat_missing, QUICK),
	TEST(accessing, QUICK),
	TEST(links, QUICK),
	TEST(no_links, OCTIX),
	TEST(room, WITH_PROC),
	TEST(unlinking, QUICK),
	TEST(unlink_open, QUICK),
	TEST(unlink_several, QUICK),
	TEST(outlives_folder, QUICK),
	TEST(unlink_running, OCTIX),
	TEST(write_running, QUICK),
	TEST(syncing, QUICK),
};

AREA("files", tests);
