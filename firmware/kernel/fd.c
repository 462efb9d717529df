// SPDX-License-Identifier: ISC
//
// Descriptors: the table of open file descriptions, and the calls that make, copy and close descriptors or ask about them.
//
// A process keeps the numbers of its open files in four bits each (15: none), and a bit each for close-on-exec, which is set only
// while the descriptor is open.

#include "kernel/file.h"

#include <assert.h>

#include "kernel/pipe.h"
#include "kernel/tty.h"
#include "kernel/user.h"

struct open opens[OPEN_FILES];

_Static_assert(OPEN_FILES <= NO_FD && FDS % 2 == 0, "two descriptors in a byte");

// ---- the table

struct open *open_new(uint8_t kind)
{
	for (struct open *o = opens; o < opens + OPEN_FILES; o++)
		if (!o->refs) {
			o->kind = kind;
			o->nonblock = false;
			o->refs = 1;
			return o;
		}
	return 0;
}

static bool is_open(uint8_t kind)
{
	for (const struct open *o = opens; o < opens + OPEN_FILES; o++)
		if (o->refs && o->kind == kind)
			return true;
	return false;
}

// Drops one reference; the last one closes.
static int8_t open_drop(struct open *o)
{
	assert(o->refs);
	if (--o->refs)
		return 0;
	if (TTYS > 1 && o->kind == OPEN_TTYS1 && !is_open(OPEN_TTYS1))
		tty_close();
	if (o->kind <= OPEN_TTY)
		return fs_close(o->file);
	pipe_close(o->pipe, o->kind == OPEN_PIPE_WRITE);
	return 0;
}

// ---- descriptors of a process

uint8_t fd_number(const struct proc *p, uint8_t fd)
{
	uint8_t pair = p->fd[fd / 2];

	return fd & 1 ? pair >> 4 : pair & 15;
}

static NOINLINE void put_number(struct proc *p, uint8_t fd, uint8_t number)
{
	uint8_t *pair = &p->fd[fd / 2];

	*pair = fd & 1 ? (*pair & 15) | (uint8_t)(number << 4) : (*pair & 0xf0) | number;
}

static NOINLINE bool cloexec(const struct proc *p, uint8_t fd)
{
	return p->cloexec[fd / 8] & (uint8_t)(1 << (fd & 7));
}

static NOINLINE void set_cloexec(struct proc *p, uint8_t fd, bool on)
{
	uint8_t bit = (uint8_t)(1 << (fd & 7)), *bits = &p->cloexec[fd / 8];

	*bits = on ? *bits | bit : *bits & (uint8_t)~bit;
}

void files_share(struct proc *p)
{
	for (uint8_t i = 0; i < FDS; i++)
		if (fd_number(p, i) != NO_FD)
			opens[fd_number(p, i)].refs++;
}

int8_t fd_close(struct proc *p, uint8_t fd)
{
	uint8_t number = fd_number(p, fd);

	if (number == NO_FD)
		return 0;
	put_number(p, fd, NO_FD);
	set_cloexec(p, fd, false);
	return open_drop(&opens[number]);
}

void files_close(struct proc *p, bool all)
{
	for (uint8_t i = 0; i < FDS; i++)
		if (all || cloexec(p, i))
			fd_close(p, i);
}

int16_t fd_give(uint8_t fd, const struct open *o, bool on_exec)
{
	put_number(self(), fd, (uint8_t)(o - opens));
	set_cloexec(self(), fd, on_exec);
	return fd;
}

int16_t fd_free(uint8_t least)
{
	for (; least < FDS; least++)
		if (fd_number(self(), least) == NO_FD)
			return least;
	return -OX_EMFILE;
}

struct open *arg_open(void)
{
	uint32_t fd = arg(0);
	uint8_t number;

	if (fd >= FDS || (number = fd_number(self(), (uint8_t)fd)) == NO_FD)
		fail(-OX_EBADF);
	return &opens[number];
}

// ---- the calls

