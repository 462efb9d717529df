// SPDX-License-Identifier: ISC
//
// Processes that do nothing but yield. Marks 1 to 2: two of them, which both hold slots, YIELDS turns of each; 3 to 4: MANY, more
// than there are slots, so that each finds another's registers and maps in its slot; ROUNDS times.
#include <unistd.h>

enum { YIELDS = 100, ROUNDS = 4, MANY = 6 };

int mark(int n);

enum { // numbers of the system calls
#define SYSCALL(name, ...) SYS_##name,
#include <octix/syscalls.def>
#undef SYSCALL
};

static inline void yield(void)
{
	register long number __asm__("t0") = SYS_sched_yield;

	__asm__ volatile("ecall" : : "r"(number) : "a0");
}

static void start(int n)
{
	while (n--)
		if (fork() == 0)
			for (;;)
				yield();
}

static void measure(int first)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 2 * MANY; i++) // all have started, and their pages are there
			yield();
		mark(first);
		for (int i = 0; i < YIELDS; i++)
			yield();
		mark(first + 1);
	}
}

int main(void)
{
	start(1);
	measure(1);
	start(MANY - 2);
	measure(3);
	return 0;
}
