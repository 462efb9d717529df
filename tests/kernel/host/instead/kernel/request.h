// SPDX-License-Identifier: ISC
//
// firmware/kernel/request.h for the kernel on the host.
#ifndef OCTIX_REQUEST_H
#define OCTIX_REQUEST_H

void machine_request(void);
void machine_wait(void);

static inline void kernel_request(void)
{
	machine_request();
}

static inline void busy(void)
{
	machine_wait();
}

#endif
