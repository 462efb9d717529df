// SPDX-License-Identifier: ISC
//
// The system calls on open files and paths.

#include "kernel/file.h"

#include <string.h>

#include <avr/pgmspace.h>

#include "kernel/node.h"
#include "kernel/part.h"
#include "kernel/pipe.h"
#include "kernel/slots.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "vm/pager.h"
#include "vm/pool.h"

// ---- reading and writing files

// Moves one piece at the file's position: up to the end of the user page, of the block, and of the file. Bytes done, 0 at the end of
// the file, or an error.
static int16_t move_piece(struct file *f, uint16_t va, uint16_t n, bool write)
{
	int16_t len;
	uint8_t *block = file_map(f, f->pos, write, &len);
	uint8_t *user;

	if (!block)
		return len || !write ? len : -OX_EFBIG;
	if (!write && FRAMES_PER_SECTOR == 1 && card_slow && n >= (uint16_t)len)
		file_ahead(f); // comes while this block is copied
	n = in_page(va, n);
	if (n > (uint16_t)len)
		n = (uint16_t)len;
	user = user_byte(self()->space, va, !write);
	if (user && write)
		memcpy(block, user, n);
	else if (user)
		memcpy(user, block, n);
	block -= (uint16_t)f->pos & 511;
	if (user && write) {
		block_dirty(block);
		if (!((uint16_t)(f->pos + n) & 511))
			block_done(block);
	}
	block_put(block);
	if (!user) {
		if (write && f->pos == f->size)
			file_trim(f);
		return user_error();
	}
	f->pos += n;
	if (write)
		file_wrote(f, f->pos);
	return (int16_t)n;
}

// May be left as long as nothing has been moved.
static int16_t move_file(struct file *f, uint16_t va, uint16_t n, bool write)
{
	uint16_t done = 0;

	may_leave();
	while (done < n) {
		int16_t part = move_piece(f, va + done, n - done, write);

		if (part < 0 && !done)
			return part;
		if (part <= 0)
			break;
		done += (uint16_t)part;
		card_restart = false;
	}
	return (int16_t)done;
}

static int16_t file_read(struct open *o, uint16_t va, uint16_t n)
{
	return move_file(o->file, va, n, false);
}

// Behind the end of the file zeros come first, a part of them each time the call is run.
static int16_t file_write(struct open *o, uint16_t va, uint16_t n)
{
	struct file *f = o->file;
	int8_t result;

	if (f->flags & FILE_APPEND)
		f->pos = f->size;
	if (n && f->pos > f->size) {
		if (!user_byte(self()->space, va, false))
			return user_error();
		result = file_fill(f, f->pos);
		if (result)
			return result < 0 ? result : AGAIN;
	}
	return move_file(f, va, n, true);
}

typedef int16_t transfer_function(struct open *o, uint16_t va, uint16_t n);

// By kind: read, write, ioctl, which gets its request in place of the number of bytes.
static transfer_function *const transfers[][3] PROGMEM = {
	[OPEN_FILE] = { file_read, file_write },
	PART(BOARD_HAS_PROC, [OPEN_STAT] = { text_read, 0 })
	PART(BOARD_HAS_PROC, [OPEN_MEMINFO] = { text_read, 0 })
	PART(BOARD_HAS_PROC, [OPEN_PROCESS] = { text_read, 0 })
	PART(BOARD_HAS_PROC, [OPEN_MOUNTS] = { text_read, 0 })
	[OPEN_NULL] = { null_read, null_write },
	[OPEN_ZERO] = { fill_read, null_write },
	[OPEN_RANDOM] = { fill_read, null_write },
	PART(BOARD_HAS_MEM, [OPEN_MEM] = { bytes_read, bytes_write })
	PART(BOARD_HAS_EEPROM, [OPEN_EEPROM] = { bytes_read, bytes_write })
	PART(BOARD_HAS_GPIO, [OPEN_GPIO] = { bytes_read, bytes_write })
	PART(BOARD_HAS_ADC, [OPEN_ADC] = { bytes_read, 0 })
	PART(BOARD_HAS_I2C, [OPEN_I2C] = { bus_read, bus_write })
	PART(BOARD_HAS_SPI, [OPEN_SPI] = { bus_read, bus_write })
	[OPEN_CONSOLE] = { tty_read, tty_write, tty_ioctl },
	[OPEN_TTYS1] = { tty_read, tty_write, tty_ioctl },
	[OPEN_TTY] = { tty_read, tty_write, tty_ioctl },
	[OPEN_PIPE_READ] = { pipe_read, 0 },
	[OPEN_PIPE_WRITE] = { 0, pipe_write },
};

