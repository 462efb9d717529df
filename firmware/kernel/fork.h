// SPDX-License-Identifier: ISC
#ifndef OCTIX_FORK_H
#define OCTIX_FORK_H

#include "kernel/proc.h"

// The child that is being made by a process in the midst of fork, or NULL. Such a process runs no handlers: its memory is not to change.
struct proc *half_made(const struct proc *parent);

// The process ends, or its fork has failed: lets go of the half-made child, if there is one.
void fork_abandon(const struct proc *parent);

#endif
