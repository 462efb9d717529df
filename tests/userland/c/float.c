// SPDX-License-Identifier: ISC
//
// Printing and reading of doubles and long longs with --float, and some mathematics; compared with the host.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	double values[] = { 0, 1, -1.5, 3.14159265358979, 1e10, 123456.789, 1.0 / 3, 2e-5, 1e100 }, x;
	long long l;

	for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
		printf("%f %.3f %g %e %10.2f|\n", values[i] > 1e20 ? 0 : values[i], values[i] > 1e20 ? 0 : values[i], values[i],
		       values[i], values[i] > 1e20 ? 0 : values[i]);
	printf("%lld %llu %llx\n", -1234567890123456789ll, 18446744073709551615ull, 0xfedcba9876543210ull);
	sscanf("2.5 -77", "%lf %lld", &x, &l);
	printf("%g %lld %g %g\n", x, l, strtod("1e-3", NULL), atof("12.5"));
	printf("%.10f %.10f %.10f %.10f\n", sqrt(2), sin(1), exp(1), log(10));
	return 0;
}