// A transfer that would wait, on a description with O_NONBLOCK: what it has done by now is its result. One that is to run again
// for another reason, without having set a state, does.
static NOINLINE int16_t do_not_wait(void)
{
	uint16_t done = self()->progress;

	if (self()->state == PROC_RUN)
		return AGAIN;
	self()->state = PROC_RUN;
	self()->timed = false;
	self()->progress = 0;
	return done ? (int16_t)done : -OX_EAGAIN;
}

// read and write: descriptor, address, bytes.
static NOINLINE int16_t transfer(struct open *o, uint8_t write)
{
	uint16_t va = arg_address(1);
	transfer_function *f = (transfer_function *)pgm_read_ptr(&transfers[o->kind][write]);
	int16_t result;

	if (!f || (o->kind <= OPEN_TTY && !(o->file->flags & (FILE_READ << write))))
		fail(-OX_EBADF);
	result = f(o, va, arg_count());
	return result == AGAIN && o->nonblock ? do_not_wait() : result;
}

int16_t sys_read(void)
{
	struct open *o = arg_open();

	if (o->kind == OPEN_PIPE_READ && pipe_is_empty(o->pipe) && !o->nonblock && (uint8_t)self_regs()[12])
		return pipe_wait(o->pipe); // at once: most often the way to another process. Multiples of 256 bytes take the long one
	return transfer(o, false);
}

int16_t sys_write(void)
{
	return transfer(arg_open(), true);
}

int16_t sys_lseek(void)
{
	struct open *o = arg_open();
	int32_t pos = (int32_t)arg(1), base = 0;
	uint16_t whence = (uint16_t)arg_small(2);

	if (o->kind >= OPEN_CONSOLE)
		fail(-OX_ESPIPE);
	if (whence == OX_SEEK_CUR)
		base = (int32_t)o->file->pos;
	else if (whence == OX_SEEK_END)
		base = (int32_t)o->file->size;
	pos = (int32_t)((uint32_t)pos + (uint32_t)base);
	if (whence > OX_SEEK_END || (base | pos) < 0) // also when the sum is beyond 2^31
		fail(-OX_EINVAL);
	o->file->pos = (uint32_t)pos;
	return any_value((uint32_t)pos);
}

// ---- opening

int16_t sys_open(void)
{
	uint32_t flags = arg(1);
	int16_t fd;
	struct open *o;
	int8_t error;

	arg_path(0, PATH_A);
	fd = fd_free(0); // before a file is made or emptied
	if (fd < 0)
		return fd;
	o = open_new(OPEN_FILE);
	if (!o)
		fail(-OX_ENFILE);
	o->refs = 0; // until all is done
	check(fs_open(PATH_A, self()->cwd, flags, (uint16_t)arg(2), &o->file));
	if (is_node(o->file->first))
		o->kind = node_kind(o->file->first);
	if (TTYS > 1 && o->kind == OPEN_TTYS1 && (error = tty_open()) != 0) {
		fs_close(o->file);
		fail(error);
	}
	o->refs = 1;
	o->nonblock = (flags & OX_O_NONBLOCK) != 0;
	return fd_give((uint8_t)fd, o, (flags & OX_O_CLOEXEC) != 0);
}

