// SPDX-License-Identifier: ISC
//
// Time and sleeping. Upper limits are generous: a machine that tests may be busy.
#include "systest.h"

#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

static long now_ms(void)
{
	struct timespec ts;

	CHECK(clock_gettime(CLOCK_MONOTONIC, &ts) == 0);
	CHECK(ts.tv_nsec >= 0 && ts.tv_nsec < 1000000000);
	return (long)(ts.tv_sec % 100000) * 1000 + ts.tv_nsec / 1000000;
}

static int lasted(long since, long least, long most)
{
	long ms = now_ms() - since;

	return ms >= least && ms <= most;
}

static void monotonic(void)
{
	long before = now_ms(), start = before;

	for (int i = 0; i < 50; i++) {
		long now = now_ms();

		CHECK(now >= before);
		before = now;
	}
	usleep(20000);
	CHECK(now_ms() >= start + 20);
}

static void seconds(void)
{
	struct timespec ts;
	struct timeval tv;
	time_t one, two = time(&one);

	CHECK(one == two && one > 1500000000 && gettimeofday(&tv, NULL) == 0 && tv.tv_sec - one <= 1 && tv.tv_sec >= one);
	CHECK(tv.tv_usec >= 0 && tv.tv_usec < 1000000 && clock_gettime(CLOCK_REALTIME, &ts) == 0 && ts.tv_sec - one <= 1);
	sleep(1);
	CHECK(time(NULL) - one >= 1 && time(NULL) - one <= 4);
}

static void sleeping(void)
{
	struct timespec ts = { .tv_nsec = 30000001 };
	long start = now_ms();

	CHECK(sleep(1) == 0 && lasted(start, 1000, 3000));
	start = now_ms();
	CHECK(usleep(50001) == 0 && lasted(start, 50, 2000));
	start = now_ms();
	CHECK(nanosleep(&ts, NULL) == 0 && lasted(start, 30, 2000));
	start = now_ms();
	CHECK(sleep(0) == 0 && usleep(0) == 0 && lasted(start, 0, 1000));
}

static void sleeping_wrongly(void)
{
	struct timespec ts = { .tv_nsec = 1000000000 };

	FAILS(EINVAL, nanosleep(&ts, NULL));
	ts.tv_nsec = -1;
	FAILS(EINVAL, nanosleep(&ts, NULL));
	ts.tv_nsec = 0;
	ts.tv_sec = -1;
	FAILS(EINVAL, nanosleep(&ts, NULL));
}

static void wrong_clock(void)
{
	struct timespec ts;

	FAILS(EINVAL, clock_gettime((clockid_t)12345, &ts));
}

static void setting_wrongly(void)
{
	struct timespec ts = { .tv_nsec = 1000000000 };
	struct timeval tv = { .tv_usec = 1000000 };

	FAILS(EINVAL, clock_settime(CLOCK_REALTIME, &ts));
	FAILS(EINVAL, clock_settime(CLOCK_MONOTONIC, &ts));
	FAILS(EINVAL, settimeofday(&tv, NULL));
	ts.tv_nsec = -1;
	tv.tv_usec = -1;
	FAILS(EINVAL, clock_settime(CLOCK_REALTIME, &ts));
	FAILS(EINVAL, settimeofday(&tv, NULL));
	ts.tv_nsec = 0;
	FAILS(EINVAL, clock_settime((clockid_t)12345, &ts));
}

static void resolution(void)
{
	struct timespec ts;

	CHECK(clock_getres(CLOCK_REALTIME, &ts) == 0 && ts.tv_sec == 0 && ts.tv_nsec > 0 && ts.tv_nsec <= 10000000);
	CHECK(clock_getres(CLOCK_MONOTONIC, &ts) == 0 && ts.tv_sec == 0 && ts.tv_nsec > 0 && ts.tv_nsec <= 10000000);
	CHECK(clock_getres(CLOCK_MONOTONIC, NULL) == 0);
	FAILS(EINVAL, clock_getres((clockid_t)12345, &ts));
}

// Both clocks go on at the same speed, and the wall clock has fractions of a second.
static void fractions(void)
{
	struct timespec wall, up, wall2, up2;
	long ms;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &up);
	usleep(300000);
	clock_gettime(CLOCK_REALTIME, &wall2);
	clock_gettime(CLOCK_MONOTONIC, &up2);
	ms = (long)(wall2.tv_sec - wall.tv_sec) * 1000 + (wall2.tv_nsec - wall.tv_nsec) / 1000000;
	CHECK(ms >= 299 && ms <= 3000);
	ms -= (long)(up2.tv_sec - up.tv_sec) * 1000 + (up2.tv_nsec - up.tv_nsec) / 1000000;
	CHECK(ms >= -200 && ms <= 200);
}

