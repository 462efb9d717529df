// SPDX-License-Identifier: ISC
//
// Signals. A process that has one to deliver is `signaled`; what it does to it happens when the scheduler would let it run
// (signals_act): nothing, a stop, its end, or a frame on its stack and the jump to the entry of its handlers (struct oct_sigframe).
//
// A call that waits and is met by a handler's signal is tried once more first, so that what it waited for is not lost when
// both come at once. If it must still wait, it ends: with the bytes it has moved, with EINTR, or, when it can begin again, as
// sigreturn says.
#ifndef OCTIX_SIGNAL_H
#define OCTIX_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/proc.h"

// Sends a signal; what would be ignored is dropped.
void proc_signal(struct proc *p, uint8_t signal);
void group_signal(uint16_t pgid, uint8_t signal);

// Does a process of the group ignore the signal?
bool group_ignores(uint16_t pgid, uint8_t signal);

// Is nobody of the group the child of a process of the same session outside it? Then nobody could continue it.
bool group_orphaned(uint16_t pgid);

// The set that holds the signal; is it, one bit, ignored? Has the process any to deliver?
uint32_t signal_bit(uint8_t signal);
bool signal_ignored(const struct proc *p, uint32_t bit);
void signals_note(struct proc *p);

// What the signals of a process do to it now. True: it can run.
bool signals_act(struct proc *p);

// Delivers the signal for what the process has just done, if it catches it. False: it does not, or has no stack for it.
bool signal_catch(struct proc *p, uint8_t signal, uint16_t address);

// A call that must wait, and runs again.
void call_waits(struct proc *p);

#endif
