// SPDX-License-Identifier: ISC
//
// The shortest system call. Marks 1 to 2: CALLS calls of getpid, nothing but the ecall; 2 to 3: the loop without them.
#include <unistd.h>

#define CALLS 200

int mark(int n);

enum { // numbers of the system calls
#define SYSCALL(name, ...) SYS_##name,
#include <octix/syscalls.def>
#undef SYSCALL
};

int main(void)
{
	for (int round = 0; round < 6; round++) {
		register long number __asm__("t0");

		mark(1);
		number = SYS_getpid;
		for (int i = 0; i < CALLS; i++)
			__asm__ volatile("ecall" : : "r"(number) : "a0");
		mark(2);
		for (int i = 0; i < CALLS; i++)
			__asm__ volatile("" : : : "a0");
		mark(3);
	}
	return 0;
}
