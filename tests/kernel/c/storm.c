// SPDX-License-Identifier: ISC
//
// storm SECONDS SEED: as many processes as there can be come and go: they execute this program, talk through pipes, sleep, signal each
// other and end, at random. Each transfer through a pipe is compared. At the end all must be gone; prints how many there were.
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16, WRONG = 93 };

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
	static const char *const kinds[] = { "s", "c", "r", "r", "k" };

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
	state = (uint32_t)atoi(argv[2]) | 1;
	if (!seconds)
		return act(argv[0], argv[1]);
	while (now_ms() - begin < seconds * 1000)
		step(argv[0]);
	while ((pid = waitpid(-1, &status, 0)) > 0)
		bury(pid, status);
	printf("%lu started, %lu ended, %lu of them killed, %lu times no place, %lu wrong\n", started, ended, killed, refused, wrong);
	return started != ended || wrong;
}
