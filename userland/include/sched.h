// SPDX-License-Identifier: ISC
#ifndef OCTIX_SCHED_H
#define OCTIX_SCHED_H

#include_next <sched.h>

#ifdef __cplusplus
extern "C" {
#endif

// The other processes that can run do, each until it waits or its turn is over. 0.
int sched_yield(void);

#ifdef __cplusplus
}
#endif

#endif
