// SPDX-License-Identifier: ISC
//
// Multiplication of 64 bits by halves. libgcc's own goes bit by bit.
#include <stdint.h>

uint64_t __muldi3(uint64_t a, uint64_t b);

uint64_t __muldi3(uint64_t a, uint64_t b)
{
	uint32_t low = (uint32_t)a, high = (uint32_t)(a >> 32), other_low = (uint32_t)b, other_high = (uint32_t)(b >> 32);
	uint64_t product = (uint64_t)low * other_low;
	uint32_t upper = (uint32_t)(product >> 32) + low * other_high + high * other_low;

	return (uint64_t)upper << 32 | (uint32_t)product;
}
