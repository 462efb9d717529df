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
	struct oct_sysinfo a, b;

	CHECK(oct_sysinfo(&a) == 0 && a.f_cpu >= 8000000 && a.frames > 4 && (a.frame_size == 256 || a.frame_size == 512));
	CHECK(a.frames_free <= a.frames && a.frames_dirty <= a.frames && a.procs >= 4 && a.procs <= a.procs_max);
	CHECK(a.swap_free < a.swap_pages && a.fs_free <= a.fs_clusters && a.card_sectors > 1000 && a.cluster_size >= 512);
	CHECK(strlen(a.board) > 2 && strlen(a.board) < sizeof a.board && strlen(a.version) > 0 && strlen(a.version) < sizeof a.version);
	usleep(20000);
	CHECK(oct_sysinfo(&b) == 0 && b.uptime_ms >= a.uptime_ms + 20 && b.syscalls > a.syscalls && b.reads >= a.reads);
}

static void processes(void)
{
	struct oct_procinfo p;
	int me = 0, init = 0, others = 0, i;

	for (i = 0; oct_procinfo(i, &p) == 0 || errno == ESRCH; errno = 0, i++)
		if (errno == 0) {
			me += p.pid == getpid() && p.ppid == getppid() && p.pgid == getpgrp() && p.state == OCT_RUN && strcmp(p.name, "systest") == 0;
			init += p.pid == 1 && p.ppid == 0;
			others += p.pid > 1 && p.pid != getpid();
		} else {
			CHECK(i > 0);
		}
	CHECK(errno == EINVAL && me == 1 && init == 1 && others >= 2 && i < 40);
	FAILS(EINVAL, oct_procinfo(-1, &p));
	FAILS(EINVAL, oct_procinfo(256, &p));
	FAILS(EINVAL, oct_procinfo(65536, &p));
}

static void bad_structures(void)
{
	void *p;

	make_file("file", "");
	for (unsigned n = 0; bad_address(n, 1, &p); n++) {
		FAILS(EFAULT, oct_sysinfo(p));
		FAILS(EFAULT, oct_procinfo(0, p));
		FAILS(EFAULT, oct_stat("file", p));
		CHECK(raw_call(CALL_oct_fstat, 1, (unsigned long)(uintptr_t)p, 0) == -EFAULT);
	}
	FAILS(EFAULT, oct_sysinfo(edge_address(sizeof(struct oct_sysinfo) - 4)));
	FAILS(EFAULT, oct_procinfo(0, edge_address(4)));
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
	CHECK(raw_call(CALL_oct_signal, SIGTERM, 2, 0) == -EINVAL && raw_call(CALL_oct_signal, SIGTERM, 256, 0) == -EINVAL);
	CHECK(raw_call(CALL_oct_signal, SIGTERM, 1, 0) == 0 && raw_call(CALL_oct_signal, SIGTERM, 0, 0) == 1);
}

static void sleep_and_time(void)
{
	CHECK(raw_call(CALL_oct_sleep, 0, 0, 0) == 0 && raw_call(CALL_oct_time, 0, 0, 0) > 1500000000);
}

static const struct test tests[] = {
	TEST(unknown_calls, OCTIX),
	TEST(machine, OCTIX),
	TEST(processes, OCTIX),
	TEST(bad_structures, OCTIX),
	TEST(entries, OCTIX),
	TEST(counting, OCTIX),
	TEST(no_reboot, OCTIX),
	TEST(dispositions, OCTIX),
	TEST(sleep_and_time, OCTIX),
};

AREA("octix", tests);
