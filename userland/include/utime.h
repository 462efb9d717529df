// SPDX-License-Identifier: ISC
//
// <utime.h>: picolibc's, and utime, which it leaves out.
#ifndef OCTIX_UTIME_H
#define OCTIX_UTIME_H

#include_next <utime.h>

#ifdef __cplusplus
extern "C" {
#endif

int utime(const char *path, const struct utimbuf *times);

#ifdef __cplusplus
}
#endif

#endif
