// SPDX-License-Identifier: ISC
//
// The terminal: line discipline of the console (canonical mode with echo, erase, kill, word erase, end of file and
// interrupt; POSIX.1-2017 chapter 11).
#ifndef OCTIX_TTY_H
#define OCTIX_TTY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/file.h"

extern uint16_t tty_group; // foreground process group

// Makes another group the foreground.
void tty_set_group(uint16_t pgid);

// Is it the foreground group of a terminal?
bool tty_is_foreground(uint16_t pgid);

// Takes what has been received: echoes, edits the line, sends signals, wakes readers and writers.
void tty_poll(void);

// read and write of the current process; AGAIN when it must wait.
int16_t tty_read(struct open *o, uint16_t va, uint16_t n);
int16_t tty_write(struct open *o, uint16_t va, uint16_t n);

// What would not wait now (OX_POLL*); when output is among `events` and would, the process in PROC_POLL_OUT is woken later.
uint8_t tty_ready(const struct open *o, uint8_t events);

// Waits until all that was written is sent.
int16_t tty_drain(void);

#endif
