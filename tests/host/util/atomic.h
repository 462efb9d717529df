// SPDX-License-Identifier: ISC
//
// Blocks without interrupts, for tests on a host: there, none comes in the middle of C code.
#ifndef HOST_ATOMIC_H
#define HOST_ATOMIC_H

#define ATOMIC_RESTORESTATE 1
#define ATOMIC_BLOCK(type) if (type)

#endif
