// SPDX-License-Identifier: ISC
//
// Marks 1 to 2: some computing on 2 KB of data. 3 to 4: as many processes as there can be, each doing the same on data of its own;
// prints how many, and how many were right.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int mark(int n);

enum { WORDS = 512, PASSES = 40, MOST = 32 };

static unsigned data[WORDS];

// Each pass mixes every word with another one, far away.
static unsigned compute(void)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < WORDS; i++)
		data[i] = i * 2654435761u;
	for (unsigned pass = 0; pass < PASSES; pass++)
		for (unsigned i = 0; i < WORDS; i++) {
			data[i] += data[(i * 5 + pass) % WORDS] >> 3;
			sum ^= data[i];
		}
	return sum;
}

int main(void)
{
	unsigned sum, n = 0, right = 0;
	int status;

	mark(1);
	sum = compute();
	mark(2);
	mark(3);
	for (pid_t pid; n < MOST && (pid = fork()) >= 0; n++)
		if (pid == 0)
			_exit(compute() != sum);
	while (wait(&status) > 0)
		right += status == 0;
	mark(4);
	printf("%u %u\n", n, right);
	return 0;
}
