// SPDX-License-Identifier: ISC
//
// Open files and the system calls on descriptors and paths.

#include "kernel/file.h"

#include <string.h>

#include "kernel/pipe.h"
#include "kernel/slots.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "vm/pager.h"
#include "vm/pool.h"

struct open opens[OPEN_FILES];

// ---- the table

uint8_t open_new(uint8_t kind)
{
	for (uint8_t o = 0; o < OPEN_FILES; o++)
		if (!opens[o].refs) {
			opens[o].kind = kind;
			opens[o].refs = 1;
			return o;
		}
	return NO_FD;
}

int8_t open_drop(uint8_t o)
{
	struct open *f = &opens[o];

	if (--f->refs)
		return 0;
	if (f->kind == OPEN_FILE)
		return fs_close(f->file);
	if (f->kind == OPEN_PIPE_READ || f->kind == OPEN_PIPE_WRITE)
		pipe_close(f->pipe, f->kind == OPEN_PIPE_WRITE);
	return 0;
}

void files_share(struct proc *p)
{
	for (uint8_t i = 0; i < FDS; i++)
		if (p->fd[i] != NO_FD)
			opens[p->fd[i]].refs++;
}

void files_close(struct proc *p)
{
	for (uint8_t i = 0; i < FDS; i++)
		if (p->fd[i] != NO_FD) {
			open_drop(p->fd[i]);
			p->fd[i] = NO_FD;
		}
}

void files_close_on_exec(struct proc *p)
{
	for (uint8_t i = 0; i < FDS; i++)
		if (p->fd[i] != NO_FD && (p->cloexec & 1u << i)) {
			open_drop(p->fd[i]);
			p->fd[i] = NO_FD;
		}
	p->cloexec = 0;
}

int16_t fd_new(uint8_t o, uint8_t from)
{
	struct proc *p = self();

	for (uint8_t i = from; i < FDS; i++)
		if (p->fd[i] == NO_FD) {
			p->fd[i] = o;
			p->cloexec &= ~(1u << i);
			return i;
		}
	return -OX_EMFILE;
}

struct open *arg_open(void)
{
	uint16_t fd = (uint16_t)arg_small(0);

	if (fd >= FDS || self()->fd[fd] == NO_FD)
		return 0;
	return &opens[self()->fd[fd]];
}

// ---- reading and writing files

// Bytes that can be moved in one piece: at most n, up to the end of the user page and of the `len` bytes of the block.
static uint16_t piece_size(uint16_t va, uint16_t n, uint16_t len)
{
	uint16_t part = 256 - (uint8_t)va;

	if (part > n)
		part = n;
	return part < len ? part : len;
}

// Moves one piece at the file's position. Bytes done, 0 at the end of the file, or an error.
static int16_t move_piece(struct file *f, uint16_t va, uint16_t n, bool write)
{
	int16_t len;
	uint16_t offset = f->pos & 511;
	uint8_t *block = file_map(f, f->pos, write, &len);
	uint8_t *page, why;

	if (!block)
		return len || !write ? len : -OX_EFBIG;
	n = piece_size(va, n, (uint16_t)len);
	page = space_page(self()->space, va >> 8, !write, &why);
	if (page && write) {
		memcpy(block, page + (uint8_t)va, n);
		block_dirty(block - offset);
	} else if (page) {
		memcpy(page + (uint8_t)va, block, n);
	}
	block_put(block - offset);
	if (!page)
		return why == PAGER_SEGV ? -OX_EFAULT : -OX_EIO;
	f->pos += n;
	if (write)
		file_wrote(f, f->pos);
	return (int16_t)n;
}

static int32_t move_file(struct file *f, uint16_t va, uint16_t n, bool write)
{
	uint16_t done = 0;

	if (f->flags & FILE_DIR && !write)
		return -OX_EISDIR;
	if (!(f->flags & (write ? FILE_WRITE : FILE_READ)))
		return -OX_EBADF;
	if (write && f->flags & FILE_APPEND)
		f->pos = f->size;
	while (done < n) {
		int16_t part = move_piece(f, va + done, n - done, write);

		if (part < 0 && !done)
			return part;
		if (part <= 0)
			break;
		done += (uint16_t)part;
	}
	return done;
}

