// SPDX-License-Identifier: ISC
//
// Calls that only Octix has.
#ifndef OCTIX_OCTIX_H
#define OCTIX_OCTIX_H

#include <octix/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

int mark(int n);                  // writes n (0..255) to GPIOR0, for instruments
unsigned long cycles(void);       // CPU cycles since boot, mod 2^32
int oct_procinfo(int index, struct oct_procinfo *info); // ESRCH: a free slot; EINVAL: past the last
int oct_sysinfo(struct oct_sysinfo *info);
int oct_stat(const char *path, struct oct_stat *st); // struct stat has but 16 bits of the file's number
int oct_reboot(int how);          // enum oct_reboot
int getdents(int fd, void *buf, unsigned n); // packed struct oct_dirent; 0 at the end

#ifdef __cplusplus
}
#endif

#endif
