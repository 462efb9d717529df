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

#define PIPE_SIZE 512 // bytes, and so PIPE_BUF

static struct pipe {
	uint8_t frame;
	bool reader, writer;
	uint16_t head;      // offset of the first byte to read
	uint16_t count;
} pipes[PIPES];

uint8_t pipe_new(void)
{
	for (uint8_t i = 0; i < PIPES; i++) {
		struct pipe *p = &pipes[i];

		if (p->reader || p->writer)
			continue;
		p->frame = frame_take_pipe();
		if (p->frame == NO_FRAME)
			return NO_PIPE;
		p->reader = p->writer = true;
		p->head = p->count = 0;
		return i;
	}
	return NO_PIPE;
}

void pipe_close(uint8_t i, bool write_end)
{
	struct pipe *p = &pipes[i];

	if (write_end)
		p->writer = false;
	else
		p->reader = false;
	proc_wake(PROC_PIPE, i);
	if (!p->reader && !p->writer)
		frame_drop(p->frame);
}

static int32_t wait_on(uint8_t i)
{
	self()->state = PROC_PIPE;
	self()->wait_on = i;
	return AGAIN;
}

// The largest piece at ring offset `at`, of at most n bytes.
static uint16_t piece(uint16_t at, uint16_t n)
{
	uint16_t rest = PIPE_SIZE - at;

	return n < rest ? n : rest;
}

int32_t pipe_read(uint8_t i, uint16_t va, uint16_t n)
{
	struct pipe *p = &pipes[i];
	uint16_t done = 0;

	if (!n || (!p->count && !p->writer))
		return 0;
	if (!p->count)
		return wait_on(i);
	while (done < n && p->count) {
		uint16_t part = piece(p->head, p->count < n - done ? p->count : n - done);
		int8_t error = copy_out(self()->space, va + done, frame_memory(p->frame) + p->head, part);

		if (error)
			return done ? (int32_t)done : error;
		p->head = (p->head + part) % PIPE_SIZE;
		p->count -= part;
		done += part;
	}
	proc_wake(PROC_PIPE, i);
	return done;
}

// Ends a write: what was written before an error counts.
static int32_t finish(int32_t error)
{
	uint16_t done = self()->progress;

	self()->progress = 0;
	return done ? (int32_t)done : error;
}

int32_t pipe_write(uint8_t i, uint16_t va, uint16_t n)
{
	struct pipe *p = &pipes[i];
	uint16_t *done = &self()->progress;

	if (!p->reader) {
		proc_signal(current, OX_SIGPIPE);
		return finish(-OX_EPIPE);
	}
	if (n - *done <= PIPE_SIZE && n - *done > PIPE_SIZE - p->count && !*done)
		return wait_on(i); // up to PIPE_BUF bytes are written in one piece
	while (*done < n && p->count < PIPE_SIZE) {
		uint16_t at = (p->head + p->count) % PIPE_SIZE;
		uint16_t room = PIPE_SIZE - p->count;
		uint16_t part = piece(at, room < n - *done ? room : n - *done);
		int8_t error = copy_in(self()->space, frame_memory(p->frame) + at, va + *done, part);

		if (error)
			return finish(error);
		p->count += part;
		*done += part;
	}
	proc_wake(PROC_PIPE, i);
	return *done < n ? wait_on(i) : finish(0);
}
