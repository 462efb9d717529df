// SPDX-License-Identifier: ISC
//
// Who may do what: each call on paths and descriptors, as root, as the owner, as one of the group and as somebody else, with each mode.
// What must come out follows from the rules of POSIX.1-2017, 4.5 File Access Permissions; Linux, on which the same tests run, has the
// last word. The quick set has modes of one bit, the slow tests all 512, a quarter each.
#include "systest.h"

#include <dirent.h>
#include <octix/octix.h>
#include <time.h>
#include <utime.h>

enum { OWNER = 5, GROUP = 6, OTHER = 8 };

static const struct user {
	uid_t uid;
	gid_t gid;
	const char *name;
} users[] = { { 0, 0, "root" }, { OWNER, 9, "owner" }, { 7, GROUP, "group" }, { OTHER, 9, "other" } };

#define USERS (sizeof users / sizeof users[0])

static const struct user *now = users; // who calls

static void become(const struct user *u)
{
	CHECK(seteuid(0) == 0 && setegid(u->gid) == 0 && seteuid(u->uid) == 0);
	now = u;
}

static int is_root(void)
{
	return now->uid == 0;
}

// May he do all of `want`, bits as in a mode, with a file of OWNER, GROUP and this mode?
static int allowed(unsigned mode, unsigned want, int is_dir)
{
	if (is_root())
		return is_dir || !(want & 1) || mode & 0111;
	return !(want & ~(now->uid == OWNER ? mode >> 6 : now->gid == GROUP ? mode >> 3 : mode) & 7);
}

// The modes of a quick test: one bit, all, none; of a slow one: a quarter of all.
enum { QUICK_MODES = 11, QUARTER = 128 };

static unsigned mode_number(unsigned n)
{
	return n < 9 ? 1u << n : n == 9 ? 0777 : 0;
}

// What a call that may be denied must give: 0, or -1 with `error`. Tells which one did not.
static void expect(int good, int error, int result, const char *what, unsigned mode)
{
	int got = result < 0 ? errno : 0, wanted = good ? 0 : error;

	if (got == wanted)
		return;
	printf("%s as %s, mode 0%o: errno %d instead of %d\n", what, now->name, mode, got, wanted);
	test_failed(__FILE__, __LINE__, wanted);
}

static int closed(int fd)
{
	return fd < 0 ? fd : close(fd);
}

// ---- a file of each mode

static int open_to_read(void) { return closed(open("d/f", O_RDONLY)); }
static int open_to_write(void) { return closed(open("d/f", O_WRONLY)); }
static int open_for_both(void) { return closed(open("d/f", O_RDWR)); }
static int open_empty(void) { return closed(open("d/f", O_WRONLY | O_TRUNC)); }
static int open_to_append(void) { return closed(open("d/f", O_WRONLY | O_APPEND)); }
static int open_or_make(void) { return closed(open("d/f", O_RDWR | O_CREAT, 0777)); }
static int shorten(void) { return truncate("d/f", 3); }
static int touch_now(void) { return utime("d/f", NULL); }
static int look(void) { struct stat st; return stat("d/f", &st); }
static int by_dots(void) { struct stat st; return stat("d/../d/./f", &st); }

// It is no program: whoever may execute it learns that.
static int execute(void)
{
	static char *none[] = { "f", NULL };

	execve("d/f", none, none + 1);
	return errno == ENOEXEC ? 0 : -1;
}

static int touch_then(void)
{
	const struct utimbuf when = { 1500000000, 1500000000 };

	return utime("d/f", &when);
}

static int change_mode(void)
{
	struct stat st;

	CHECK(stat("d/f", &st) == 0);
	return chmod("d/f", st.st_mode & 0777);
}

static int change_nothing(void) { return chown("d/f", OWNER, GROUP); }
static int give_away(void) { return chown("d/f", OTHER, -1) < 0 ? -1 : chown("d/f", OWNER, -1); }

