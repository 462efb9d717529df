// SPDX-License-Identifier: ISC
//
// Pipes: a ring of 512 bytes (PIPE_BUF) each, in frames of the pool that stay until the pipe goes.
#ifndef OCTIX_PIPE_H
#define OCTIX_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include <octix/abi.h>

#include "kernel/file.h"

struct pipe {
	uint8_t frame;
	uint8_t *memory;     // of the frame
	bool reader, writer; // is there an open end?
	uint16_t head;       // offset of the first byte to read
	uint16_t count;
	struct proc *waiter; // who waits for it, or did; NULL: nobody, MANY: several, or somebody in poll
};

#define PIPE_SIZE OX_PIPE_BUF // bytes
#define MANY      ((struct proc *)1)

// A new pipe with one reader and one writer, or NULL.
struct pipe *pipe_new(void);

// The last reference to one end is gone.
void pipe_close(struct pipe *pipe, bool write_end);

// Has a reader to wait?
static inline bool pipe_is_empty(const struct pipe *p)
{
	return !p->count && p->writer;
}

// The current call waits until the pipe changes: AGAIN.
int16_t pipe_wait(struct pipe *p);

// It has changed: who waits runs again.
void pipe_wake(struct pipe *p);

// POSIX read and write on a pipe, from and to the current process; AGAIN when it must wait.
int16_t pipe_read(struct open *o, uint16_t va, uint16_t n);
int16_t pipe_write(struct open *o, uint16_t va, uint16_t n);

// What would not wait now (OX_POLL*); who asks is woken by the next change. Room is that for PIPE_BUF bytes: less is none for a write in one piece.
uint8_t pipe_ready(const struct open *o);

#endif
