// SPDX-License-Identifier: ISC
//
// Quicksort of 400 32-bit integers, recursive, median of three.
#include "bench.h"

#define N 400

static int32_t v[N];

static void swap(int32_t *a, int32_t *b)
{
	int32_t t = *a;

	*a = *b;
	*b = t;
}

static void sort(int32_t *low, int32_t *high)
{
	int32_t *i = low, *k = high;
	int32_t pivot;

	if (high <= low)
		return;
	if (low[(high - low) / 2] < *low)
		swap(low, &low[(high - low) / 2]);
	pivot = low[(high - low) / 2];
	while (i <= k) {
		while (*i < pivot)
			i++;
		while (*k > pivot)
			k--;
		if (i <= k)
			swap(i++, k--);
	}
	sort(low, k);
	sort(i, high);
}

uint32_t bench(void)
{
	uint32_t seed = 12345, sum = 0;

	for (unsigned i = 0; i < N; i++) {
		seed = seed * 1103515245 + 12345;
		v[i] = (int32_t)(seed >> 4);
	}
	sort(v, v + N - 1);
	for (unsigned i = 0; i < N; i++)
		sum = (sum << 1 | sum >> 31) ^ (uint32_t)v[i];
	return sum;
}
