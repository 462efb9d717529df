// SPDX-License-Identifier: ISC
//
// stack [MORE]: calls itself until the next frame would not fit, and uses the stack down to its last byte; with an
// argument it goes one level further, which must kill it. Knows the address space of Octix; the host does not run it.
#include <stdint.h>
#include <stdio.h>

extern char __stack_size[];

static uintptr_t limit;

static __attribute__((noinline)) int down(uintptr_t above, int more)
{
	volatile char frame[64];
	uintptr_t here = (uintptr_t)frame, size = above - here;
	int below = 0;

	frame[0] = frame[63] = (char)size;
	if (here - limit > size + 64 || (more && here > limit))
		below = down(here, more);
	else
		*(volatile char *)limit = 1;
	return below + 1 + frame[0] - frame[63];
}

int main(int argc, char **argv)
{
	int levels;

	(void)argv;
	limit = 0x10000 - (uintptr_t)__stack_size;
	puts("down");
	fflush(stdout);
	levels = down((uintptr_t)__builtin_frame_address(0), argc > 1);
	printf("%s\n", levels > 10 ? "and back" : "too few levels");
	return 0;
}
