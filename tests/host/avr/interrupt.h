// SPDX-License-Identifier: ISC
//
// The interrupt flag, for tests on a host.
#ifndef HOST_INTERRUPT_H
#define HOST_INTERRUPT_H

#include <stdbool.h>

extern bool machine_interrupts; // are on

void machine_sei(void); // what is due comes soon

#define sei() machine_sei()
#define cli() ((void)(machine_interrupts = false))

#define ISR(vector) void vector(void); void vector(void)

#endif