int16_t sys_close(void)
{
	arg_open();
	return fd_close(self(), (uint8_t)arg_small(0));
}

// A copy of a description: the lowest free descriptor from `least` on.
static int16_t copy(struct open *o, uint8_t least, bool on_exec)
{
	int16_t fd = fd_free(least);

	if (fd < 0)
		return fd;
	o->refs++;
	return fd_give((uint8_t)fd, o, on_exec);
}

int16_t sys_dup(void)
{
	return copy(arg_open(), 0, false);
}

int16_t sys_dup2(void)
{
	struct open *o = arg_open();
	uint16_t to = (uint16_t)arg_small(1);

	if (to >= FDS)
		fail(-OX_EBADF);
	if (to == (uint16_t)arg_small(0))
		return (int16_t)to;
	o->refs++;
	fd_close(self(), (uint8_t)to);
	return fd_give((uint8_t)to, o, false);
}

// Access mode, O_APPEND and O_NONBLOCK.
static int16_t status_flags(const struct open *o)
{
	int16_t flags = o->nonblock ? OX_O_NONBLOCK : 0;

	if (o->kind > OPEN_TTY)
		return flags | (o->kind == OPEN_PIPE_WRITE ? OX_O_WRONLY : OX_O_RDONLY);
	if (o->file->flags & FILE_APPEND)
		flags |= OX_O_APPEND;
	return flags | ((o->file->flags & (FILE_READ | FILE_WRITE)) - FILE_READ);
}

static int16_t set_status_flags(struct open *o)
{
	uint16_t flags = (uint16_t)arg(2);

	o->nonblock = (flags & OX_O_NONBLOCK) != 0;
	if (o->kind <= OPEN_TTY) {
		o->file->flags &= (uint8_t)~FILE_APPEND;
		if (flags & OX_O_APPEND)
			o->file->flags |= FILE_APPEND;
	}
	return 0;
}

int16_t sys_fcntl(void)
{
	struct open *o = arg_open();
	uint8_t fd = (uint8_t)arg(0), command = (uint8_t)arg_small(1);
	uint32_t least = arg(2);

	switch (command) {
	case OX_F_DUPFD:
	case OX_F_DUPFD_CLOEXEC:
		return least < FDS ? copy(o, (uint8_t)least, command == OX_F_DUPFD_CLOEXEC) : -OX_EINVAL;
	case OX_F_GETFD:
		return cloexec(self(), fd) ? OX_FD_CLOEXEC : 0;
	case OX_F_SETFD:
		set_cloexec(self(), fd, (uint8_t)least & OX_FD_CLOEXEC);
		return 0;
	case OX_F_GETFL:
		return status_flags(o);
	case OX_F_SETFL:
		return set_status_flags(o);
	}
	return -OX_EINVAL;
}

// A descriptor for one end of a pipe; without one, that end is closed.
static int16_t pipe_end(struct pipe *pipe, uint8_t kind)
{
	struct open *o = open_new(kind);
	int16_t fd;

	if (!o) {
		pipe_close(pipe, kind == OPEN_PIPE_WRITE);
		return -OX_ENFILE;
	}
	o->pipe = pipe;
	fd = fd_free(0);
	if (fd < 0)
		open_drop(o);
	else
		fd_give((uint8_t)fd, o, false);
	return fd;
}

int16_t sys_pipe(void)
{
	uint16_t va = arg_address(0);
	struct pipe *pipe = pipe_new();
	int32_t fd[2];
	int8_t error = 0;

	if (!pipe)
		fail(-OX_ENFILE);
	for (uint8_t i = 0; i < 2; i++) {
		fd[i] = pipe_end(pipe, OPEN_PIPE_READ + i);
		if (fd[i] < 0)
			error = (int8_t)fd[i];
	}
	if (!error)
		error = copy_out(self()->space, va, fd, sizeof fd);
	for (uint8_t i = 0; error && i < 2; i++)
		if (fd[i] >= 0)
			fd_close(self(), (uint8_t)fd[i]);
	return error;
}