int16_t sys_ftruncate(void)
{
	struct open *o = arg_open();
	uint32_t size = arg(1);
	int8_t result;

	if (o->kind != OPEN_FILE || (int32_t)size < 0)
		fail(-OX_EINVAL);
	result = fs_truncate(o->file, size);
	return result == FILL_ON ? AGAIN : result;
}

int16_t sys_ioctl(void)
{
	struct open *o = arg_open();
	transfer_function *f = (transfer_function *)pgm_read_ptr(&transfers[o->kind][2]);

	return f ? f(o, arg_address(2), (uint16_t)arg_small(1)) : -OX_ENOTTY;
}

// ---- directories and paths

static int16_t give_stat(const struct oct_stat *st)
{
	return give(arg_address(1), st, sizeof *st);
}

int16_t sys_oct_stat(void)
{
	struct oct_stat st;

	arg_path(0, PATH_A);
	check(fs_stat(PATH_A, self()->cwd, &st));
	return give_stat(&st);
}

int16_t sys_oct_fstat(void)
{
	struct oct_stat st;
	struct open *o = arg_open();

	may_leave();
	if (o->kind <= OPEN_TTY) {
		check(fs_fstat(o->file, &st));
	} else {
		memset(&st, 0, sizeof st);
		st.ino = (uint16_t)(uintptr_t)o->pipe;
		st.mode = OX_S_IFIFO | 0600;
		st.uid = self()->user.uid;
		st.gid = self()->user.gid;
	}
	return give_stat(&st);
}

int16_t sys_getdents(void)
{
	struct open *o = arg_open();
	uint16_t va = arg_address(1), done = self()->progress, n = arg_count();
	uint32_t entry[(sizeof(struct oct_dirent) + OX_NAME_MAX + 4) / 4];
	int16_t got = 0;
	int8_t error;

	if (o->kind >= OPEN_CONSOLE)
		fail(-OX_ENOTDIR);
	if (n < 32)
		fail(-OX_EINVAL);
	while (n - done >= 32) {
		uint32_t before = o->file->pos;

		may_leave();
		got = fs_readdir(o->file, (struct oct_dirent *)entry, sizeof entry);
		if (got <= 0)
			break;
		card_restart = false;
		error = -OX_EINVAL;
		if (got <= (int16_t)(n - done))
			error = copy_out(self()->space, va + done, entry, (uint16_t)got);
		if (error) { // next time
			o->file->pos = before;
			got = error;
			break;
		}
		done += (uint16_t)got;
		self()->progress = done;
		self()->call = CALL_NONE;
	}
	self()->progress = 0;
	return done ? (int16_t)done : got;
}

// A call with one path argument.
static int8_t on_path(int8_t (*call)(const char *, uint32_t))
{
	arg_path(0, PATH_A);
	return call(PATH_A, self()->cwd);
}

static int8_t change_dir(const char *path, uint32_t cwd)
{
	return fs_chdir(path, cwd, &self()->cwd);
}

int16_t sys_chdir(void)
{
	return on_path(change_dir);
}

int16_t sys_mkdir(void)
{
	arg_path(0, PATH_A);
	return fs_mkdir(PATH_A, self()->cwd, (uint16_t)arg(1));
}

int16_t sys_rmdir(void)
{
	return on_path(fs_rmdir);
}

int16_t sys_unlink(void)
{
	return on_path(fs_unlink);
}

int16_t sys_oct_utime(void)
{
	arg_path(0, PATH_A);
	return fs_utime(PATH_A, self()->cwd, arg(1));
}

int16_t sys_rename(void)
{
	arg_path(0, PATH_A);
	arg_path(1, PATH_B);
	return fs_rename(PATH_A, PATH_B, self()->cwd);
}

int16_t sys_sync(void)
{
	return fs_sync();
}
