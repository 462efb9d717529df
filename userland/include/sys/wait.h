// SPDX-License-Identifier: ISC
//
// <sys/wait.h>: picolibc's, and children that go on.
#ifndef OCTIX_SYS_WAIT_H
#define OCTIX_SYS_WAIT_H

#include_next <sys/wait.h>

#define WCONTINUED 8
#define WIFCONTINUED(w) ((w) == 0xffff)
#define WCOREDUMP(w) 0

#endif
