// SPDX-License-Identifier: ISC
//
// Page faults with clean victims: reads one byte of each page of a table larger than the pool, round and round.
// Marks 1 to 2: FAULTS faults and accesses; 3 to 4: as many accesses without a fault.
#include <unistd.h>

#define FAULTS 48

int mark(int n);

static const unsigned char table[FAULTS * 512] __attribute__((aligned(512))) = { 1 };

static unsigned round_trip(const volatile unsigned char *p, unsigned step)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < FAULTS; i++, p += step)
		sum += *p;
	return sum;
}

int main(void)
{
	unsigned sum = round_trip(table, 512) + round_trip(table, 512);

	mark(1);
	sum += round_trip(table, 512);
	mark(2);
	sum += round_trip(table, 0);
	mark(3);
	sum += round_trip(table, 0);
	mark(4);
	return sum == 4 + 48 + 48 ? 0 : 1;
}
