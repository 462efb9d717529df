// SPDX-License-Identifier: ISC
//
// System call arguments and user memory, page by page.

#include "kernel/user.h"

#include <string.h>

#include <octix/errno.h>

#include "fs/fs.h"
#include "kernel/exec.h"
#include "vm/frames.h"
#include "vm/pager.h"

#define MOST_LEFT 7

uint32_t arg(uint8_t n)
{
	return self_regs()[10 + n];
}

int16_t arg_small(uint8_t n)
{
	int32_t value = (int32_t)arg(n);

	return value == (int16_t)value ? (int16_t)value : INT16_MAX;
}

NOINLINE uint16_t arg_count(void)
{
	uint32_t value = arg(2);

	return value > INT16_MAX ? INT16_MAX : (uint16_t)value;
}

uint16_t arg_address(uint8_t n)
{
	uint32_t value = arg(n);

	if (value >> 16)
		fail(-OX_EFAULT);
	return (uint16_t)value;
}

int16_t any_value(uint32_t value)
{
	self_regs()[10] = value;
	return NO_RESULT;
}

void may_leave(void)
{
	card_restart = self()->call < MOST_LEFT * CALL_LEFT;
}

void leave_call(void)
{
	exec_abandon();
	blocks_let_go();
	wait_for_card();
	self()->call += CALL_LEFT;
	vm_pc.offset--;
	kernel_again();
}

void fail(int8_t error)
{
	exec_abandon();
	if (!vm_slot_page)
		init_failed();
	self()->timed = false;
	any_value((uint32_t)(int32_t)error);
	self()->call = CALL_NONE;
	kernel_again();
}

void check(int8_t error)
{
	if (error)
		fail(error);
}

static uint8_t page_result;

uint8_t *user_byte(uint8_t space, uint16_t va, bool write)
{
	uint8_t *page = space_page(space, va >> 8, write, &page_result);

	if (!page && card_left)
		leave_call();
	return page ? page + (uint8_t)va : 0;
}

int8_t user_error(void)
{
	return page_result == PAGER_SEGV ? -OX_EFAULT : -OX_EIO;
}

NOINLINE uint16_t in_page(uint16_t va, uint16_t n)
{
	uint16_t rest = 256 - (uint8_t)va;

	return n < rest ? n : rest;
}

static int8_t copy(uint8_t space, uint16_t va, uint8_t *kernel, uint16_t n, bool out)
{
	while (n) {
		uint16_t part = in_page(va, n);
		uint8_t *user = user_byte(space, va, out);

		if (!user)
			return user_error();
		if (out)
			memcpy(user, kernel, part);
		else
			memcpy(kernel, user, part);
		kernel += part;
		va += part;
		n -= part;
	}
	return 0;
}

int8_t copy_in(uint8_t space, void *to, uint16_t va, uint16_t n)
{
	return copy(space, va, to, n, false);
}

int8_t copy_out(uint8_t space, uint16_t va, const void *from, uint16_t n)
{
	return copy(space, va, (uint8_t *)from, n, true);
}

int8_t give(uint16_t va, const void *from, uint16_t n)
{
	check(copy_out(self()->space, va, from, n));
	return 0;
}

int8_t copy_in_string(uint8_t space, char *to, uint16_t va, uint8_t size)
{
	while (size) {
		uint8_t part = (uint8_t)in_page(va, size);
		const char *from = (const char *)user_byte(space, va, false);

		if (!from)
			return user_error();
		va += part;
		size -= part;
		do
			if (!(*to++ = *from++))
				return 0;
		while (--part);
	}
	return -OX_ENAMETOOLONG;
}

void proc_name(const struct proc *p, char name[NAME_SIZE])
{
	char *c = name;

	memset(name, 0, NAME_SIZE);
	if (p->space == NO_SPACE || copy_in(p->space, name, (uint16_t)NAME_AT, NAME_SIZE - 1) != 0 || !*name)
		*name = '-';
	for (; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

void arg_path(uint8_t n, char *to)
{
	may_leave();
	check(copy_in_string(self()->space, to, arg_address(n), PATH_SIZE));
	if (!*to)
		fail(-OX_ENOENT);
}
