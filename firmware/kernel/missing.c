// SPDX-License-Identifier: ISC
//
// What stands for the parts that a board leaves out (firmware.mk): each system call whose source is there takes the place of the one here.

#include <stdint.h>

#include <octix/errno.h>

static int16_t missing(void)
{
	return -OX_ENOSYS;
}

#define SYSCALL(name, ...) int16_t __attribute__((weak, alias("missing"))) sys_##name(void);
#include <octix/syscalls.def>
#undef SYSCALL