static int set_seconds(time_t seconds)
{
	struct timespec ts = { .tv_sec = seconds };

	return clock_settime(CLOCK_REALTIME, &ts);
}

static void setting(void)
{
	struct timespec ts = { .tv_sec = 1893456000, .tv_nsec = 750000000 }, up, up2; // 2030-01-01
	struct timeval tv = { .tv_sec = 946684799, .tv_usec = 999000 };               // 1999-12-31 23:59:59
	struct stat st;
	time_t now = time(NULL);

	clock_gettime(CLOCK_MONOTONIC, &up);
	CHECK(clock_settime(CLOCK_REALTIME, &ts) == 0 && clock_gettime(CLOCK_REALTIME, &ts) == 0);
	CHECK(ts.tv_sec == 1893456000 && ts.tv_nsec >= 750000000);
	close(open("f", O_CREAT | O_WRONLY, 0666));
	CHECK(stat("f", &st) == 0 && st.st_mtime >= 1893456000 && st.st_mtime <= 1893456002);
	CHECK(settimeofday(&tv, NULL) == 0 && gettimeofday(&tv, NULL) == 0 && tv.tv_sec >= 946684799 && tv.tv_sec <= 946684801);
	clock_gettime(CLOCK_MONOTONIC, &up2); // nothing but time passes
	CHECK(up2.tv_sec - up.tv_sec >= 0 && up2.tv_sec - up.tv_sec <= 3);
	CHECK(set_seconds(4294967295) == 0 && (time(NULL) == 4294967295 || time(NULL) <= 2)); // 2106, or 1970 again
	FAILS(EINVAL, set_seconds(4294967296));
	FAILS(EINVAL, set_seconds(-1));
	CHECK(set_seconds(now) == 0 && time(NULL) - now <= 1);
}

static void setting_as_nobody(void)
{
	time_t now = time(NULL);

	CHECK(setuid(7) == 0);
	FAILS(EPERM, set_seconds(now));
}

static void sleepers_together(void)
{
	long begin = now_ms();
	pid_t a = start("nap", "1000", "1", NULL), b = start("nap", "1000", "2", NULL), c = start("nap", "1000", "3", NULL);
	long started = now_ms();

	CHECK(exit_status(a) == 1 && exit_status(b) == 2 && exit_status(c) == 3);
	CHECK(now_ms() - begin >= 1000 && lasted(started, 0, 2900));
}

static void sleeping_long(void)
{
	static const char *const seconds[] = { "4294968", "4294967295", "2147484", "100000000" };
	pid_t pids[4];

	for (unsigned i = 0; i < 4; i++)
		pids[i] = start("sleep", seconds[i], NULL, NULL);
	usleep(1500000);
	for (unsigned i = 0; i < 4; i++)
		CHECK(waitpid(pids[i], NULL, WNOHANG) == 0 && kill(pids[i], SIGKILL) == 0 && waitpid(pids[i], NULL, 0) == pids[i]);
}

static void order_of_sleepers(void)
{
	pid_t late = start("nap", "1500", "1", NULL), early = start("nap", "100", "2", NULL);

	CHECK(wait(NULL) == early && wait(NULL) == late);
}

static void processor_time(void)
{
	struct tms t;
	clock_t before = times(&t), own = clock();
	long start = now_ms(), ticks;

	CHECK(before != (clock_t)-1 && own != (clock_t)-1);
	while (clock() - own < CLOCKS_PER_SEC / 10)
		CHECK(now_ms() - start < 20000);
	ticks = (long)(times(&t) - before);
	CHECK(ticks >= sysconf(_SC_CLK_TCK) / 12 && ticks <= (now_ms() - start + 1000) * sysconf(_SC_CLK_TCK) / 1000);
	CHECK(t.tms_utime + t.tms_stime > 0);
}

static const struct test tests[] = {
	TEST(monotonic, QUICK),
	TEST(seconds, QUICK),
	TEST(sleeping, QUICK),
	TEST(sleeping_wrongly, QUICK),
	TEST(wrong_clock, QUICK),
	TEST(setting_wrongly, QUICK),
	TEST(resolution, QUICK),
	TEST(fractions, QUICK),
	TEST(setting, OCTIX | ROOT),
	TEST(setting_as_nobody, ROOT | WITH_USERS),
	TEST(sleepers_together, WITH_MANY),
	TEST(order_of_sleepers, QUICK),
	TEST(sleeping_long, WITH_MANY),
	TEST(processor_time, WITH_PROC),
};

AREA("times", tests);
