// SPDX-License-Identifier: ISC
//
// Signal handlers, masks, waiting for signals, what they do to calls.
#include "systest.h"

#include <setjmp.h>
#include <time.h>

static volatile sig_atomic_t count, last, other;
static volatile int marks;
static sigset_t seen;

static void on_signal(int sig)
{
	count++;
	last = sig;
	sigprocmask(SIG_BLOCK, NULL, &seen);
}

static void on_other(int sig)
{
	other = sig;
	marks = count;
}

// To compare with: code addresses of Octix can be compared in memory only.
static void (*const volatile counting)(int) = on_signal, (*const volatile noting)(int) = on_other;

// Handler and flags; 0 stands for the flags of no restart.
static void catch(int sig, void (*handler)(int), int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&act.sa_mask);
	CHECK(sigaction(sig, &act, NULL) == 0);
}

static sigset_t set_of(int a, int b)
{
	sigset_t set;

	CHECK(sigemptyset(&set) == 0 && (!a || sigaddset(&set, a) == 0) && (!b || sigaddset(&set, b) == 0));
	return set;
}

static void block(int how, int sig)
{
	sigset_t set = set_of(sig, 0);

	CHECK(sigprocmask(how, &set, NULL) == 0);
}

static int is_blocked(int sig)
{
	sigset_t set;

	CHECK(sigprocmask(SIG_BLOCK, NULL, &set) == 0);
	return sigismember(&set, sig);
}

static int is_pending(int sig)
{
	sigset_t set;

	CHECK(sigpending(&set) == 0);
	return sigismember(&set, sig);
}

// A process that sends us SIGNAL after MS, TIMES times.
static pid_t sender(int sig, long ms, long times)
{
	return start("send", text_of(sig), text_of(ms), text_of(times));
}

static void sets(void)
{
	sigset_t set = set_of(SIGUSR2, SIGHUP);

	CHECK(sigismember(&set, SIGUSR2) == 1 && sigismember(&set, SIGHUP) == 1 && sigismember(&set, SIGINT) == 0);
	CHECK(sigdelset(&set, SIGUSR2) == 0 && sigismember(&set, SIGUSR2) == 0 && sigismember(&set, SIGHUP) == 1);
	CHECK(sigfillset(&set) == 0 && sigismember(&set, SIGUSR2) == 1 && sigismember(&set, SIGHUP) == 1);
	FAILS(EINVAL, sigaddset(&set, 1000));
	FAILS(EINVAL, sigdelset(&set, -1));
	FAILS(EINVAL, sigismember(&set, 1000));
}

static void caught(void)
{
	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL && raise(SIGUSR1) == 0 && count == 1 && last == SIGUSR1);
	CHECK(kill(getpid(), SIGUSR1) == 0 && count == 2 && !is_blocked(SIGUSR1));
	CHECK(signal(SIGUSR2, on_other) == SIG_DFL && raise(SIGUSR2) == 0 && other == SIGUSR2 && count == 2);
	CHECK(signal(SIGUSR1, SIG_IGN) == counting && raise(SIGUSR1) == 0 && count == 2);
	CHECK(signal(SIGUSR1, SIG_DFL) == SIG_IGN && signal(SIGUSR2, SIG_DFL) == noting);
}

static void each_signal(void)
{
	for (int sig = 1; sig < 32; sig++)
		if (sig != SIGKILL && sig != SIGSTOP) {
			catch(sig, counting, 0);
			CHECK(raise(sig) == 0 && last == sig);
		}
	CHECK(count == 29);
}

