// SPDX-License-Identifier: ISC
//
// What quick.S knows of the system calls, open files and pipes; pipe.c compares.
#ifndef OCTIX_QUICK_H
#define OCTIX_QUICK_H

#define CALL_READ  1  // numbers of the calls; write is the next one
#define PROC_FD    25 // offsets in struct proc
#define PROC_FLAGS 5
#define SIGNALED_BIT 6
#define PROC_CALL  6
#define CALL_BITS  0x1f
#define OPEN_SIZE  5  // of struct open,
#define OPEN_PIPE  3  //   offset of its pipe
#define KIND_READ  17 // OPEN_PIPE_READ; the write end is the next one
#define PIPE_MEMORY 1 // offsets in struct pipe
#define PIPE_READER 3
#define PIPE_HEAD  5
#define PIPE_COUNT 7
#define PIPE_WAITER 9
#define PROC_STATE 3
#define PROC_WAIT_ON 19 // lower byte of the pipe's address
#define STATE_RUN  1    // enum proc_state
#define STATE_PIPE 9

#endif
