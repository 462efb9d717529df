// SPDX-License-Identifier: ISC
//
// Pipes.

#include "kernel/pipe.h"

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/param.h"
#include "kernel/proc.h"
#include "kernel/user.h"
#include "vm/frames.h"

#define PIPE_SIZE OX_PIPE_BUF // bytes

static struct pipe {
	uint8_t frame;
	uint8_t *memory;    // of the frame
	bool reader, writer;
	uint16_t head;      // offset of the first byte to read
	uint16_t count;
} pipes[PIPES];

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
	proc_wake(PROC_PIPE, p);
	if (!p->reader && !p->writer)
		frame_drop(p->frame);
}

static int16_t wait_on(const struct pipe *p)
{
	self()->state = PROC_PIPE;
	self()->wait_on = p;
	return AGAIN;
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
		return wait_on(p);
	while (done < n && p->count) {
		uint16_t part = min(PIPE_SIZE - p->head, min(p->count, n - done));

		error = copy_out(self()->space, va + done, p->memory + p->head, part);
		if (error)
			break;
		p->head = (p->head + part) % PIPE_SIZE;
		p->count -= part;
		done += part;
	}
	proc_wake(PROC_PIPE, p);
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
		return wait_on(p); // up to PIPE_BUF bytes are written in one piece
	while (done < n && p->count < PIPE_SIZE) {
		uint16_t at = (p->head + p->count) % PIPE_SIZE;
		uint16_t part = min(PIPE_SIZE - at, min(PIPE_SIZE - p->count, n - done));

		error = copy_in(self()->space, p->memory + at, va + done, part);
		if (error)
			break;
		p->count += part;
		self()->progress = done += part;
	}
	proc_wake(PROC_PIPE, p);
	return done < n && !error ? wait_on(p) : finish(error);
}

uint8_t pipe_ready(const struct open *o)
{
	const struct pipe *p = o->pipe;
	uint8_t ready;

	if (o->kind == OPEN_PIPE_WRITE)
		return !p->reader ? OX_POLLERR | OX_POLLOUT : p->count ? 0 : OX_POLLOUT;
	ready = p->count ? OX_POLLIN : 0;
	return p->writer ? ready : ready | OX_POLLHUP;
}
