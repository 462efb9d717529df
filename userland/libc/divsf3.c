// SPDX-License-Identifier: ISC
//
// Division of floats.
#define DIVIDE   __divsf3
#define NUMBER   float
#define BITS     uint32_t
#define FRACTION 23
#define EXPONENT 8
#include "fdiv.h"
