// SPDX-License-Identifier: ISC
//
// poll: what can be read or written without waiting. A call that has to wait is made again at each change of any pipe or
// terminal; so nothing has to be remembered, and no change is missed.

#include "kernel/file.h"
#include "kernel/pipe.h"
#include "kernel/tty.h"
#include "kernel/user.h"

#define ALWAYS_TOLD (OX_POLLERR | OX_POLLHUP | OX_POLLNVAL)

static uint8_t ready(const struct open *o, uint8_t events)
{
	if (is_tty(o))
		return tty_ready(o, events);
	if (o->kind > OPEN_TTY)
		return pipe_ready(o);
	return OX_POLLIN | OX_POLLOUT;
}

// What to tell of an entry.
static uint16_t look(const struct oct_pollfd *f, uint8_t *state)
{
	uint8_t number;

	if (f->fd < 0)
		return 0;
	if (f->fd >= FDS || (number = fd_number(self(), (uint8_t)f->fd)) == NO_FD)
		return OX_POLLNVAL;
	if (is_tty(&opens[number]) && f->events & OX_POLLOUT)
		*state = PROC_POLL_OUT;
	return ready(&opens[number], (uint8_t)f->events) & ((uint8_t)f->events | ALWAYS_TOLD);
}

int16_t sys_poll(void)
{
	uint16_t va = arg_address(0);
	uint32_t n = arg(1);
	int32_t timeout = (int32_t)arg(2);
	uint8_t found = 0, state = PROC_POLL;

	if (n > FDS)
		return -OX_EINVAL;
	for (; n; n--, va += sizeof(struct oct_pollfd)) {
		struct oct_pollfd f;

		check(copy_in(self()->space, &f, va, sizeof f));
		f.revents = look(&f, &state);
		found += f.revents != 0;
		give(va, &f, sizeof f);
	}
	if (found || !timeout || (timeout > 0 && time_is_up((uint32_t)timeout))) {
		self()->timed = false;
		return found;
	}
	self()->state = state;
	return AGAIN;
}