static void action_told(void)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART | SA_NODEFER }, old;

	act.sa_mask = set_of(SIGUSR2, SIGHUP);
	CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
	CHECK(sigaction(SIGUSR1, &act, &old) == 0 && old.sa_handler == SIG_DFL);
	CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == counting);
	CHECK((old.sa_flags & (SA_RESTART | SA_NODEFER | SA_RESETHAND | SA_SIGINFO)) == (SA_RESTART | SA_NODEFER));
	CHECK(sigismember(&old.sa_mask, SIGUSR2) && sigismember(&old.sa_mask, SIGHUP) && !sigismember(&old.sa_mask, SIGINT));
	act.sa_handler = SIG_IGN;
	CHECK(sigaction(SIGUSR1, &act, &old) == 0 && old.sa_handler == counting);
	CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_IGN);
	act = (struct sigaction){ .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP };
	CHECK(sigaction(SIGCHLD, &act, NULL) == 0 && sigaction(SIGCHLD, NULL, &old) == 0 && old.sa_flags & SA_NOCLDSTOP);
}

static void action_errors(void)
{
	struct sigaction act = { .sa_handler = on_signal }, old;

	FAILS(EINVAL, sigaction(SIGKILL, &act, NULL));
	FAILS(EINVAL, sigaction(SIGSTOP, &act, NULL));
	FAILS(EINVAL, sigaction(0, &act, NULL));
	FAILS(EINVAL, sigaction(-1, &act, NULL));
	FAILS(EINVAL, sigaction(1000, &act, NULL));
	FAILS(EINVAL, sigaction(1000, NULL, &old));
	CHECK(!is_blocked(SIGTERM));
}

static void own_mask(void)
{
	struct sigaction act = { .sa_handler = on_signal };

	act.sa_mask = set_of(SIGHUP, 0);
	block(SIG_BLOCK, SIGUSR2);
	CHECK(sigaction(SIGUSR1, &act, NULL) == 0 && raise(SIGUSR1) == 0 && count == 1);
	CHECK(sigismember(&seen, SIGUSR1) && sigismember(&seen, SIGHUP) && sigismember(&seen, SIGUSR2) && !sigismember(&seen, SIGINT));
	CHECK(!is_blocked(SIGUSR1) && !is_blocked(SIGHUP) && is_blocked(SIGUSR2));
}

static void raise_inside(int sig)
{
	int before = ++count;

	if (before < 3)
		raise(sig);
	other += count == before; // nothing has come in between
}

static void deferred(void)
{
	catch(SIGUSR1, raise_inside, 0);
	CHECK(raise(SIGUSR1) == 0 && count == 3 && other == 3);
}

static void not_deferred(void)
{
	catch(SIGUSR1, raise_inside, SA_NODEFER);
	CHECK(raise(SIGUSR1) == 0 && count == 3 && other == 1);
}

static void reset(void)
{
	struct sigaction old;

	catch(SIGUSR1, on_signal, SA_RESETHAND);
	CHECK(raise(SIGUSR1) == 0 && count == 1 && sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
}

static void on_info(int sig, siginfo_t *info, void *context)
{
	count += sig == SIGUSR1 && info->si_signo == SIGUSR1 && info->si_code <= SI_USER && context;
}

static void with_info(void)
{
	struct sigaction act = { .sa_sigaction = on_info, .sa_flags = SA_SIGINFO };

	CHECK(sigaction(SIGUSR1, &act, NULL) == 0 && raise(SIGUSR1) == 0 && count == 1);
}

static void blocked(void)
{
	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL);
	block(SIG_BLOCK, SIGUSR1);
	CHECK(raise(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && count == 0 && is_pending(SIGUSR1) && !is_pending(SIGUSR2));
	block(SIG_UNBLOCK, SIGUSR1);
	CHECK(count == 1 && !is_pending(SIGUSR1));
	block(SIG_SETMASK, SIGUSR1);
	CHECK(raise(SIGUSR1) == 0 && count == 1 && signal(SIGUSR1, SIG_IGN) == counting && !is_pending(SIGUSR1));
}

static void mask_errors(void)
{
	sigset_t set, old;

	sigfillset(&set);
	FAILS(EINVAL, sigprocmask(99, &set, NULL));
	CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0 && is_blocked(SIGUSR1) && !is_blocked(SIGKILL) && !is_blocked(SIGSTOP));
	CHECK(sigprocmask(SIG_SETMASK, &set, &old) == 0 && !sigismember(&old, SIGKILL) && sigismember(&old, SIGTERM));
}

