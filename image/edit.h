// SPDX-License-Identifier: ISC
//
// Changing an image so that it is the old one or the new one, never between: lock, work on a sparse copy in the same folder, check
// (fsck.fat and our own), sync, rename. Killed at any point, it leaves the old image (and perhaps a file .NAME.octix-tmp, which the
// next edit overwrites). The files beside the image (.sha256, .manifest.json) are removed before the rename and renewed after it.
#ifndef OCTIX_IMAGE_EDIT_H
#define OCTIX_IMAGE_EDIT_H

#include "fat.h"

struct edit {
	char *path;      // of the image, symbolic links resolved
	char *tmp;
	int lock;        // the old image, locked
	struct fat fat;  // the volume in the copy
};

void edit_begin(struct edit *e, const char *image);
// edit_commit: ends the program, the image untouched, when a check finds anything.
void edit_commit(struct edit *e);
// edit_cancel: for tools that end without changes.
void edit_cancel(struct edit *e);

// fsck_fat: runs fsck.fat -n on the volume (a copy of it when the image has an MBR); true when it is clean.
bool fsck_fat(const struct fat *f);

// seal_image: writes IMAGE.sha256 and IMAGE.manifest.json. `extra` are lines that stand in the manifest as they are
// ("  \"tools\": {...},\n"), or NULL.
void seal_image(const char *image, const struct fat *f, const char *extra);

#endif
