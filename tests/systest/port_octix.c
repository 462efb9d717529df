// SPDX-License-Identifier: ISC
//
// What differs, on Octix. The program is linked with a heap limit: between heap and stack is nothing.
#include "systest.h"

#include <octix/octix.h>

extern char __heap_start[], __heap_size[], __stack_size[], __data_end[];

int oct_brk(unsigned end);

const int on_octix = 1;

static const char constant[] = "read-only";

unsigned long stack_bottom(void)
{
	return (uintptr_t)__data_end - (uintptr_t)__stack_size;
}

int bad_address(unsigned n, int for_writing, void **address)
{
	static const unsigned long bad[] = { 0, 1, 0x1ff, 0x10000, 0x10200, 0x80000000, 0xffffffff };
	const unsigned fixed = sizeof bad / sizeof bad[0];

	if (n >= fixed + 1 + !!for_writing)
		return 0;
	*address = n < fixed ? (void *)bad[n] : n == fixed ? (void *)(stack_bottom() - 512) : (char *)constant;
	return 1;
}

void *edge_address(unsigned n)
{
	uintptr_t end = ((uintptr_t)__heap_start + (uintptr_t)__heap_size + 511) & ~(uintptr_t)511; // of a frame of any size

	CHECK(oct_brk(end) == 0);
	return (char *)end - n;
}

int open_max(void)
{
	return OPEN_MAX;
}

// Calls that are left out say so; the others do nothing with such arguments.
static int is_there(unsigned call)
{
	return raw_call(call, ~0u, ~0u, ~0u) != -ENOSYS;
}

int has_part(unsigned part)
{
	switch (part) {
	case WITH_USERS: return is_there(CALL_chmod);
	case WITH_SEMS: return is_there(CALL_oct_sem_close);
	case WITH_POLL: return is_there(CALL_poll);
	case WITH_PROC: return access("/proc/stat", F_OK) == 0;
	case WITH_UNICODE: return mkdir("\303\251", 0777) == 0 && rmdir("\303\251") == 0;
	case WITH_NICE: return is_there(CALL_oct_nice);
	default: return sysconf(_SC_CHILD_MAX) > 6;
	}
}

int nearly_full(void)
{
	char text[OCT_PROC_TEXT];

	return oct_proc_text("/proc/meminfo", text, sizeof text)
	       && oct_proc_number(text, "clusters_free") < 1000000 / oct_proc_number(text, "cluster_size");
}

long raw_call(unsigned number, unsigned long a, unsigned long b, unsigned long c)
{
	register unsigned long t0 __asm__("t0") = number;
	register unsigned long a0 __asm__("a0") = a;
	register unsigned long a1 __asm__("a1") = b;
	register unsigned long a2 __asm__("a2") = c;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(t0), "r"(a1), "r"(a2) : "memory");
	return (long)a0;
}

int bad_stack_kill(int signal)
{
	pid_t pid = getpid();
	register unsigned long t0 __asm__("t0") = CALL_kill;
	register unsigned long a0 __asm__("a0") = (unsigned long)pid;
	register unsigned long a1 __asm__("a1") = (unsigned long)signal;

	__asm__ volatile("mv s1, sp\n\tli sp, 300\n\tecall\n\tmv sp, s1" : "+r"(a0) : "r"(t0), "r"(a1) : "s1", "memory");
	return (int)a0;
}
