// SPDX-License-Identifier: ISC
//
// The path of a directory, found as programs do: by the names in the directories above.
#ifndef HOST_PATH_H
#define HOST_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In buf[n], 2 bytes at least. False: there is none, or it is longer.
bool path_of(uint32_t cwd, char *buf, size_t n);

#endif
