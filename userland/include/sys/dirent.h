// SPDX-License-Identifier: ISC
//
// Directory streams for <dirent.h>.
#ifndef OCTIX_SYS_DIRENT_H
#define OCTIX_SYS_DIRENT_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct octix_dir DIR;

struct dirent {
	unsigned long d_ino;
	unsigned char d_type;     // DT_*
	unsigned char d_namlen;
	char d_name[128];
};

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_REG 8

int dirfd(DIR *dir);

#ifdef __cplusplus
}
#endif

#endif
