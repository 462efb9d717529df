// SPDX-License-Identifier: ISC
//
// What the writer asks this machine about a device. device.c is the real thing; the tests link another one, which plays devices with
// plain files, so that the shipped program holds no way round its checks.
#ifndef OCTIX_IMAGE_DEVICE_H
#define OCTIX_IMAGE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

const char *device_sysfs(void);     // "/sys"
const char *device_mountinfo(void); // "/proc/self/mountinfo"
const char *device_swaps(void);     // "/proc/swaps"
bool device_is_block(const struct stat *st);
dev_t device_number(const struct stat *st);
uint64_t device_bytes(int fd);      // 0: unknown
void device_forget_cache(int fd);   // so that what is read comes from the device
void device_reread_partitions(int fd);

#endif
