// SPDX-License-Identifier: ISC
//
// The shortest system call. Marks 1 to 2: CALLS calls of getpid; 2 to 3: the loop without them.
#include <unistd.h>

#define CALLS 200

int mark(int n);

int main(void)
{
	for (int round = 0; round < 2; round++) {
		mark(1);
		for (int i = 0; i < CALLS; i++)
			getpid();
		mark(2);
		for (int i = 0; i < CALLS; i++)
			__asm__ volatile("");
		mark(3);
	}
	return 0;
}
