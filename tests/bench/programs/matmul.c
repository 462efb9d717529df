// SPDX-License-Identifier: ISC
//
// Product of two 14 x 14 matrices of 32-bit integers.
#include "bench.h"

#define N 14

static int32_t a[N][N], b[N][N], c[N][N];

static void multiply(void)
{
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++) {
			int32_t sum = 0;

			for (unsigned m = 0; m < N; m++)
				sum += a[i][m] * b[m][k];
			c[i][k] = sum;
		}
}

uint32_t bench(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++) {
			a[i][k] = (int32_t)i * 31 + (int32_t)k * 17 - 200;
			b[i][k] = (int32_t)i * 1009 - (int32_t)k * 77;
		}
	multiply();
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++)
			sum = sum * 3 + (uint32_t)c[i][k];
	return sum;
}
