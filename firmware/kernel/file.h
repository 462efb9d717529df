// SPDX-License-Identifier: ISC
//
// Open files as processes see them: descriptors, and what stands behind one (a file, a directory, a pipe end, the
// terminal).
#ifndef OCTIX_FILE_H
#define OCTIX_FILE_H

#include <stdint.h>

#include "fs/fs.h"
#include "kernel/proc.h"

enum open_kind {
	OPEN_FILE, // on the card, or a directory
	OPEN_STAT, OPEN_MEMINFO, OPEN_PROCESS, // in /proc
	OPEN_NULL, OPEN_ZERO, OPEN_RANDOM,
	OPEN_TTY,  // up to here there is a struct file; up to here, but not this, lseek moves
	OPEN_PIPE_READ, OPEN_PIPE_WRITE,
};

struct open {
	uint8_t kind;
	uint8_t refs;
	union {
		struct file *file;
		struct pipe *pipe;
	};
};

extern struct open opens[OPEN_FILES];

// Descriptors of a process: the child's copies count; those in the mask `which` are closed.
#define ALL_FDS 0xffff
void files_share(struct proc *p);
void files_close(struct proc *p, uint16_t which);

// The open file behind descriptor argument 0 of the current call, or the call fails with EBADF.
struct open *arg_open(void);

#endif