static const struct action {
	int (*run)(void);
	const char *name;
	unsigned char want; // bits of the mode
	enum { BY_MODE, BY_OWNER, BY_MODE_OR_OWNER, BY_ROOT } rule;
} on_files[] = {
	{ open_to_read, "open to read", 4, BY_MODE },
	{ open_to_write, "open to write", 2, BY_MODE },
	{ open_for_both, "open for both", 6, BY_MODE },
	{ open_empty, "open with O_TRUNC", 2, BY_MODE },
	{ open_to_append, "open with O_APPEND", 2, BY_MODE },
	{ open_or_make, "open with O_CREAT", 6, BY_MODE },
	{ shorten, "truncate", 2, BY_MODE },
	{ execute, "execve", 1, BY_MODE },
	{ touch_now, "utime to now", 2, BY_MODE_OR_OWNER },
	{ look, "stat", 0, BY_MODE },
	{ by_dots, "stat by ..", 0, BY_MODE },
	{ touch_then, "utime", 0, BY_OWNER },
	{ change_mode, "chmod", 0, BY_OWNER },
	{ give_away, "chown to another", 0, BY_ROOT },
	{ change_nothing, "chown", 0, BY_OWNER },
};

static void try_call(const struct action *c, unsigned mode, int is_dir)
{
	int owner = is_root() || now->uid == OWNER, may = allowed(mode, c->want, is_dir);
	int good = c->rule == BY_MODE ? may : c->rule == BY_OWNER ? owner : c->rule == BY_ROOT ? is_root() : owner || may;

	// the owner changes his group to his own only: that of the file is not
	if (c->run == change_nothing && now->uid == OWNER)
		good = 1;
	expect(good, c->rule == BY_OWNER || c->rule == BY_ROOT ? EPERM : EACCES, c->run(), c->name, mode);
}

static void make_owned_file(const char *path)
{
	make_file(path, "some text, no program");
	CHECK(chown(path, OWNER, GROUP) == 0);
}

static void files_of(unsigned mode)
{
	for (const struct user *u = users; u < users + USERS; u++)
		for (unsigned i = 0; i < sizeof on_files / sizeof on_files[0]; i++) {
			become(users);
			CHECK(chmod("d/f", mode) == 0);
			become(u);
			try_call(&on_files[i], mode, 0);
		}
	become(users);
}

static void prepare_files(void)
{
	CHECK(mkdir("d", 0777) == 0);
	make_owned_file("d/f");
}

// Each mode of the quick set (quarter 4), or of a quarter of all.
static void each_mode(void (*prepare)(void), void (*test)(unsigned mode), unsigned quarter)
{
	unsigned modes = quarter < 4 ? QUARTER : QUICK_MODES;

	prepare();
	for (unsigned n = 0; n < modes; n++)
		test(quarter < 4 ? quarter * QUARTER + n : mode_number(n));
}

static void files(void) { each_mode(prepare_files, files_of, 4); }
static void files_0(void) { each_mode(prepare_files, files_of, 0); }
static void files_1(void) { each_mode(prepare_files, files_of, 1); }
static void files_2(void) { each_mode(prepare_files, files_of, 2); }
static void files_3(void) { each_mode(prepare_files, files_of, 3); }

// ---- a directory of each mode, with a file and an empty directory in it

static int list(void) { return closed(open("d", O_RDONLY | O_DIRECTORY)); }
static int look_in(void) { struct stat st; return stat("d/f", &st); }
static int look_up(void) { struct stat st; return stat("d/sub/..", &st); }
static int look_at_it(void) { struct stat st; return stat("d/.", &st); }
static int open_in(void) { return closed(open("d/f", O_RDONLY)); }
static int miss(void) { struct stat st; return stat("d/none", &st) < 0 && errno == ENOENT ? 0 : -1; }
static int change_in(void) { return utime("d/f", NULL); }

static int go_in(void)
{
	if (chdir("d") < 0)
		return -1;
	become(users);
	return chdir("..");
}

static int make_in(void)
{
	int fd = open("d/new", O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0)
		return -1;
	become(users);
	return close(fd) | unlink("d/new");
}

