// SPDX-License-Identifier: ISC
//
// Pipes: a ring of 512 bytes (PIPE_BUF) each, in frames of the pool that stay until the pipe goes.
#ifndef OCTIX_PIPE_H
#define OCTIX_PIPE_H

#include <stdbool.h>
#include <stdint.h>

#define NO_PIPE 0xff

// A new pipe with one reader and one writer, or NO_PIPE.
uint8_t pipe_new(void);

// The last reference to one end is gone.
void pipe_close(uint8_t pipe, bool write_end);

// POSIX read and write on a pipe, from and to the current process; AGAIN when it must wait.
int32_t pipe_read(uint8_t pipe, uint16_t va, uint16_t n);
int32_t pipe_write(uint8_t pipe, uint16_t va, uint16_t n);

#endif
