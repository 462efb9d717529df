// SPDX-License-Identifier: ISC
//
// storm SECONDS SEED: as many processes as there can be come and go: they execute this program, fork, fill memory, talk through pipes and semaphores,
// sleep, signal each other and end, at random. What goes through a pipe and what stands in memory is compared. At the end all must be gone; prints how many there were.
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16, ORPHAN_S = 4, WRONG = 93 };

static uint32_t state;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

static uint32_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint32_t)now.tv_sec * 1000 + (uint32_t)now.tv_nsec / 1000000;
}

// unwanted: a descriptor that it does not get; -1: none.
static pid_t start(const char *self, const char *what, int unwanted)
{
	char seed[12];
	char *const argv[] = { (char *)self, (char *)what, seed, NULL };
	pid_t pid;

	snprintf(seed, sizeof seed, "%lu", (unsigned long)(below(0xfffffff) + 1));
	pid = vfork();
	if (pid == 0) {
		if (unwanted >= 0)
			close(unwanted);
		execve(self, argv, argv + 3);
		_exit(WRONG);
	}
	return pid;
}

// ---- what processes do

static int sleeper(void)
{
	usleep(below(60) * 1000);
	return 0;
}

static int spinner(void)
{
	volatile uint32_t n = below(20000);

	while (n)
		n--;
	return 0;
}

// Lets another process send it bytes, and looks at them: each is one more than the one before.
static int reader(const char *self)
{
	char chunk[200], what[8];
	unsigned char next = 0;
	int fd[2], n;
	pid_t pid;

	if (pipe(fd))
		return errno == ENFILE ? 0 : WRONG;
	snprintf(what, sizeof what, "w%d", fd[1]);
	pid = start(self, what, fd[0]);
	close(fd[1]);
	if (pid < 0)
		return errno == EAGAIN ? 0 : WRONG;
	while ((n = read(fd[0], chunk, 1 + below(sizeof chunk))) > 0)
		for (int i = 0; i < n; i++)
			if ((unsigned char)chunk[i] != next++)
				return WRONG;
	if (n < 0)
		return WRONG;
	waitpid(pid, NULL, 0);
	return 0;
}

static int writer(int fd)
{
	char chunk[700];
	unsigned char next = 0;

	for (unsigned times = below(6); times--;) {
		unsigned n = 1 + below(sizeof chunk);
		int done;

		for (unsigned i = 0; i < n; i++)
			chunk[i] = (char)next++;
		done = write(fd, chunk, n);
		if (done < 0)
			return 0; // the reader has been killed
		next -= (unsigned char)(n - (unsigned)done);
	}
	return 0;
}

// A process like this one, and its signal.
static int killer(const char *self)
{
	pid_t pid = start(self, "s", -1);
	int status = 0;

	if (pid < 0)
		return errno == EAGAIN ? 0 : WRONG;
	usleep(below(30) * 1000);
	kill(pid, below(2) ? SIGKILL : SIGTERM);
	if (waitpid(pid, &status, 0) != pid)
		return WRONG;
	return WIFSIGNALED(status) || WEXITSTATUS(status) == 0 ? 0 : WRONG;
}

static volatile sig_atomic_t heard;

static void hear(int signal)
{
	(void)signal;
	heard = 1;
}

// Waits for a signal of a process that it starts.
static int listener(const char *self)
{
	sigset_t usual, with;
	pid_t pid;

	sigemptyset(&with);
	sigaddset(&with, SIGUSR1);
	sigprocmask(SIG_BLOCK, &with, &usual);
	signal(SIGUSR1, hear);
	pid = start(self, "u", -1);
	if (pid < 0)
		return errno == EAGAIN ? 0 : WRONG;
	while (!heard)
		sigsuspend(&usual);
	return waitpid(pid, NULL, 0) == pid ? 0 : WRONG;
}

static int caller(void)
{
	if (below(2))
		usleep(below(40) * 1000);
	kill(getppid(), SIGUSR1); // or it has been killed; init takes no notice
	return 0;
}

static char *memory;
static unsigned memory_size;

static void fill(unsigned seed)
{
	for (unsigned i = 0; i < memory_size; i++)
		memory[i] = (char)(seed + i * 7 + (i >> 8));
}

static bool filled(unsigned seed)
{
	for (unsigned i = 0; i < memory_size; i++)
		if (memory[i] != (char)(seed + i * 7 + (i >> 8)))
			return false;
	return true;
}

