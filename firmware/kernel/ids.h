// SPDX-License-Identifier: ISC
//
// Users: the ids of processes, and the system calls on owners and modes. Who may what with a file is up to the file system
// (fs/access.c), which asks for the user by fs_user().
#ifndef OCTIX_IDS_H
#define OCTIX_IDS_H

#include <stdbool.h>
#include <stdint.h>

struct owner;
struct proc;

// Argument n as a user or group. -1, of 32 or 16 bits, is OWNER_NONE; fails with EINVAL above OWNER_MAX.
uint8_t arg_id(uint8_t n);

// Ends the system call with EPERM unless the process is root's.
void need_root(void);

// May the running process send signals to p?
bool may_signal(const struct proc *p);

// The running process executes a file of this owner and mode: set-uid, set-gid, and what it can go back to.
void set_by_exec(const struct owner *o);

#endif
