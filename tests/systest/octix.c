// SPDX-License-Identifier: ISC
//
// Calls that only Octix has, and how it answers what no library asks.
#include "systest.h"

#include <octix/octix.h>

static void unknown_calls(void)
{
	CHECK(raw_call(CALLS, 0, 0, 0) == -ENOSYS && raw_call(255, 0, 0, 0) == -ENOSYS && raw_call(256, 0, 0, 0) == -ENOSYS);
	CHECK(raw_call(65536 + CALL_getpid, 0, 0, 0) == -ENOSYS && raw_call(0xffffffff, 0, 0, 0) == -ENOSYS);
	CHECK(raw_call(CALL_getpid, 0, 0, 0) == getpid());
}

static void machine(void)
{
	char text[OCT_PROC_TEXT];
	unsigned long uptime, calls, frames, free;

	CHECK(oct_proc_text("/proc/stat", text, sizeof text) && oct_proc_number(text, "khz") >= 8000);
	uptime = oct_proc_number(text, "uptime_ms");
	calls = oct_proc_number(text, "calls");
	CHECK(strlen(oct_proc_word(text, "board")) > 2 && strlen(oct_proc_word(text, "version")) > 0);
	usleep(20000);
	CHECK(oct_proc_text("/proc/stat", text, sizeof text) && oct_proc_number(text, "uptime_ms") >= uptime + 20 && oct_proc_number(text, "calls") > calls);
	CHECK(oct_proc_text("/proc/meminfo", text, sizeof text));
	frames = oct_proc_number(text, "frames");
	free = oct_proc_number(text, "free");
	CHECK(frames > 4 && free <= frames && oct_proc_number(text, "dirty") <= frames && oct_proc_number(text, "procs") > 4);
	CHECK(oct_proc_number(text, "swap_used") > 0 && oct_proc_number(text, "swap_used") < oct_proc_number(text, "swap"));
	CHECK(oct_proc_number(text, "clusters_free") <= oct_proc_number(text, "clusters") && oct_proc_number(text, "card") > 1000);
}

// A number that changes between two reads is of one of them.
static void whole_lines(void)
{
	char text[OCT_PROC_TEXT];
	int fd = open("/proc/stat", O_RDONLY);

	for (size_t n = 25; n < 200; n += 13) {
		ssize_t got = read(fd, text, n);

		CHECK(got > 0 && (size_t)got <= n && text[got - 1] == '\n');
		lseek(fd, 25, SEEK_SET);
	}
	CHECK(read(fd, text, 10) == 10 && read(fd, text, 100) == 90 && text[89] == '\n' && close(fd) == 0);
}

static void processes(void)
{
	char path[32], text[OCT_PROC_TEXT];

	sprintf(path, "/proc/%d/stat", (int)getpid());
	CHECK(oct_proc_text(path, text, sizeof text) && (pid_t)oct_proc_number(text, "pid") == getpid());
	CHECK((pid_t)oct_proc_number(text, "ppid") == getppid() && (pid_t)oct_proc_number(text, "pgid") == getpgrp());
	CHECK(*oct_proc_word(text, "state") == 'R' && strcmp(oct_proc_word(text, "name"), "systest\n") == 0);
	CHECK(oct_proc_text("/proc/1/stat", text, sizeof text) && oct_proc_number(text, "ppid") == 0);
	FAILS(ENOENT, oct_proc_text("/proc/0/stat", text, sizeof text) ? 0 : -1);
}

static void bad_structures(void)
{
	void *p;

	make_file("file", "");
	for (unsigned n = 0; bad_address(n, 1, &p); n++) {
		FAILS(EFAULT, oct_stat("file", p));
		CHECK(raw_call(CALL_oct_fstat, 1, (unsigned long)(uintptr_t)p, 0) == -EFAULT);
	}
	FAILS(EFAULT, oct_stat("file", edge_address(4)));
	CHECK(oct_stat("file", edge_address(sizeof(struct oct_stat))) == 0);
}