static int make_dir_in(void)
{
	if (mkdir("d/new", 0700) < 0)
		return -1;
	become(users);
	return rmdir("d/new");
}

static int remove_in(void)
{
	if (unlink("d/f") < 0)
		return -1;
	become(users);
	make_owned_file("d/f");
	return chmod("d/f", 0777);
}

static int remove_dir_in(void)
{
	if (rmdir("d/sub") < 0)
		return -1;
	become(users);
	return mkdir("d/sub", 0777);
}

static int rename_in(void)
{
	if (rename("d/f", "d/a longer name") < 0)
		return -1;
	become(users);
	return rename("d/a longer name", "d/f");
}

static int rename_out(void)
{
	if (rename("d/f", "out/f") < 0)
		return -1;
	become(users);
	return rename("out/f", "d/f");
}

static int rename_into(void)
{
	if (rename("out/g", "d/g") < 0)
		return -1;
	become(users);
	return rename("d/g", "out/g");
}

static int replace_in(void)
{
	if (rename("out/g", "d/f") < 0)
		return -1;
	become(users);
	make_owned_file("out/g");
	return chmod("d/f", 0777);
}

static const struct action in_folders[] = {
	{ list, "open a folder", 4, BY_MODE },
	{ look_in, "stat in a folder", 1, BY_MODE },
	{ look_up, "stat of ..", 1, BY_MODE },
	{ look_at_it, "stat of .", 1, BY_MODE },
	{ open_in, "open in a folder", 1, BY_MODE },
	{ execute, "execve in a folder", 1, BY_MODE },
	{ miss, "stat of nothing", 1, BY_MODE },
	{ change_in, "utime in a folder", 1, BY_MODE },
	{ go_in, "chdir", 1, BY_MODE },
	{ make_in, "creat", 3, BY_MODE },
	{ make_dir_in, "mkdir", 3, BY_MODE },
	{ remove_in, "unlink", 3, BY_MODE },
	{ remove_dir_in, "rmdir", 3, BY_MODE },
	{ rename_in, "rename", 3, BY_MODE },
	{ rename_out, "rename out", 3, BY_MODE },
	{ rename_into, "rename into", 3, BY_MODE },
	{ replace_in, "rename over", 3, BY_MODE },
};

static void folders_of(unsigned mode)
{
	for (const struct user *u = users; u < users + USERS; u++)
		for (unsigned i = 0; i < sizeof in_folders / sizeof in_folders[0]; i++) {
			become(users);
			CHECK(chmod("d", mode) == 0);
			become(u);
			try_call(&in_folders[i], mode, 1);
		}
	become(users);
}

static void prepare_folders(void)
{
	CHECK(mkdir("d", 0777) == 0 && mkdir("d/sub", 0777) == 0 && mkdir("out", 0777) == 0 && chmod("out", 0777) == 0);
	make_owned_file("d/f");
	CHECK(chmod("d/f", 0777) == 0 && chown("d", OWNER, GROUP) == 0);
	make_owned_file("out/g");
}

static void folders(void) { each_mode(prepare_folders, folders_of, 4); }
static void folders_0(void) { each_mode(prepare_folders, folders_of, 0); }
static void folders_1(void) { each_mode(prepare_folders, folders_of, 1); }
static void folders_2(void) { each_mode(prepare_folders, folders_of, 2); }
static void folders_3(void) { each_mode(prepare_folders, folders_of, 3); }

// ---- what else follows from the user

// A working directory that its user may not search any more opens nothing.
static void private_working_directory(void)
{
	struct stat st;

	CHECK(mkdir("p", 0700) == 0 && chdir("p") == 0);
	make_file("secret", "text");
	CHECK(chmod("secret", 0666) == 0 && mkdir("below", 0777) == 0 && chmod("below", 0777) == 0);
	become(users + 3);
	FAILS(EACCES, open("secret", O_RDONLY));
	FAILS(EACCES, stat("./secret", &st));
	FAILS(EACCES, stat("..", &st));
	FAILS(EACCES, chdir("below"));
	FAILS(EACCES, open("below/x", O_WRONLY | O_CREAT, 0666));
	FAILS(EACCES, open(".", O_RDONLY));
	FAILS(EACCES, unlink("secret"));
	FAILS(EACCES, mkdir("x", 0777));
	become(users);
	CHECK(chdir("below") == 0);
	become(users + 3);
	CHECK(close(open("x", O_WRONLY | O_CREAT, 0666)) == 0 && stat("x", &st) == 0 && st.st_uid == OTHER);
	FAILS(EACCES, open("../secret", O_RDONLY));
	become(users);
	CHECK(chdir("../..") == 0);
}