// read and write: descriptor, address, bytes.
static int32_t transfer(bool write)
{
	struct open *o = arg_open();
	uint16_t va, n = arg(2) > INT16_MAX ? INT16_MAX : (uint16_t)arg(2);

	if (!o)
		return -OX_EBADF;
	if (!arg_address(1, &va))
		return -OX_EFAULT;
	if (o->kind == OPEN_FILE)
		return move_file(o->file, va, n, write);
	if (o->kind == OPEN_TTY)
		return write ? tty_write(va, n) : tty_read(va, n);
	if (o->kind == (write ? OPEN_PIPE_WRITE : OPEN_PIPE_READ))
		return write ? pipe_write(o->pipe, va, n) : pipe_read(o->pipe, va, n);
	return -OX_EBADF;
}

int32_t sys_read(void)
{
	return transfer(false);
}

int32_t sys_write(void)
{
	return transfer(true);
}

int32_t sys_lseek(void)
{
	struct open *o = arg_open();
	int32_t base = 0, offset = (int32_t)arg(1);

	if (!o)
		return -OX_EBADF;
	if (o->kind != OPEN_FILE)
		return -OX_ESPIPE;
	if (arg(2) == OX_SEEK_CUR)
		base = (int32_t)o->file->pos;
	else if (arg(2) == OX_SEEK_END)
		base = (int32_t)o->file->size;
	else if (arg(2) != OX_SEEK_SET)
		return -OX_EINVAL;
	if (offset > 0 && base > INT32_MAX - offset)
		return -OX_EINVAL;
	if (base + offset < 0)
		return -OX_EINVAL;
	o->file->pos = (uint32_t)(base + offset);
	return base + offset;
}

// ---- opening and closing

int32_t sys_open(void)
{
	struct file *file;
	uint32_t flags = arg(1);
	int16_t result = arg_path(0, PATH_A);
	uint8_t o;

	if (result != 0)
		return result;
	o = open_new(OPEN_FILE);
	if (o == NO_FD)
		return -OX_ENFILE;
	result = fs_open(PATH_A, self()->cwd, flags, &file);
	if (result != 0) {
		opens[o].refs = 0;
		return result;
	}
	opens[o].file = file;
	result = fd_new(o, 0);
	if (result < 0)
		open_drop(o);
	else if (flags & OX_O_CLOEXEC)
		self()->cloexec |= 1u << result;
	return result;
}

static int8_t fd_close(uint8_t fd)
{
	uint8_t o = self()->fd[fd];

	self()->fd[fd] = NO_FD;
	return open_drop(o);
}

int32_t sys_close(void)
{
	return arg_open() ? fd_close((uint8_t)arg_small(0)) : -OX_EBADF;
}

int32_t sys_dup(void)
{
	struct open *o = arg_open();
	int16_t fd;

	if (!o)
		return -OX_EBADF;
	fd = fd_new((uint8_t)(o - opens), 0);
	if (fd >= 0)
		o->refs++;
	return fd;
}

int32_t sys_dup2(void)
{
	struct open *o = arg_open();
	struct proc *p = self();
	uint32_t to = arg(1);

	if (!o || to >= FDS)
		return -OX_EBADF;
	if (to == arg(0))
		return (int32_t)to;
	o->refs++;
	if (p->fd[to] != NO_FD)
		open_drop(p->fd[to]);
	p->fd[to] = (uint8_t)(o - opens);
	p->cloexec &= ~(1u << to);
	return (int32_t)to;
}

// A descriptor for one end of a pipe; without one, that end is closed.
static int16_t pipe_end(uint8_t pipe, uint8_t kind)
{
	uint8_t o = open_new(kind);
	int16_t fd;

	if (o == NO_FD) {
		pipe_close(pipe, kind == OPEN_PIPE_WRITE);
		return -OX_ENFILE;
	}
	opens[o].pipe = pipe;
	fd = fd_new(o, 0);
	if (fd < 0)
		open_drop(o);
	return fd;
}

int32_t sys_pipe(void)
{
	uint16_t va;
	uint8_t pipe;
	int32_t fd[2];
	int8_t error = 0;

	if (!arg_address(0, &va))
		return -OX_EFAULT;
	pipe = pipe_new();
	if (pipe == NO_PIPE)
		return -OX_ENFILE;
	for (uint8_t i = 0; i < 2; i++) {
		fd[i] = pipe_end(pipe, OPEN_PIPE_READ + i);
		if (fd[i] < 0)
			error = (int8_t)fd[i];
	}
	if (!error)
		error = copy_out(self()->space, va, fd, sizeof fd);
	for (uint8_t i = 0; error && i < 2; i++)
		if (fd[i] >= 0)
			fd_close((uint8_t)fd[i]);
	return error;
}

