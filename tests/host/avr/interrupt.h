// SPDX-License-Identifier: ISC
//
// The interrupt flag, for tests on a host.
#ifndef HOST_INTERRUPT_H
#define HOST_INTERRUPT_H

#include <stdbool.h>

extern bool machine_interrupts; // are on

#define sei() ((void)(machine_interrupts = true))
#define cli() ((void)(machine_interrupts = false))

#endif
