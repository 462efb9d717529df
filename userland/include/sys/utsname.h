// SPDX-License-Identifier: ISC
//
// <sys/utsname.h>: what system this is.
#ifndef OCTIX_SYS_UTSNAME_H
#define OCTIX_SYS_UTSNAME_H

#ifdef __cplusplus
extern "C" {
#endif

struct utsname {
	char sysname[8];
	char nodename[12];
	char release[20];
	char version[20];
	char machine[12];
};

int uname(struct utsname *name);

#ifdef __cplusplus
}
#endif

#endif
