// SPDX-License-Identifier: ISC
//
// Limits that kernel and programs share; <limits.h> has them under POSIX's names.
#ifndef OCTIX_LIMITS_H
#define OCTIX_LIMITS_H

#define OX_NAME_MAX  127 // bytes of a file name; longer ones on a card show as their 8.3 name
#define OX_PATH_MAX  124 // bytes of a path with its NUL
#define OX_OPEN_MAX  20  // file descriptors of a process
#define OX_PIPE_BUF  512 // bytes that a write puts into a pipe in one piece
#define OX_SEM_NSEMS_MAX 8     // semaphores that a process can have
#define OX_SEM_VALUE_MAX 32767
#define OX_SEM_FOREVER 0xffffffff // milliseconds: without a deadline
#define OX_MAX_CANON 255 // bytes of a terminal line

#endif
