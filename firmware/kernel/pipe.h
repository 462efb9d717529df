// SPDX-License-Identifier: ISC
//
// Pipes: a ring of 512 bytes (PIPE_BUF) each, in frames of the pool that stay until the pipe goes.
#ifndef OCTIX_PIPE_H
#define OCTIX_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/file.h"

// A new pipe with one reader and one writer, or NULL.
struct pipe *pipe_new(void);

// The last reference to one end is gone.
void pipe_close(struct pipe *pipe, bool write_end);

// POSIX read and write on a pipe, from and to the current process; AGAIN when it must wait.
int16_t pipe_read(struct open *o, uint16_t va, uint16_t n);
int16_t pipe_write(struct open *o, uint16_t va, uint16_t n);

// What would not wait now (OX_POLL*). Room is that for PIPE_BUF bytes: less is none for a write in one piece.
uint8_t pipe_ready(const struct open *o);

#endif
