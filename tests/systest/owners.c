// SPDX-License-Identifier: ISC
//
// Owners, modes and times of files: chmod, chown, umask, utime.
#include "systest.h"

#include <sys/time.h>
#include <time.h>
#include <utime.h>

static unsigned mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? 0xffff : st.st_mode & 07777;
}

static int owned_by(const char *path, uid_t uid, gid_t gid)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid == uid && st.st_gid == gid;
}

static void creation(void)
{
	struct stat st;
	int fd;

	umask(027);
	CHECK(umask(027) == 027);
	fd = open("file", O_WRONLY | O_CREAT, 0666);
	CHECK(fd >= 0 && fstat(fd, &st) == 0 && st.st_mode == (S_IFREG | 0640));
	CHECK(st.st_uid == geteuid() && st.st_gid == getegid() && mode_of("file") == 0640 && owned_by("file", geteuid(), getegid()));
	CHECK(mkdir("dir", 0777) == 0 && mode_of("dir") == 0750 && owned_by("dir", geteuid(), getegid()));
	umask(0);
	CHECK(close(open("all", O_WRONLY | O_CREAT, 0666)) == 0 && mode_of("all") == 0666);
	CHECK(mkdir("below", 01777) == 0 && mode_of("below") == 01777);
	umask(0777);
	CHECK(close(open("none", O_WRONLY | O_CREAT, 0666)) == 0 && mode_of("none") == 0);
	CHECK(close(open("all", O_WRONLY | O_CREAT, 0600)) == 0 && mode_of("all") == 0666); // it was there
	umask(022);
}

static void umask_goes_on(void)
{
	umask(0321);
	CHECK(run_helper("umask", text_of(0321), NULL, NULL) == 0);
	umask(022);
	CHECK(umask(0777) == 022 && umask(07000) == 0777 && umask(022) == 0);
}

static void modes(void)
{
	int fd = file_with("file", "text", 4);
	struct stat st;

	CHECK(mkdir("dir", 0777) == 0);
	for (unsigned mode = 0; mode <= 07777; mode += 0111 + (mode & 1)) {
		CHECK(chmod("file", mode) == 0 && mode_of("file") == mode);
		CHECK(fchmod(fd, mode ^ 0707) == 0 && mode_of("file") == (mode ^ 0707));
		CHECK(fstat(fd, &st) == 0 && st.st_mode == (S_IFREG | (mode ^ 0707)));
		CHECK(chmod("dir", mode | 0700) == 0 && mode_of("dir") == (mode | 0700));
	}
	CHECK(chmod("dir/../file", 0644) == 0 && chmod("dir/.", 0711) == 0 && mode_of("dir") == 0711);
	CHECK(write(fd, "more", 4) == 4 && close(fd) == 0 && mode_of("file") == 0644);
}

static void mode_errors(void)
{
	int ends[2];

	FAILS(ENOENT, chmod("none", 0644));
	FAILS(ENOENT, chmod("", 0644));
	FAILS(EBADF, fchmod(9, 0644));
	make_file("file", "");
	FAILS(ENOTDIR, chmod("file/x", 0644));
	FAILS(ENAMETOOLONG, chmod(long_name(5000), 0644));
	CHECK(pipe(ends) == 0);
	for (unsigned n = 0; n < 2; n++) {
		void *p;

		if (bad_address(n, 0, &p)) {
			FAILS(EFAULT, chmod(p, 0644));
			FAILS(EFAULT, chown(p, -1, -1));
		}
	}
}

static void mode_of_directory_follows(void)
{
	CHECK(mkdir("a", 0777) == 0 && mkdir("b", 0777) == 0 && chmod("a", 0701) == 0);
	CHECK(rename("a", "b/c") == 0 && mode_of("b/c") == 0701 && mode_of("b") == 0755);
	CHECK(chdir("b/c") == 0 && mode_of(".") == 0701 && mode_of("..") == 0755 && chmod(".", 0710) == 0);
	CHECK(chdir("../..") == 0 && mode_of("b/c") == 0710);
}

static void mode_of_file_follows(void)
{
	int fd = file_with("a", "text", 4);
	struct stat st;

	CHECK(chmod("a", 0604) == 0 && rename("a", "A longer name than before.text") == 0);
	CHECK(mode_of("A longer name than before.text") == 0604);
	CHECK(chmod("A longer name than before.text", 0640) == 0 && fstat(fd, &st) == 0 && st.st_mode == (S_IFREG | 0640));
	make_file("new", "");
	CHECK(chmod("new", 0600) == 0 && rename("new", "A longer name than before.text") == 0);
	CHECK(mode_of("A longer name than before.text") == 0600 && ftruncate(fd, 1000) == 0 && close(fd) == 0);
	CHECK(mode_of("A longer name than before.text") == 0600);
}

