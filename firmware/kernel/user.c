// SPDX-License-Identifier: ISC
//
// System call arguments and user memory, page by page.

#include "kernel/user.h"

#include <string.h>

#include <octix/errno.h>

#include "vm/pager.h"

uint32_t arg(uint8_t n)
{
	return self_regs()[10 + n];
}

int16_t arg_small(uint8_t n)
{
	int32_t value = (int32_t)arg(n);

	return value == (int16_t)value ? (int16_t)value : INT16_MAX;
}

bool arg_address(uint8_t n, uint16_t *va)
{
	uint32_t value = arg(n);

	*va = (uint16_t)value;
	return value >> 16 == 0;
}

static int8_t fault_error(uint8_t why)
{
	return why == PAGER_SEGV ? -OX_EFAULT : -OX_EIO;
}

// Bytes from va to the end of its page, at most n.
static uint16_t in_page(uint16_t va, uint16_t n)
{
	uint16_t rest = 256 - (uint8_t)va;

	return n < rest ? n : rest;
}

int8_t copy_in(uint8_t space, void *to, uint16_t va, uint16_t n)
{
	uint8_t *out = to;
	uint8_t why;

	while (n) {
		uint16_t part = in_page(va, n);
		const uint8_t *page = space_page(space, va >> 8, false, &why);

		if (!page)
			return fault_error(why);
		memcpy(out, page + (uint8_t)va, part);
		out += part;
		va += part;
		n -= part;
	}
	return 0;
}

int8_t copy_out(uint8_t space, uint16_t va, const void *from, uint16_t n)
{
	const uint8_t *in = from;
	uint8_t why;

	while (n) {
		uint16_t part = in_page(va, n);
		uint8_t *page = space_page(space, va >> 8, true, &why);

		if (!page)
			return fault_error(why);
		memcpy(page + (uint8_t)va, in, part);
		in += part;
		va += part;
		n -= part;
	}
	return 0;
}

int8_t copy_in_string(uint8_t space, char *to, uint16_t va, uint8_t size)
{
	uint8_t why;

	while (size) {
		uint8_t part = (uint8_t)in_page(va, size);
		const char *page = (const char *)space_page(space, va >> 8, false, &why);

		if (!page)
			return fault_error(why);
		for (page += (uint8_t)va; part; part--, va++, size--)
			if (!(*to++ = *page++))
				return 0;
	}
	return -OX_ENAMETOOLONG;
}

int8_t arg_path(uint8_t n, char *to)
{
	uint16_t va;
	int8_t error;

	if (!arg_address(n, &va))
		return -OX_EFAULT;
	error = copy_in_string(self()->space, to, va, PATH_SIZE);
	return error == 0 && !*to ? -OX_ENOENT : error;
}
