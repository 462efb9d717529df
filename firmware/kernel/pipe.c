// SPDX-License-Identifier: ISC
//
// Pipes.

#include "kernel/pipe.h"

#include <stddef.h>

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/param.h"
#include "kernel/proc.h"
#include "kernel/quick.h"
#include "kernel/signal.h"
#include "kernel/user.h"
#include "vm/frames.h"

static struct pipe pipes[PIPES];

#ifdef __AVR__
enum { // numbers of the system calls
#define SYSCALL(name, ...) CALL_##name,
#include <octix/syscalls.def>
#undef SYSCALL
};

_Static_assert(CALL_read == CALL_READ && CALL_write == CALL_READ + 1 && offsetof(struct proc, fd) == PROC_FD
	&& sizeof(struct open) == OPEN_SIZE && offsetof(struct open, pipe) == OPEN_PIPE && OPEN_PIPE_READ == KIND_READ
	&& OPEN_PIPE_WRITE == KIND_READ + 1 && NO_FD == 15 && OPEN_SIZE == 5 && offsetof(struct pipe, memory) == PIPE_MEMORY
	&& offsetof(struct pipe, reader) == PIPE_READER && offsetof(struct pipe, head) == PIPE_HEAD
	&& offsetof(struct proc, state) == PROC_STATE && offsetof(struct proc, wait_on) == PROC_WAIT_ON
	&& offsetof(struct proc, space) + 1 == PROC_FLAGS && PROC_CALL == PROC_FLAGS + 1 && PROC_RUN == STATE_RUN
	&& PROC_PIPE == STATE_PIPE && offsetof(struct pipe, count) == PIPE_COUNT && offsetof(struct pipe, waiter) == PIPE_WAITER && PIPE_SIZE == 512, "quick.h");
#endif

struct pipe *pipe_new(void)
{
	for (struct pipe *p = pipes; p < pipes + PIPES; p++) {
		if (p->reader || p->writer)
			continue;
		p->frame = frame_take_pipe();
		if (p->frame == NO_FRAME)
			return 0;
		p->memory = frame_memory(p->frame);
		p->reader = p->writer = true;
		p->head = p->count = 0;
		p->waiter = 0;
		return p;
	}
	return 0;
}

void pipe_close(struct pipe *p, bool write_end)
{
	if (write_end)
		p->writer = false;
	else
		p->reader = false;
	pipe_wake(p);
	if (!p->reader && !p->writer)
		frame_drop(p->frame);
}

int16_t pipe_wait(struct pipe *p)
{
	struct proc *me = self();

	me->state = PROC_PIPE;
	me->wait_on = (uint8_t)(uintptr_t)p;
	p->waiter = !p->waiter || p->waiter == me ? me : MANY;
	return AGAIN;
}

void pipe_wake(struct pipe *p)
{
	struct proc *waiter = p->waiter;

	p->waiter = 0;
	if (waiter == MANY)
		proc_wake(PROC_PIPE, p);
	else if (waiter && waiter->state == PROC_PIPE && waiter->wait_on == (uint8_t)(uintptr_t)p)
		proc_go_on(waiter);
}

static uint16_t min(uint16_t a, uint16_t b)
{
	return a < b ? a : b;
}

int16_t pipe_read(struct open *o, uint16_t va, uint16_t n)
{
	struct pipe *p = o->pipe;
	uint16_t done = 0;
	int8_t error = 0;

	if (!n || (!p->count && !p->writer))
		return 0;
	if (!p->count)
		return pipe_wait(p);
	while (done < n && p->count) {
		uint16_t part = min(PIPE_SIZE - p->head, min(p->count, n - done));

		error = copy_out(self()->space, va + done, p->memory + p->head, part);
		if (error)
			break;
		p->head = (p->head + part) % PIPE_SIZE;
		p->count -= part;
		done += part;
	}
	pipe_wake(p);
	return done ? (int16_t)done : error;
}

// Ends a write: what was written before an error counts.
static int16_t finish(int16_t error)
{
	uint16_t done = self()->progress;

	self()->progress = 0;
	return done ? (int16_t)done : error;
}

// Others are woken only for bytes that were written, or two writers would wake each other for ever.
int16_t pipe_write(struct open *o, uint16_t va, uint16_t n)
{
	struct pipe *p = o->pipe;
	uint16_t done = self()->progress, room = PIPE_SIZE - p->count;
	int8_t error = 0;

	if (!p->reader) {
		proc_signal(self(), OX_SIGPIPE);
		return finish(-OX_EPIPE);
	}
	if (n - done > room && (!room || (n - done <= PIPE_SIZE && !done)))
		return pipe_wait(p); // up to PIPE_BUF bytes are written in one piece
	while (done < n && p->count < PIPE_SIZE) {
		uint16_t at = (p->head + p->count) % PIPE_SIZE;
		uint16_t part = min(PIPE_SIZE - at, min(PIPE_SIZE - p->count, n - done));

		error = copy_in(self()->space, p->memory + at, va + done, part);
		if (error)
			break;
		p->count += part;
		self()->progress = done += part;
	}
	pipe_wake(p);
	return done < n && !error ? pipe_wait(p) : finish(error);
}

uint8_t pipe_ready(const struct open *o)
{
	struct pipe *p = o->pipe;
	uint8_t ready;

	p->waiter = MANY;
	if (o->kind == OPEN_PIPE_WRITE)
		return !p->reader ? OX_POLLERR | OX_POLLOUT : p->count ? 0 : OX_POLLOUT;
	ready = p->count ? OX_POLLIN : 0;
	return p->writer ? ready : ready | OX_POLLHUP;
}
