// SPDX-License-Identifier: ISC
//
// <poll.h>: which descriptors can be read or written without waiting.
#ifndef OCTIX_POLL_H
#define OCTIX_POLL_H

#include <octix/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pollfd {
	int fd;
	short events, revents;
};

typedef unsigned nfds_t;

#define POLLIN     OX_POLLIN
#define POLLRDNORM OX_POLLIN
#define POLLPRI    OX_POLLPRI // nothing here has urgent data
#define POLLOUT    OX_POLLOUT
#define POLLWRNORM OX_POLLOUT
#define POLLERR    OX_POLLERR
#define POLLHUP    OX_POLLHUP
#define POLLNVAL   OX_POLLNVAL

int poll(struct pollfd *fds, nfds_t n, int timeout);

#ifdef __cplusplus
}
#endif

#endif
