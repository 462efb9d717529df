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
	OPEN_STAT, OPEN_MEMINFO, OPEN_PROCESS, OPEN_MOUNTS, // in /proc
	OPEN_NULL, OPEN_ZERO, OPEN_RANDOM,
	OPEN_MEM, OPEN_EEPROM, OPEN_GPIO, OPEN_ADC, // in the order of bytes.c
	OPEN_I2C, OPEN_SPI, // of bus.c
	OPEN_CONSOLE, OPEN_TTYS1, // terminals, in the order of ttys[]; before them, lseek moves
	OPEN_TTY,  // the process's own; up to here there is a struct file
	OPEN_PIPE_READ, OPEN_PIPE_WRITE,
};

struct open {
	uint8_t kind : 7;     // enum open_kind
	uint8_t nonblock : 1; // O_NONBLOCK
	uint16_t refs;        // descriptors, of all processes
	union {
		struct file *file;
		struct pipe *pipe;
	};
};

extern struct open opens[OPEN_FILES];

// A free entry with one reference, or NULL.
struct open *open_new(uint8_t kind);

// Descriptors of a process: the child's copies count; all are closed, or those with close-on-exec.
void files_share(struct proc *p);
void files_close(struct proc *p, bool all);

// The number of the open file behind a descriptor, or NO_FD.
uint8_t fd_number(const struct proc *p, uint8_t fd);

// The lowest free descriptor of the current process from `least` on, or -OX_EMFILE; it becomes o's, with close-on-exec or without.
int16_t fd_free(uint8_t least);
int16_t fd_give(uint8_t fd, const struct open *o, bool on_exec);

// Closes a descriptor, if it is open.
int8_t fd_close(struct proc *p, uint8_t fd);

// The open file behind descriptor argument 0 of the current call, or the call fails with EBADF.
struct open *arg_open(void);

#endif
