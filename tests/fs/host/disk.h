// SPDX-License-Identifier: ISC
//
// An image file as the card, with a small pool of blocks as in vm/pool.h, for tests on a host.
#ifndef HOST_DISK_H
#define HOST_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "fs/fs.h"

// Opens an image read-write; exits when it cannot.
void disk_open(const char *path);
void disk_close(void);

// Nothing may stay pinned between calls: stops the test if something is.
void disk_check_pins(void);

// Drops every block without writing it, as a power cut does.
void disk_drop(void);

extern uint32_t disk_refuse;    // the card refuses a write: 1: the next one; 0: none
extern uint32_t disk_reads, disk_writes;
extern uint32_t disk_budget;    // blocks read or written before the test is stopped as hanging
extern uint8_t disk_most_pinned;
extern struct user host_user;   // who calls: root at first
extern uint32_t disk_last;      // sector of the last block that was asked for
extern uint32_t disk_ahead;     // and of the last one read ahead
extern uint32_t host_text_busy; // first cluster of the running program

#endif
