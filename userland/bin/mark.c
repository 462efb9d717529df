// SPDX-License-Identifier: ISC
//
// mark: writes a number to GPIOR0, where instruments see it.
#include "command.h"

#include <octix/octix.h>

COMMAND(mark, "NUMBER", "write 0 to 255 to GPIOR0, for instruments")
{
	unsigned long n;

	if (argc != 2 || number(argv[1], &n) < 0 || n > 255)
		misused();
	return mark((int)n) < 0 ? complain("mark") : OK;
}