// What is open stays open; only owner and mode are asked for again.
static void descriptors(void)
{
	int fd = file_with("file", "some text", 9);
	char text[4];

	CHECK(chown("file", OWNER, GROUP) == 0 && chmod("file", 0) == 0);
	for (const struct user *u = users; u < users + USERS; u++) {
		int owner = u->uid == 0 || u->uid == OWNER;

		become(u);
		CHECK(lseek(fd, 0, SEEK_SET) == 0 && read(fd, text, 4) == 4 && write(fd, "more", 4) == 4 && ftruncate(fd, 9) == 0);
		expect(owner, EPERM, fchmod(fd, 0), "fchmod", 0);
		expect(owner, EPERM, fchown(fd, OWNER, GROUP), "fchown", 0);
		expect(u->uid == 0, EACCES, closed(open("file", O_RDONLY)), "open", 0);
	}
}

static void sticky_folder(void)
{
	CHECK(mkdir("t", 0777) == 0 && chown("t", 12, 12) == 0 && chmod("t", 01777) == 0);
	for (const struct user *u = users; u < users + USERS; u++)
		for (int dir = 0; dir < 2; dir++) {
			int good = u->uid == 0 || u->uid == OWNER;

			become(users);
			unlink("t/f"), rmdir("t/f"), unlink("t/g"), rmdir("t/g");
			CHECK(dir ? mkdir("t/f", 0777) == 0 && chown("t/f", OWNER, GROUP) == 0 : (make_owned_file("t/f"), 1));
			become(u);
			expect(good, EPERM, rename("t/f", "t/g"), "rename in a sticky folder", 01777);
			become(users);
			rename("t/g", "t/f");
			become(u);
			expect(good, EPERM, dir ? rmdir("t/f") : unlink("t/f"), "remove from a sticky folder", 01777);
		}
	become(users);
	CHECK(rmdir("t/f") == 0);
	make_owned_file("t/f");
	become(users + 3);
	CHECK(close(open("t/mine", O_WRONLY | O_CREAT, 0666)) == 0);
	FAILS(EPERM, rename("t/mine", "t/f"));
	become(users);
	CHECK(chown("t", OTHER, 12) == 0); // the folder's owner may
	become(users + 3);
	CHECK(rename("t/mine", "t/f") == 0 && unlink("t/f") == 0);
}

// The `..` of a folder that moves is written.
static void moving_folders(void)
{
	CHECK(mkdir("a", 0777) == 0 && mkdir("b", 0777) == 0 && chmod("a", 0777) == 0 && chmod("b", 0777) == 0 && mkdir("a/d", 0755) == 0);
	become(users + 3);
	FAILS(EACCES, rename("a/d", "b/d"));
	CHECK(rename("a/d", "a/e") == 0);
	become(users);
	CHECK(chmod("a/e", 0777) == 0);
	become(users + 3);
	CHECK(rename("a/e", "b/d") == 0);
}

// access() asks for the real ids.
static void real_ids(void)
{
	make_owned_file("f");
	for (unsigned n = 0; n < QUICK_MODES; n++) {
		unsigned mode = mode_number(n);

		CHECK(chmod("f", mode) == 0);
		for (const struct user *u = users; u < users + USERS; u++) {
			CHECK(setregid(u->gid, 0) == 0 && setreuid(u->uid, 0) == 0);
			now = u;
			for (unsigned want = 0; want < 8; want++)
				expect(allowed(mode, want, 0), EACCES, access("f", (int)want), "access", mode);
			CHECK(setreuid(0, 0) == 0 && setregid(0, 0) == 0);
		}
	}
	now = users;
	FAILS(EINVAL, access("f", 8));
	FAILS(ENOENT, access("none", F_OK));
}

