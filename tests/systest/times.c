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
	TEST(sleepers_together, QUICK),
	TEST(order_of_sleepers, QUICK),
	TEST(sleeping_long, QUICK),
	TEST(processor_time, QUICK),
};

AREA("times", tests);
