// SPDX-License-Identifier: ISC
//
// Open files as processes see them: descriptors, and what stands behind one (a file, a directory, a pipe end, the
// terminal).
#ifndef OCTIX_FILE_H
#define OCTIX_FILE_H

#include <stdint.h>

#include "fs/fs.h"
#include "kernel/proc.h"

enum open_kind { OPEN_FREE, OPEN_FILE, OPEN_TTY, OPEN_PIPE_READ, OPEN_PIPE_WRITE };

struct open {
	uint8_t kind;
	uint8_t refs;
	union {
		struct file *file;
		struct pipe *pipe;
	};
};

extern struct open opens[OPEN_FILES];

// A free entry with one reference, or NO_FD.
uint8_t open_new(uint8_t kind);

// Drops one reference; the last one closes.
int8_t open_drop(uint8_t o);

// Descriptors of a process: the child's copies count; those in the mask `which` are closed.
#define ALL_FDS 0xffff
void files_share(struct proc *p);
void files_close(struct proc *p, uint16_t which);

// The open file behind descriptor argument 0 of the current call, or the call fails with EBADF.
struct open *arg_open(void);

// The lowest free descriptor of the current process from `from` on, set to open file o; or -OX_EMFILE.
int16_t fd_new(uint8_t o, uint8_t from);

#endif