static bool take_memory(void)
{
	memory_size = 1000 + below(7000);
	memory = malloc(memory_size);
	return memory != NULL;
}

static int hoarder(void)
{
	if (!take_memory())
		return WRONG;
	for (unsigned times = 1 + below(3), seed = below(256); times--; seed++) {
		fill(seed);
		usleep(below(50) * 1000);
		if (!filled(seed))
			return WRONG;
	}
	return 0;
}

// It may have been killed.
static int wait_for_parent(sem_t *sem)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += ORPHAN_S;
	return sem_timedwait(sem, &until);
}

// What one of both writes is not the other's, and each waits for the other at semaphores.
static int forker(void)
{
	sem_t mine, its;
	bool with_sems = sem_init(&mine, 1, 0) == 0;
	int status;
	pid_t pid;

	if (with_sems && sem_init(&its, 1, 0)) {
		sem_destroy(&mine);
		with_sems = false;
	}
	if ((!with_sems && errno != ENOSYS && errno != ENOSPC) || !take_memory())
		return WRONG;
	fill(1);
	pid = fork();
	if (pid < 0)
		return errno == EAGAIN || errno == ENOMEM ? 0 : WRONG;
	for (unsigned times = 3; with_sems && times--;) {
		if (sem_post(pid ? &its : &mine))
			return WRONG;
		if (pid ? sem_wait(&mine) : wait_for_parent(&its))
			return WRONG;
	}
	if (!filled(1))
		return WRONG;
	fill(pid ? 2 : 3);
	if (below(2))
		usleep(below(20) * 1000);
	if (!filled(pid ? 2 : 3))
		return WRONG;
	return pid && (waitpid(pid, &status, 0) != pid || status != 0) ? WRONG : 0;
}

static int act(const char *self, const char *what)
{
	switch (*what) {
	case 's':
		return sleeper();
	case 'c':
		return spinner();
	case 'r':
		return reader(self);
	case 'k':
		return killer(self);
	case 'l':
		return listener(self);
	case 'u':
		return caller();
	case 'h':
		return hoarder();
	case 'f':
		return forker();
	default:
		return writer(atoi(what + 1));
	}
}

// ---- the storm

static pid_t children[MOST];
static unsigned long started, ended, killed, refused, wrong;

static void bury(pid_t pid, int status)
{
	for (unsigned i = 0; i < MOST; i++)
		if (children[i] == pid)
			children[i] = 0;
	ended++;
	killed += WIFSIGNALED(status);
	wrong += WIFEXITED(status) && WEXITSTATUS(status) != 0;
}

static void start_one(const char *self)
{
	static const char *const kinds[] = { "s", "c", "r", "r", "k", "l", "h", "f", "f" };

	for (unsigned i = 0; i < MOST; i++) {
		if (children[i])
			continue;
		children[i] = start(self, kinds[below(sizeof kinds / sizeof kinds[0])], -1);
		if (children[i] < 0) {
			children[i] = 0;
			refused++;
			usleep(5000);
		} else {
			started++;
		}
		return;
	}
}

static void step(const char *self)
{
	pid_t pid;
	int status;

	switch (below(12)) {
	case 0:
		pid = children[below(MOST)];
		if (pid)
			kill(pid, below(2) ? SIGKILL : SIGTERM);
		break;
	case 1:
	case 2:
		pid = waitpid(-1, &status, below(2) ? WNOHANG : 0);
		if (pid > 0)
			bury(pid, status);
		break;
	default:
		start_one(self);
	}
}

int main(int argc, char **argv)
{
	uint32_t begin = now_ms(), seconds = argc == 3 ? (uint32_t)atoi(argv[1]) : 0;
	int status;
	pid_t pid;

	if (argc != 3)
		return 2;
	state = (uint32_t)atoi(argv[2]) * 2 + 1; // not 0
	if (!seconds)
		return act(argv[0], argv[1]);
	while (now_ms() - begin < seconds * 1000)
		step(argv[0]);
	while ((pid = waitpid(-1, &status, 0)) > 0)
		bury(pid, status);
	sleep(ORPHAN_S + 1);
	printf("%lu started, %lu ended, %lu of them killed, %lu times no place, %lu wrong\n", started, ended, killed, refused, wrong);
	return started != ended || wrong;
}
