// SPDX-License-Identifier: ISC
//
// A bench program is one function that computes something and returns a checksum. It is compiled unchanged for Octix
// and for the AVR itself; main.c and avr_main.c run it between two marks.
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

uint32_t bench(void);

#endif
