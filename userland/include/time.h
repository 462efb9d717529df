// SPDX-License-Identifier: ISC
//
// <time.h>: picolibc's, and the clocks and nanosleep, which it hides.
#ifndef OCTIX_TIME_H
#define OCTIX_TIME_H

#include_next <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC ((clockid_t)4)
#endif

int clock_gettime(clockid_t clock, struct timespec *ts); // CLOCK_REALTIME in seconds, CLOCK_MONOTONIC in milliseconds
int nanosleep(const struct timespec *ts, struct timespec *rest);

#ifdef __cplusplus
}
#endif

#endif