int32_t sys_ftruncate(void)
{
	struct open *o = arg_open();

	if (!o)
		return -OX_EBADF;
	if (o->kind != OPEN_FILE || !(o->file->flags & FILE_WRITE) || (int32_t)arg(1) < 0)
		return -OX_EINVAL;
	return fs_truncate(o->file, arg(1));
}

int32_t sys_isatty(void)
{
	struct open *o = arg_open();

	return !o ? -OX_EBADF : o->kind == OPEN_TTY ? 1 : -OX_ENOTTY;
}

// ---- directories and paths

static int32_t give_stat(const struct oct_stat *st)
{
	uint16_t va;

	return arg_address(1, &va) ? copy_out(self()->space, va, st, sizeof *st) : -OX_EFAULT;
}

int32_t sys_oct_stat(void)
{
	struct oct_stat st;
	int8_t error = arg_path(0, PATH_A);

	if (error == 0)
		error = fs_stat(PATH_A, self()->cwd, &st);
	return error ? error : give_stat(&st);
}

int32_t sys_oct_fstat(void)
{
	struct oct_stat st;
	struct open *o = arg_open();
	int8_t error;

	if (!o)
		return -OX_EBADF;
	if (o->kind == OPEN_FILE) {
		error = fs_fstat(o->file, &st);
		return error ? error : give_stat(&st);
	}
	memset(&st, 0, sizeof st);
	st.ino = o->pipe;
	st.mode = o->kind == OPEN_TTY ? OX_S_IFCHR | 0620 : OX_S_IFIFO | 0600;
	return give_stat(&st);
}

int32_t sys_getdents(void)
{
	struct open *o = arg_open();
	uint16_t va, done = 0, n = arg(2) > 0x7fff ? 0x7fff : (uint16_t)arg(2);
	uint32_t entry[(sizeof(struct oct_dirent) + OX_NAME_MAX + 4) / 4];

	if (!o || o->kind != OPEN_FILE)
		return -OX_EBADF;
	if (!arg_address(1, &va))
		return -OX_EFAULT;
	if (n < 32)
		return -OX_EINVAL;
	while (n - done >= 32) {
		uint32_t before = o->file->pos;
		uint8_t room = n - done < (uint16_t)sizeof entry ? (uint8_t)(n - done) : (uint8_t)sizeof entry;
		int16_t got = fs_readdir(o->file, (struct oct_dirent *)entry, sizeof entry);
		int8_t error;

		if (got <= 0)
			return done ? (int32_t)done : got;
		if (got > room) { // next time
			o->file->pos = before;
			return done ? (int32_t)done : -OX_EINVAL;
		}
		error = copy_out(self()->space, va + done, entry, (uint16_t)got);
		if (error)
			return error;
		done += (uint16_t)got;
	}
	return done;
}

int32_t sys_chdir(void)
{
	uint32_t dir;
	int8_t error = arg_path(0, PATH_A);

	if (error == 0)
		error = fs_chdir(PATH_A, self()->cwd, &dir);
	if (error == 0)
		self()->cwd = dir;
	return error;
}

int32_t sys_oct_getcwd(void)
{
	uint16_t va, n;
	int8_t error = fs_getcwd(self()->cwd, PATH_A, PATH_SIZE);

	if (error)
		return error;
	n = (uint16_t)strlen(PATH_A) + 1;
	if (!arg_address(0, &va))
		return -OX_EFAULT;
	if (arg(1) < n)
		return -OX_ERANGE;
	error = copy_out(self()->space, va, PATH_A, n);
	return error ? error : (int32_t)n;
}

// A call with one path argument.
static int32_t on_path(int8_t (*call)(const char *, uint32_t))
{
	int8_t error = arg_path(0, PATH_A);

	return error ? error : call(PATH_A, self()->cwd);
}

int32_t sys_mkdir(void)
{
	return on_path(fs_mkdir);
}

int32_t sys_rmdir(void)
{
	return on_path(fs_rmdir);
}

int32_t sys_unlink(void)
{
	return on_path(fs_unlink);
}

int32_t sys_rename(void)
{
	int8_t error = arg_path(0, PATH_A);

	if (error == 0)
		error = arg_path(1, PATH_B);
	return error ? error : fs_rename(PATH_A, PATH_B, self()->cwd);
}

int32_t sys_sync(void)
{
	return fs_sync();
}
