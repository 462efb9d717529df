// SPDX-License-Identifier: ISC
//
// The reference string of a run: which pages it used, in order, for simulations of page replacement. OXE.md has the format.
#ifndef SDK_REFS_H
#define SDK_REFS_H

#include <stdint.h>

// Kinds of references, as the file has them.
enum ref_kind { REF_CODE = 'c', REF_DATA = 'd' };

struct refs;

// Starts the file.
struct refs *refs_open(const char *path);

// Bytes first to last of code or data are used. Nothing happens without a file.
void refs_add(struct refs *r, enum ref_kind kind, uint32_t first, uint32_t last);

// Leaves the file to another process: nothing more is written.
void refs_leave(struct refs *r);

// Ends the file, and the program with a message when it could not be written.
void refs_close(struct refs *r);

#endif