// The group that the user is in, no other; his own file, no other.
static void giving_groups(void)
{
	struct stat st;

	make_owned_file("f");
	CHECK(chmod("f", 06777) == 0);
	become(users + 1);
	CHECK(chown("f", -1, 9) == 0 && stat("f", &st) == 0 && st.st_gid == 9 && !(st.st_mode & (S_ISUID | S_ISGID)));
	FAILS(EPERM, chown("f", -1, GROUP));
	FAILS(EPERM, chown("f", OTHER, -1));
	CHECK(chmod("f", 02777) == 0 && stat("f", &st) == 0 && st.st_mode & S_ISGID);
	become(users + 2);
	FAILS(EPERM, chown("f", 7, GROUP));
	become(users);
	CHECK(chown("f", OWNER, GROUP) == 0);
	become(users + 1); // not of the file's group
	CHECK(chmod("f", 02777) == 0 && stat("f", &st) == 0 && !(st.st_mode & S_ISGID));
}

static void signals(void)
{
	int ends[2];
	char done;
	pid_t pid;

	CHECK(pipe(ends) == 0);
	for (const struct user *u = users; u < users + USERS; u++) {
		become(users);
		pid = start("as-user", text_of(OWNER), text_of(9), text_of(ends[1]));
		CHECK(read(ends[0], &done, 1) == 1);
		become(u);
		expect(u->uid == 0 || u->uid == OWNER, EPERM, kill(pid, 0), "kill", 0);
		become(users);
		CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	}
	CHECK(setuid(OTHER) == 0); // the real one counts, too
	FAILS(EPERM, kill(1, SIGTERM));
	FAILS(EPERM, kill(getppid(), 0));
	FAILS(ESRCH, kill(NOBODY, 0));
}

// Neither the machine nor the swap file is theirs.
static void system_files(void)
{
	become(users + 3);
	FAILS(EPERM, oct_reboot(OCT_RESTART));
	FAILS(EACCES, open("/swap", O_RDONLY));
	FAILS(EACCES, closed(open("/root/x", O_WRONLY | O_CREAT, 0666)));
	FAILS(EACCES, closed(open("/x", O_WRONLY | O_CREAT, 0666)));
	FAILS(EACCES, unlink("/bin/sh"));
	FAILS(EACCES, rename("/bin", "/tmp/bin"));
	CHECK(close(open("/dev/null", O_RDWR)) == 0 && close(open("/proc/stat", O_RDONLY)) == 0 && close(open("/dev", O_RDONLY)) == 0);
}

static const struct test tests[] = {
	TEST(files, ROOT | WITH_USERS),
	TEST(folders, ROOT | WITH_USERS),
	TEST(private_working_directory, ROOT | WITH_USERS),
	TEST(descriptors, ROOT | WITH_USERS),
	TEST(sticky_folder, ROOT | WITH_USERS),
	TEST(moving_folders, ROOT | WITH_USERS),
	TEST(real_ids, ROOT | WITH_USERS),
	TEST(giving_groups, ROOT | WITH_USERS),
	TEST(signals, ROOT | WITH_USERS),
	TEST(system_files, OCTIX | WITH_USERS),
	TEST(files_0, ROOT | SLOW | WITH_USERS),
	TEST(files_1, ROOT | SLOW | WITH_USERS),
	TEST(files_2, ROOT | SLOW | WITH_USERS),
	TEST(files_3, ROOT | SLOW | WITH_USERS),
	TEST(folders_0, ROOT | SLOW | WITH_USERS),
	TEST(folders_1, ROOT | SLOW | WITH_USERS),
	TEST(folders_2, ROOT | SLOW | WITH_USERS),
	TEST(folders_3, ROOT | SLOW | WITH_USERS),
};

AREA("access", tests);
