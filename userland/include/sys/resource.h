// SPDX-License-Identifier: ISC
//
// <sys/resource.h>: picolibc's, and nice values.
#ifndef OCTIX_SYS_RESOURCE_H
#define OCTIX_SYS_RESOURCE_H

#include_next <sys/resource.h>

#include <octix/abi.h>
#include <sys/types.h>

#define PRIO_PROCESS OX_PRIO_PROCESS
#define PRIO_PGRP    OX_PRIO_PGRP
#define PRIO_USER    OX_PRIO_USER

#ifdef __cplusplus
extern "C" {
#endif

// POSIX getpriority, setpriority (XSI): nice values, -20 (gets most of the time) to 19. WHICH says what WHO is, 0: one's own. ESRCH, EINVAL;
// EPERM: of another user; EACCES: only root lowers one.
int getpriority(int which, id_t who);
int setpriority(int which, id_t who, int value); // values outside the range become the nearest

#ifdef __cplusplus
}
#endif

#endif