static void owners(void)
{
	int fd = file_with("file", "", 0);

	CHECK(mkdir("dir", 0777) == 0);
	CHECK(chown("file", 12, 34) == 0 && owned_by("file", 12, 34) && chown("file", -1, 56) == 0 && owned_by("file", 12, 56));
	CHECK(chown("file", 78, -1) == 0 && owned_by("file", 78, 56) && chown("file", -1, -1) == 0 && owned_by("file", 78, 56));
	CHECK(fchown(fd, 254, 254) == 0 && owned_by("file", 254, 254) && mode_of("file") == 0644);
	CHECK(chown("dir", 1, 2) == 0 && owned_by("dir", 1, 2) && owned_by("dir/.", 1, 2) && mode_of("dir") == 0755);
	CHECK(chmod("file", 06755) == 0 && chown("file", 3, 3) == 0 && mode_of("file") == 0755);
	CHECK(chown("file", 0, 0) == 0 && chown("dir", 0, 0) == 0);
	FAILS(ENOENT, chown("none", 1, 1));
	FAILS(EBADF, fchown(9, 1, 1));
}

static void only_small_ids(void)
{
	make_file("file", "");
	FAILS(EINVAL, chown("file", 255, 1));
	FAILS(EINVAL, chown("file", 1, 256));
	CHECK(owned_by("file", geteuid(), getegid()));
	FAILS(EPERM, chmod("/", 0700));
	FAILS(EPERM, chown("/", 1, 1));
	FAILS(EROFS, chmod("/dev/null", 0600));
	FAILS(EROFS, chmod("/proc", 0600));
	CHECK(mode_of("/") == 0755 && mode_of("/dev/null") == 0666 && mode_of("/dev") == 0555 && mode_of("/proc/stat") == 0444);
}

static void ids(void)
{
	CHECK(getuid() == 0 && geteuid() == 0 && getgid() == 0 && getegid() == 0);
	CHECK(setegid(4) == 0 && getegid() == 4 && getgid() == 0 && setregid(3, -1) == 0 && getgid() == 3 && getegid() == 4);
	CHECK(seteuid(5) == 0 && geteuid() == 5 && getuid() == 0);
	FAILS(EPERM, setuid(9));
	FAILS(EPERM, setgid(9));
	CHECK(setuid(0) == 0 && geteuid() == 0 && setgid(6) == 0 && getgid() == 6 && getegid() == 6);
	CHECK(setreuid(7, 0) == 0 && run_helper("ids", "7", "0", "6") == 0 && setreuid(0, 0) == 0);
	CHECK(setreuid(7, 8) == 0 && getuid() == 7 && geteuid() == 8 && setuid(7) == 0 && geteuid() == 7 && seteuid(8) == 0);
	FAILS(EPERM, seteuid(0));
	FAILS(EPERM, setreuid(0, -1));
	FAILS(EPERM, setegid(0));
}

static void id_errors(void)
{
	FAILS(EINVAL, setuid(255));
	FAILS(EINVAL, setgid(256));
	CHECK(raw_call(CALL_setresuid, 0xffffffff, 0xffff, 0x10001) == -EINVAL && raw_call(CALL_oct_ids, 0, 0, 0) == 0);
}

static void times(void)
{
	const struct utimbuf when = { 1000000000, 1234567890 };
	const struct timeval precise[2] = { { 0, 0 }, { 1500000000, 0 } };
	struct stat st;
	time_t now = time(NULL);

	make_file("file", "");
	CHECK(utime("file", &when) == 0 && stat("file", &st) == 0 && st.st_mtime == 1234567890);
	CHECK(utimes("file", precise) == 0 && stat("file", &st) == 0 && st.st_mtime == 1500000000);
	CHECK(utime("file", NULL) == 0 && stat("file", &st) == 0 && st.st_mtime >= now - 2 && st.st_mtime <= now + 60);
	CHECK(mkdir("dir", 0777) == 0 && utime("dir", &when) == 0 && stat("dir", &st) == 0 && st.st_mtime == 1234567890);
	FAILS(ENOENT, utime("none", &when));
}

static const struct test tests[] = {
	TEST(creation, WITH_USERS),
	TEST(umask_goes_on, WITH_USERS),
	TEST(modes, WITH_USERS),
	TEST(mode_errors, WITH_USERS),
	TEST(mode_of_directory_follows, WITH_USERS),
	TEST(mode_of_file_follows, WITH_USERS),
	TEST(owners, ROOT | WITH_USERS),
	TEST(only_small_ids, OCTIX | WITH_USERS),
	TEST(ids, ROOT | WITH_USERS),
	TEST(id_errors, OCTIX | WITH_USERS),
	TEST(times, WITH_USERS),
};

AREA("owners", tests);