static void suspended(void)
{
	sigset_t none = set_of(0, 0);

	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL);
	block(SIG_BLOCK, SIGUSR1);
	CHECK(raise(SIGUSR1) == 0 && count == 0);
	FAILS(EINTR, sigsuspend(&none)); // it was there before
	CHECK(count == 1 && is_blocked(SIGUSR1));
	sender(SIGUSR1, 300, 1);
	FAILS(EINTR, sigsuspend(&none));
	CHECK(count == 2 && is_blocked(SIGUSR1) && !is_pending(SIGUSR1));
}

// Each one comes, at whatever moment.
static void suspended_often(void)
{
	sigset_t none = set_of(0, 0);
	pid_t pid;

	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL);
	block(SIG_BLOCK, SIGUSR1);
	pid = start("echo-signals", text_of(getpid()), "100", NULL);
	for (int i = 1; i <= 100; i++) {
		FAILS(EINTR, sigsuspend(&none));
		CHECK(count == i && kill(pid, SIGUSR2) == 0);
	}
	CHECK(exit_status(pid) == 0);
}

static void interrupts_read(void)
{
	char byte;
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	catch(SIGUSR1, on_signal, 0);
	pid = sender(SIGUSR1, 300, 1);
	FAILS(EINTR, read(ends[0], &byte, 1));
	CHECK(count == 1 && exit_status(pid) == 0);
}

static void restarts_read(void)
{
	char text[4] = "";
	int ends[2];
	pid_t pid;

	CHECK(pipe(ends) == 0);
	catch(SIGUSR1, on_signal, SA_RESTART);
	pid = start("put", text_of(ends[1]), "abc", "1500");
	sender(SIGUSR1, 200, 3);
	CHECK(read(ends[0], text, 4) == 3 && strcmp(text, "abc") == 0 && count == 3 && exit_status(pid) == 0);
}

