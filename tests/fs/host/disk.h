// SPDX-License-Identifier: ISC
//
// An image file as the card, with a small pool of blocks as in vm/pool.h, for tests on a host.
#ifndef HOST_DISK_H
#define HOST_DISK_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "fs/fs.h"
#include "vm/pool.h"

// Opens an image read-write; exits when it cannot.
void disk_open(const char *path);
void disk_close(void);

// Nothing may stay pinned between calls: stops the test if something is.
void disk_check_pins(void);

// Drops every block without writing it, as a power cut does.
void disk_drop(void);

// CALL(result, call): the call of the file system is left for the card up to 8 times, as the kernel leaves system calls, and runs again each
// time with the same arguments.
#define CALL(result, call)                \
	do {                              \
		disk_leaves = 8;          \
		setjmp(disk_left);        \
		card_restart = true;      \
		(result) = (call);        \
		card_restart = false;     \
	} while (0)

extern jmp_buf disk_left;
extern unsigned disk_leaves, disk_times_left;

extern uint32_t disk_refuse;    // the card refuses a write: 1: the next one; 0: none
extern uint32_t disk_reads, disk_writes;
extern uint32_t disk_budget;    // blocks read or written before the test is stopped as hanging
extern uint8_t disk_most_pinned;
extern struct user host_user;   // who calls: root at first
extern uint32_t disk_last;      // sector of the last block that was asked for
extern uint32_t disk_ahead;     // and of the last one read ahead
extern uint32_t host_text_busy; // first cluster of the running program

#endif
