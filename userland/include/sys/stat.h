// SPDX-License-Identifier: ISC
//
// <sys/stat.h>: picolibc's, and lstat, which it hides.
#ifndef OCTIX_SYS_STAT_H
#define OCTIX_SYS_STAT_H

#include_next <sys/stat.h>

#ifdef __cplusplus
extern "C" {
#endif

int lstat(const char *path, struct stat *st);

#ifdef __cplusplus
}
#endif

#endif