static void partial_write(void)
{
	int ends[2];
	long n;

	CHECK(pipe(ends) == 0);
#ifdef F_SETPIPE_SZ
	CHECK(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
#endif
	catch(SIGUSR1, on_signal, SA_RESTART);
	sender(SIGUSR1, 300, 1);
	n = write(ends[1], scratch, sizeof scratch);
	CHECK(n == PIPE_BUF && count == 1);
}

static void interrupts_write(void)
{
	int ends[2];

	CHECK(pipe(ends) == 0);
	catch(SIGUSR1, on_signal, 0);
	sender(SIGUSR1, 1000, 100);
	while (write(ends[1], scratch, PIPE_BUF) == PIPE_BUF)
		;
	CHECK(errno == EINTR && count == 1);
}

static void interrupts_wait(void)
{
	pid_t pid = start("nap", "60000", NULL, NULL);

	catch(SIGUSR1, on_signal, 0);
	sender(SIGUSR1, 300, 1);
	FAILS(EINTR, waitpid(pid, NULL, 0));
	CHECK(count == 1);
	catch(SIGUSR1, on_signal, SA_RESTART);
	pid = start("nap", "1500", "7", NULL);
	sender(SIGUSR1, 300, 2);
	CHECK(exit_status(pid) == 7 && count == 3);
}

static void interrupts_sleep(void)
{
	struct timespec time = { 30, 500000000 }, rest;

	catch(SIGALRM, on_signal, SA_RESTART); // which means nothing to sleep
	alarm(1);
	CHECK(sleep(20) >= 18 && count == 1);
	alarm(1);
	FAILS(EINTR, nanosleep(&time, &rest));
	CHECK(count == 2 && rest.tv_sec >= 28 && rest.tv_sec < 30);
	alarm(1);
	FAILS(EINTR, usleep(30000000));
	CHECK(count == 3);
}

static void ignored_does_not_interrupt(void)
{
	pid_t pid;

	CHECK(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
	pid = sender(SIGUSR1, 100, 3);
	CHECK(sleep(2) == 0 && exit_status(pid) == 0);
	block(SIG_BLOCK, SIGUSR2);
	pid = sender(SIGUSR2, 100, 3);
	CHECK(sleep(2) == 0 && is_pending(SIGUSR2) && exit_status(pid) == 0);
	CHECK(kill(getpid(), SIGWINCH) == 0 && kill(getpid(), SIGCONT) == 0 && kill(getpid(), SIGURG) == 0);
}

static void alarms(void)
{
	CHECK(alarm(0) == 0 && alarm(100) == 0);
	CHECK(alarm(3) >= 99);
	CHECK(signal(SIGALRM, on_signal) == SIG_DFL && alarm(1) >= 2);
	FAILS(EINTR, pause());
	CHECK(count == 1 && last == SIGALRM && alarm(0) == 0);
	CHECK(alarm(1) == 0 && alarm(0) == 1 && usleep(1300000) == 0 && count == 1);
	CHECK(alarm(UINT_MAX) == 0 && alarm(0) > 1000000);
}

static void alarm_kills(void)
{
	int status;
	pid_t pid = start("alarm", NULL, NULL, NULL);

	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
}

static void child_ends(void)
{
	sigset_t none = set_of(0, 0);

	CHECK(signal(SIGCHLD, on_signal) == SIG_DFL);
	block(SIG_BLOCK, SIGCHLD);
	start("exit", "3", NULL, NULL);
	FAILS(EINTR, sigsuspend(&none));
	CHECK(count == 1 && last == SIGCHLD && waitpid(-1, NULL, WNOHANG) > 0);
	block(SIG_UNBLOCK, SIGCHLD);
	CHECK(exit_status(start("exit", "4", NULL, NULL)) == 4 && count == 2); // waiting is not interrupted by what ends it
}

// Ignored children leave no zombies.
static void child_ignored(void)
{
	CHECK(signal(SIGCHLD, SIG_IGN) == SIG_DFL);
	start("exit", "3", NULL, NULL);
	start("nap", "300", NULL, NULL);
	FAILS(ECHILD, waitpid(-1, NULL, 0));
}

static sigjmp_buf back;
static void *fault_address;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	fault_address = info->si_addr;
	last = sig;
	siglongjmp(back, 1);
}

__attribute__((no_sanitize("undefined"))) static void faults_caught(void)
{
	struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	volatile unsigned n = 0;
	void *volatile address;

	CHECK(sigaction(SIGSEGV, &act, NULL) == 0);
	while (bad_address(n, 1, (void **)&address)) {
		last = 0;
		if ((uintptr_t)address % 4 == 0 && (uintptr_t)address < INTPTR_MAX && (uintptr_t)address != 0x10000
		    && (uintptr_t)address != 0x10200 && sigsetjmp(back, 1) == 0) {
			*(volatile int *)address = 1;
			CHECK(0);
		}
		CHECK(!last || (last == SIGSEGV && fault_address == address && !is_blocked(SIGSEGV)));
		count += last == SIGSEGV;
		n++;
	}
	CHECK(count >= 3);
}

static void fault_blocked(void)
{
	int status;
	pid_t pid = start("blocked-crash", NULL, NULL, NULL);

	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void bad_stack(void)
{
	int status;
	pid_t pid = start("bad-stack", NULL, NULL, NULL);

	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void jump(int sig)
{
	(void)sig;
	count++;
	siglongjmp(back, 5);
}

static void jumps_out(void)
{
	volatile int times = 0;

	CHECK(signal(SIGUSR1, jump) == SIG_DFL);
	if (sigsetjmp(back, 1) == 5)
		CHECK(!is_blocked(SIGUSR1));
	if (times++ < 3)
		raise(SIGUSR1);
	CHECK(count == 3);
	if (sigsetjmp(back, 0) == 0)
		raise(SIGUSR1);
	CHECK(count == 4 && is_blocked(SIGUSR1));
}

static void abort_caught(void)
{
	int status;
	pid_t pid = start("caught-abort", NULL, NULL, NULL);

	catch(SIGABRT, jump, 0);
	block(SIG_BLOCK, SIGABRT);
	if (sigsetjmp(back, 1) == 0)
		abort();
	CHECK(count == 1);
	CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static unsigned work(unsigned seed, unsigned rounds)
{
	unsigned a = seed, b = 1, c = 7;

	while (rounds--) {
		a = a * 1664525 + 1013904223;
		b ^= a >> 7 | b << 3;
		c += b % 1000 + (a & 0xff) * c;
		scratch[rounds % 1000] = (unsigned char)(c ^ scratch[(rounds + 1) % 1000]);
	}
	return a ^ b ^ c;
}

static void busy(int sig)
{
	count++;
	marks = (int)(work((unsigned)sig, 3) + (unsigned)marks);
}

// A handler leaves no trace in what it interrupts.
static void undisturbed(void)
{
	unsigned result = work(1, 5000);
	pid_t pid;

	catch(SIGUSR1, busy, 0);
	pid = sender(SIGUSR1, 20, 40);
	while (waitpid(pid, NULL, WNOHANG) == 0)
		CHECK(work(1, 5000) == result || !"changed");
	CHECK(count >= 20);
}

// execve: what is caught falls back, what is ignored or blocked stays.
static void through_exec(void)
{
	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL && signal(SIGUSR2, SIG_IGN) == SIG_DFL);
	block(SIG_BLOCK, SIGHUP);
	CHECK(run_helper("ignored", text_of(SIGUSR1), NULL, NULL) == 0 && run_helper("ignored", text_of(SIGUSR2), NULL, NULL) == 1);
	CHECK(run_helper("mask", text_of(SIGHUP), NULL, NULL) == 1 && run_helper("mask", text_of(SIGUSR1), NULL, NULL) == 0);
}

static void vfork_keeps(void)
{
	pid_t pid;

	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL);
	pid = vfork();
	if (pid == 0)
		_exit(signal(SIGUSR1, SIG_DFL) != counting);
	CHECK(exit_status(pid) == 0 && raise(SIGUSR1) == 0 && count == 1);
}

static void bad_pointers(void)
{
	void *bad;

	for (unsigned n = 0; bad_address(n, 1, &bad); n++)
		CHECK(!bad || (raw_call(CALL_oct_sigmask, 1, 2, (uintptr_t)bad) == -EFAULT && !is_blocked(1)));
	for (unsigned n = 0; bad_address(n, 0, &bad); n++)
		CHECK(raw_call(CALL_oct_sigreturn, (uintptr_t)bad, 0, 0) == -EFAULT);
	CHECK(raw_call(CALL_oct_sigreturn, (uintptr_t)edge_address(60), 0, 0) == -EFAULT);
}

static const struct test tests[] = {
	TEST(sets, QUICK),
	TEST(caught, QUICK),
	TEST(each_signal, QUICK),
	TEST(action_told, QUICK),
	TEST(action_errors, QUICK),
	TEST(own_mask, QUICK),
	TEST(deferred, QUICK),
	TEST(not_deferred, QUICK),
	TEST(reset, QUICK),
	TEST(with_info, QUICK),
	TEST(blocked, QUICK),
	TEST(mask_errors, QUICK),
	TEST(suspended, QUICK),
	TEST(suspended_often, QUICK),
	TEST(interrupts_read, QUICK),
	TEST(restarts_read, QUICK),
	TEST(partial_write, QUICK),
	TEST(interrupts_write, QUICK),
	TEST(interrupts_wait, WITH_MANY),
	TEST(interrupts_sleep, QUICK),
	TEST(ignored_does_not_interrupt, QUICK),
	TEST(alarms, QUICK),
	TEST(alarm_kills, QUICK),
	TEST(child_ends, QUICK),
	TEST(child_ignored, QUICK),
	TEST(faults_caught, QUICK),
	TEST(fault_blocked, QUICK),
	TEST(bad_stack, OCTIX),
	TEST(jumps_out, QUICK),
	TEST(abort_caught, QUICK),
	TEST(undisturbed, QUICK),
	TEST(through_exec, QUICK),
	TEST(vfork_keeps, QUICK),
	TEST(bad_pointers, OCTIX),
};

AREA("handlers", tests);
