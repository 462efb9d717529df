// SPDX-License-Identifier: ISC
//
// Shared by fatdir.c and fatedit.c alone: directories as they lie on the volume.
#ifndef OCTIX_IMAGE_FATDIR_H
#define OCTIX_IMAGE_FATDIR_H

#include "fat.h"

void fat_dir_store(const struct fat *f, const struct fat_dir *d);
uint8_t fat_short_sum(const uint8_t name[11]); // the check sum in each slot of a long name
bool fat_find_in(const struct fat *f, uint32_t dir, const char *name, size_t length, struct fat_entry *e);

#endif
