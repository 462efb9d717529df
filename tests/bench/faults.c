// SPDX-License-Identifier: ISC
//
// Page faults with dirty victims: writes one byte of each page of a table larger than the pool, round and round.
// Marks 1 to 2: FAULTS faults and accesses; 3 to 4: as many accesses without a fault.
// Soft faults. 5 to 6: the first writes to SOFT - 1 pages that are resident; 6 to 7: once more, without a fault.
#include <unistd.h>

#define FAULTS 48
#define SOFT   6

int mark(int n);

static volatile unsigned char dirty[FAULTS * 512] __attribute__((aligned(512)));
static volatile unsigned char soft[SOFT * 512] __attribute__((aligned(512)));

static void writes(volatile unsigned char *p, unsigned step, unsigned n)
{
	for (unsigned i = 0; i < n; i++, p += step)
		*p = (unsigned char)i;
}

int main(void)
{
	unsigned sum = 0;

	writes(dirty, 512, FAULTS);
	writes(dirty, 512, FAULTS);
	mark(1);
	writes(dirty, 512, FAULTS);
	mark(2);
	writes(dirty, 0, FAULTS);
	mark(3);
	writes(dirty, 0, FAULTS);
	mark(4);
	for (unsigned i = 0; i < 4 * SOFT; i++) // until all stay
		sum += soft[i % SOFT * 512];
	writes(soft, 0, 1);
	mark(5);
	writes(soft + 512, 512, SOFT - 1);
	mark(6);
	writes(soft + 512, 512, SOFT - 1);
	mark(7);
	return sum != 0;
}
