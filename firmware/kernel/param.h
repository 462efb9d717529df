// SPDX-License-Identifier: ISC
//
// All limits of the kernel. What depends on the board comes from boards/BOARD.mk by way of board.h.
#ifndef OCTIX_PARAM_H
#define OCTIX_PARAM_H

#include "board.h"
#include "octix/limits.h"

#define SLOTS             BOARD_SLOTS               // context slots: processes whose registers and maps are loaded
#define FRAMES            BOARD_FRAMES              // frames of the pool
#define FRAME_SIZE        BOARD_FRAME_SIZE          // bytes, 512 or 256
#define PAGES_PER_FRAME   (FRAME_SIZE / 256)        // 256-byte map pages in a frame
#define FRAMES_PER_SECTOR (512 / FRAME_SIZE)
#define DATA_PAGES        (65536ul / FRAME_SIZE)    // frames' worth of one data space
#define PROCS             (BOARD_PROCS + 2)         // processes, init and the login shell among them
#define SPACES            (PROCS + 1)               // data spaces: one to spare, where execve builds
#define OPEN_FILES        15                        // open file descriptions in the whole system; more do not fit four bits
#define FDS               OX_OPEN_MAX               // file descriptors of a process
#define SECTORS_OF_POOL   (FRAMES / FRAMES_PER_SECTOR)
#define SECTORS_OF_PIPES  (SECTORS_OF_POOL - 3)     // sectors of the pool for pipes and terminals: with fewer for paging two processes could wait for ever
#define PIPES             (SECTORS_OF_PIPES > 4 ? 4 : SECTORS_OF_PIPES) // in the system: a sector each
#define SEMS              BOARD_SEMS                // semaphores in the system
#define PATH_SIZE         OX_PATH_MAX               // bytes of a path with its NUL
#define LINE_SIZE         OX_MAX_CANON              // bytes of a terminal line
#define TTYS              (1 + BOARD_HAS_TTY2)      // terminals: serial lines
#define SLICE_MS          10                        // time slice
#define THRASHING         6                         // faults in a slice that make it longer,
#define LONGER            8                         //   by up to so many slices
#define NAME_SIZE         12                        // bytes of a process name with its NUL,
#define NAME_AT           (0x10000 - NAME_SIZE)     //   at the end of its data space

#endif
