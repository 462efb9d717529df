// SPDX-License-Identifier: ISC
//
// <time.h>: picolibc's, and the clocks, nanosleep and stime, which it hides or has not.
#ifndef OCTIX_TIME_H
#define OCTIX_TIME_H

#include_next <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC ((clockid_t)4)
#endif

int clock_gettime(clockid_t clock, struct timespec *ts); // CLOCK_REALTIME, CLOCK_MONOTONIC: both in milliseconds
int clock_settime(clockid_t clock, const struct timespec *ts);
int clock_getres(clockid_t clock, struct timespec *ts);
int stime(const time_t *seconds);
int nanosleep(const struct timespec *ts, struct timespec *rest);

#ifdef __cplusplus
}
#endif

#endif
