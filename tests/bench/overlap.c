// SPDX-License-Identifier: ISC
//
// Two processes that compute and one that keeps the card busy. The first process of a card starts them and lets them go: marks 1 to 2
// are from there to the end of all. What the third one does is the first word of /bin/mode: page, list, write or exec.
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF "/sbin/init"

int mark(int n);

// Reads one byte of each page of a table larger than the pool, round and round.
static const unsigned char table[48 * 512] __attribute__((aligned(512))) = { 1 };

static unsigned sweep(unsigned pages)
{
	const volatile unsigned char *p = table;
	unsigned sum = 0;

	for (unsigned i = 0; i < pages; i++)
		sum += p[i * 512];
	return sum;
}

static int page(void)
{
	unsigned sum = 0;

	for (unsigned round = 0; round < 4; round++)
		sum += sweep(48);
	return sum == 4 ? 0 : 1;
}

static int list(void)
{
	unsigned n = 0;

	for (unsigned round = 0; round < 2; round++) {
		DIR *d = opendir("/bin");

		while (d && readdir(d))
			n++;
		closedir(d);
	}
	return n > 1000 ? 0 : 1;
}

static int write_file(void)
{
	static char bytes[512];
	int fd = open("/tmp.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	for (unsigned i = 0; i < 64; i++)
		if (write(fd, bytes, sizeof bytes) != sizeof bytes)
			return 1;
	return close(fd);
}

static int start(const char *mode, int gate)
{
	char fd[2] = { (char)('0' + gate), 0 };
	char *const argv[] = { (char *)"overlap", (char *)mode, fd, 0 };
	int pid = vfork();

	if (pid)
		return pid;
	execve(SELF, argv, argv + 3);
	_exit(127);
}

static int exec(void)
{
	int status = 0;

	for (unsigned i = 0; i < 6 && !status; i++) {
		start("nothing", 0);
		wait(&status);
		sweep(20);
	}
	return status;
}

// Longer than the third one takes beside it: when it is alone, nobody is there to overlap with.
static int compute(void)
{
	volatile unsigned x = 1;

	for (unsigned i = 0; i < 20000; i++)
		x = x * 5 + i;
	return 0;
}

static int work(const char *mode)
{
	switch (*mode) {
	case 'c': return compute();
	case 'p': return page();
	case 'l': return list();
	case 'w': return write_file();
	case 'e': return exec();
	}
	return 0;
}

int main(int argc, char **argv)
{
	char mode[16] = "page";
	int gate[2], status, failed = 0, fd = open("/bin/mode", O_RDONLY);

	if (argc > 2) {
		if (argv[2][0] != '0')
			read(argv[2][0] - '0', mode, 1);
		return work(argv[1]);
	}
	read(fd, mode, sizeof mode - 1);
	close(fd);
	pipe(gate);
	start("compute", gate[0]);
	start("compute", gate[0]);
	start(mode, gate[0]);
	mark(1);
	write(gate[1], "abc", 3);
	while (wait(&status) > 0)
		failed |= status;
	mark(2);
	write(1, failed ? "failed\n" : "done\n", failed ? 7 : 5);
	for (;;)
		mark(failed ? 4 : 3);
}
