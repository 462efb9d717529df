// SPDX-License-Identifier: ISC
//
// sbrk without a system call: a pointer that moves between the end of the bss and the stack. The kernel gives a page
// when it is first touched. Only a program linked with a heap limit (__heap_size) asks the kernel for more.
#include "private.h"

#include <errno.h>
#include <octix/oxe.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

extern char __heap_start[], __stack_size[], __data_end[];
extern char __heap_size[] __attribute__((weak)); // weak: its value may be 0

static char *end = __heap_start;

// What the stack has grown by for the arguments (OXE.md, Start).
static uintptr_t arguments(void)
{
	uintptr_t bytes = (uintptr_t)__data_end - (uintptr_t)__oct_argv + sizeof *__oct_argv;

	return bytes > OXE_ARG_FREE ? (bytes - OXE_ARG_FREE + 511) & ~(uintptr_t)511 : 0;
}

// The kernel grants pages of 256 bytes.
static int refused(uintptr_t wanted)
{
	static uintptr_t granted;

	if (__heap_size == NULL)
		return 0;
	if (!granted)
		granted = (uintptr_t)__heap_start + (uintptr_t)__heap_size;
	if (wanted <= granted)
		return 0;
	if (oct_brk(wanted) < 0)
		return 1;
	granted = (wanted + 255) & ~(uintptr_t)255;
	return 0;
}

void *sbrk(ptrdiff_t increment)
{
	char *old = end;
	uintptr_t wanted = (uintptr_t)old + (uintptr_t)increment;
	uintptr_t limit = (uintptr_t)__data_end - (uintptr_t)__stack_size - arguments();

	if (wanted < (uintptr_t)__heap_start || wanted > limit || refused(wanted)) {
		errno = ENOMEM;
		return (void *)-1;
	}
	end = (char *)wanted;
	return old;
}
