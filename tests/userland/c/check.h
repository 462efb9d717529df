// SPDX-License-Identifier: ISC
//
// CHECK(condition): counts and reports what does not hold. End main with `return report();`.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int check_count, check_failures;

#define CHECK(condition) \
	do { \
		check_count++; \
		if (!(condition)) { \
			check_failures++; \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
		} \
	} while (0)

static inline int report(void)
{
	printf("%d checks, %d failed\n", check_count, check_failures);
	return check_failures != 0;
}

#endif
