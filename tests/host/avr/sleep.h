// SPDX-License-Identifier: ISC
//
// Sleeping, for tests on a host.
#ifndef HOST_SLEEP_H
#define HOST_SLEEP_H

void machine_sleep(void); // until the next interrupt; with interrupts off: the machine has halted

#define set_sleep_mode(mode) ((void)0)
#define sleep_enable() ((void)0)
#define sleep_disable() ((void)0)
#define sleep_cpu() machine_sleep()
#define sleep_mode() machine_sleep()

#endif
