// SPDX-License-Identifier: ISC
//
// <sys/ioctl.h>: the kernel has no ioctl yet, and so nothing is declared: programs that test for TIOCGWINSZ build.
#ifndef OCTIX_SYS_IOCTL_H
#define OCTIX_SYS_IOCTL_H
#endif
