// SPDX-License-Identifier: ISC
//
// Items of 4 bytes between two processes. Marks 1 to 2: ROUNDS items, each answered by another one before the next is sent, so both processes
// wait and are switched to for each. Marks 3 to 4: BATCHES times BATCH items, each written and read by itself; one is answered in each batch.
// The first process of a card starts the second one, which is this program with an argument.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define SELF    "/sbin/init"
#define ROUNDS  200
#define BATCHES 8
#define BATCH   64

enum { IN = 3, OUT = 4 };

int mark(int n);

static void need(int n)
{
	if (n != 4) {
		write(2, "bench: pipe: short\n", 19);
		exit(1);
	}
}

static void give(uint32_t item)
{
	need(write(OUT, &item, sizeof item));
}

static uint32_t take(void)
{
	uint32_t item;

	need(read(IN, &item, sizeof item));
	return item;
}

static int second(void)
{
	for (int i = 0; i <= ROUNDS; i++)
		give(take());
	for (int batch = 0; batch <= BATCHES; batch++) {
		uint32_t sum = 0;

		for (int i = 0; i < BATCH; i++)
			sum += take();
		give(sum);
	}
	return 0;
}

static void batch(void)
{
	for (uint32_t i = 0; i < BATCH; i++)
		give(i);
	if (take() != BATCH * (BATCH - 1) / 2)
		need(0);
}

static int first(void)
{
	give(7);
	take();
	mark(1);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		give(i);
		if (take() != i)
			need(0);
	}
	mark(2);
	batch();
	mark(3);
	for (int i = 0; i < BATCHES; i++)
		batch();
	mark(4);
	return 0;
}

// The descriptors that a process goes on with.
static void keep(int in, int out)
{
	dup2(in, 7);
	dup2(out, 8);
	dup2(7, IN);
	dup2(8, OUT);
	for (int fd = 5; fd < 9; fd++)
		close(fd);
}

int main(int argc, char **argv)
{
	char *const again[] = { (char *)SELF, (char *)"2", NULL };
	int there[2], back[2];

	(void)argv;
	if (argc > 1)
		return second();
	if (pipe(there) < 0 || pipe(back) < 0)
		return 1;
	if (vfork() == 0) {
		keep(there[0], back[1]);
		execv(SELF, again);
		_exit(1);
	}
	keep(back[0], there[1]);
	return first();
}
