// SPDX-License-Identifier: ISC
//
// Division of doubles.
#define DIVIDE   __divdf3
#define NUMBER   double
#define BITS     uint64_t
#define FRACTION 52
#define EXPONENT 11
#include "fdiv.h"
