// SPDX-License-Identifier: ISC
//
// atexit: a fixed table, run in reverse order by exit.
#include "private.h"

#include <stdlib.h>

enum { FUNCTIONS = 32 }; // what C11 7.22.4.2 guarantees

static void (*function[FUNCTIONS])(void);
static unsigned char functions;

static void run_all(void)
{
	while (functions)
		function[--functions]();
}

int atexit(void (*f)(void))
{
	if (functions == FUNCTIONS)
		return -1;
	function[functions++] = f;
	__oct_at_exit[OCT_EXIT_FUNCTIONS] = run_all;
	return 0;
}
