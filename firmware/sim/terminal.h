// SPDX-License-Identifier: ISC
// The host's terminal: raw mode, restored whatever happens.
#ifndef SIM_TERMINAL_H
#define SIM_TERMINAL_H

#include <stdbool.h>

// Raw mode on fd, for good.
void terminal_make_raw(int fd);

// Raw mode on fd. Restored by terminal_restore(), at exit, and by deadly signals.
void terminal_raw(int fd);
void terminal_restore(void);

// SIGINT, SIGTERM, SIGHUP: after this call they set a flag instead of ending the process.
void terminal_catch_signals(void);

// Number of the signal that came, or 0.
int terminal_signal(void);

#endif