static void entries(void)
{
	char buffer[256];
	const struct oct_dirent *e = (const struct oct_dirent *)(const void *)buffer;
	int fd = open(".", O_RDONLY), n, seen = 0, ends[2];
	void *p;

	make_file("a name of more than one piece", "text");
	for (unsigned i = 0; bad_address(i, 1, &p); i++)
		FAILS(EFAULT, getdents(fd, p, 256));
	FAILS(EINVAL, getdents(fd, buffer, 0));
	FAILS(EINVAL, getdents(fd, buffer, 8));
	while ((n = getdents(fd, buffer, 64)) > 0)
		for (int at = 0; at < n; at += e->reclen) {
			e = (const struct oct_dirent *)(const void *)(buffer + at);
			CHECK(e->reclen % 4 == 0 && e->reclen > e->namelen + 16 && strlen(e->name) == e->namelen && at + e->reclen <= n);
			seen += strcmp(e->name, "a name of more than one piece") == 0 && e->size == 4 && S_ISREG(e->mode);
		}
	CHECK(n == 0 && seen == 1 && getdents(fd, buffer, 64) == 0);
	FAILS(EBADF, getdents(9, buffer, 64));
	FAILS(ENOTDIR, getdents(file_with("file", "", 0), buffer, 64));
	CHECK(pipe(ends) == 0);
	FAILS(ENOTDIR, getdents(ends[0], buffer, 64));
}

static void counting(void)
{
	unsigned long before = cycles();

	CHECK(cycles() - before > 10 && cycles() - before < 1000000 && mark(0) == 0 && mark(255) == 0);
	before = cycles();
	usleep(10000);
	CHECK(cycles() - before > 100000);
}

static void no_reboot(void)
{
	FAILS(EINVAL, oct_reboot(2));
	FAILS(EINVAL, oct_reboot(-1));
	FAILS(EINVAL, oct_reboot(256));
}

static void dispositions(void)
{
	CHECK(raw_call(CALL_oct_signal, SIGTERM, 4, 0) == -EINVAL && raw_call(CALL_oct_signal, SIGTERM, 256, 0) == -EINVAL);
	CHECK(raw_call(CALL_oct_signal, SIGCHLD, 7, 0) == -EINVAL && raw_call(CALL_oct_signal, SIGKILL, OCT_SIG_IGN, 0) == -EINVAL);
	CHECK(raw_call(CALL_oct_signal, SIGTERM, OCT_SIG_IGN, 0) == OCT_SIG_DFL);
	CHECK(raw_call(CALL_oct_signal, SIGTERM, OCT_SIG_ASK, 0) == OCT_SIG_IGN);
	CHECK(raw_call(CALL_oct_signal, SIGTERM, OCT_SIG_DFL, 0) == OCT_SIG_IGN);
	CHECK(raw_call(CALL_oct_signal, SIGCHLD, OCT_SIG_NOCLDSTOP, 0) == OCT_SIG_DFL);
	CHECK(raw_call(CALL_oct_signal, SIGCHLD, OCT_SIG_ASK, 0) == OCT_SIG_NOCLDSTOP);
}

static void sleep_and_time(void)
{
	unsigned long t[2] = { 0, 1000 };
	void *p;

	CHECK(raw_call(CALL_oct_sleep, 0, 0, 0) == 0 && raw_call(CALL_oct_time, 0, 0, 0) > 1500000000);
	CHECK(raw_call(CALL_oct_clock, 2, (unsigned long)t, 0) == -EINVAL && raw_call(CALL_oct_clock, 0x10000, (unsigned long)t, 0) == -EINVAL);
	CHECK(raw_call(CALL_oct_settime, (unsigned long)t, 0, 0) == -EINVAL);
	for (unsigned i = 0; bad_address(i, 1, &p); i++)
		CHECK(raw_call(CALL_oct_clock, 0, (unsigned long)p, 0) == -EFAULT);
	for (unsigned i = 0; bad_address(i, 0, &p); i++)
		CHECK(raw_call(CALL_oct_settime, (unsigned long)p, 0, 0) == -EFAULT);
}

static const struct test tests[] = {
	TEST(unknown_calls, OCTIX),
	TEST(machine, OCTIX | WITH_PROC),
	TEST(whole_lines, OCTIX | WITH_PROC),
	TEST(processes, OCTIX | WITH_PROC),
	TEST(bad_structures, OCTIX),
	TEST(entries, OCTIX),
	TEST(counting, OCTIX),
	TEST(no_reboot, OCTIX),
	TEST(dispositions, OCTIX),
	TEST(sleep_and_time, OCTIX),
};

AREA("octix", tests);
