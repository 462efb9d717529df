// SPDX-License-Identifier: ISC
//
// Structures and constants that cross the system call boundary, shared by kernel, libc and oxrun.
// Fixed-width little-endian members only; naturally aligned.
#ifndef OCTIX_ABI_H
#define OCTIX_ABI_H

#include <stdint.h>

#include <octix/limits.h>
#include <octix/termios.h>

// open() flags: the values of picolibc's <fcntl.h>.
#define OX_O_RDONLY  0x0000
#define OX_O_WRONLY  0x0001
#define OX_O_RDWR    0x0002
#define OX_O_ACCMODE 0x0003
#define OX_O_APPEND  0x0400
#define OX_O_CREAT   0x0040
#define OX_O_TRUNC   0x0200
#define OX_O_EXCL    0x0800
#define OX_O_NONBLOCK 0x4000
#define OX_O_DIRECTORY 0x200000
#define OX_O_CLOEXEC 0x40000

// fcntl() commands and the descriptor flag: the same header.
#define OX_F_DUPFD 0
#define OX_F_GETFD 1
#define OX_F_SETFD 2
#define OX_F_GETFL 3
#define OX_F_SETFL 4
#define OX_F_DUPFD_CLOEXEC 14
#define OX_FD_CLOEXEC 1

#define OX_SEEK_SET 0
#define OX_SEEK_CUR 1
#define OX_SEEK_END 2

// poll(): the numbers of our <poll.h>.
#define OX_POLLIN   0x01
#define OX_POLLPRI  0x02
#define OX_POLLOUT  0x04
#define OX_POLLERR  0x08
#define OX_POLLHUP  0x10
#define OX_POLLNVAL 0x20

struct oct_pollfd {
	int32_t fd;
	uint16_t events, revents;
};

// whose nice value
#define OX_PRIO_PROCESS 0
#define OX_PRIO_PGRP    1
#define OX_PRIO_USER    2

#define OX_WNOHANG   1
#define OX_WUNTRACED 2
#define OX_WCONTINUED 8
#define OX_WNOWAIT   16 // it may be waited for again
#define OX_WNOEXIT   32 // not for those that have ended

// st_mode: type bits and permissions as in POSIX <sys/stat.h>.
#define OX_S_IFMT  0170000
#define OX_S_IFIFO 0010000
#define OX_S_IFCHR 0020000
#define OX_S_IFDIR 0040000
#define OX_S_IFREG 0100000
#define OX_S_ISUID 0004000
#define OX_S_ISGID 0002000
#define OX_S_ISVTX 0001000

#define OCT_ID_MAX 254 // users and groups are 0 to 254

struct oct_stat {
	uint32_t ino;      // first cluster, or a number of the kernel's own
	uint32_t size;     // bytes
	uint32_t mtime;    // octix/date.h
	uint16_t mode;     // OX_S_IF* | permissions
	uint8_t uid, gid;
};

struct oct_dirent {
	uint32_t ino;
	uint32_t size;     // of a file, bytes
	uint32_t mtime;
	uint16_t mode;     // permissions and owner of a directory on the card: stat tells
	uint8_t uid, gid;
	uint8_t reclen;    // bytes of this record: 18 + name with NUL, rounded up to 4
	uint8_t namelen;   // without the NUL
	char name[];       // NUL-terminated
};

// Wait status: exit status << 8; the signal that killed the process; signal << 8 | 0x7f when it is stopped; 0xffff when it
// goes on. As in picolibc's <sys/wait.h>.
#define OX_STOPPED   0x7f
#define OX_CONTINUED 0xffff

// Signals: the numbers of picolibc's <signal.h> (libc/signal.c checks it). A set of them has bit n for signal n.
#define OX_SIGHUP    1
#define OX_SIGINT    2
#define OX_SIGQUIT   3
#define OX_SIGILL    4
#define OX_SIGTRAP   5
#define OX_SIGABRT   6
#define OX_SIGFPE    8
#define OX_SIGKILL   9
#define OX_SIGBUS    10
#define OX_SIGSEGV   11
#define OX_SIGSYS    12
#define OX_SIGPIPE   13
#define OX_SIGALRM   14
#define OX_SIGTERM   15
#define OX_SIGURG    16
#define OX_SIGSTOP   17
#define OX_SIGTSTP   18
#define OX_SIGCONT   19
#define OX_SIGCHLD   20
#define OX_SIGTTIN   21
#define OX_SIGTTOU   22
#define OX_SIGIO     23
#define OX_SIGXCPU   24
#define OX_SIGXFSZ   25
#define OX_SIGVTALRM 26
#define OX_SIGPROF   27
#define OX_SIGWINCH  28
#define OX_SIGUSR1   30
#define OX_SIGUSR2   31
#define OX_NSIG      32

// oct_signal: what becomes of a signal; OCT_SIG_ASK changes nothing. OCT_SIG_NOCLDSTOP is added for SIGCHLD: not when a child stops.
enum oct_disposition { OCT_SIG_DFL = 0, OCT_SIG_IGN = 1, OCT_SIG_CATCH = 2, OCT_SIG_ASK = 3, OCT_SIG_NOCLDSTOP = 4 };

// oct_sigmask
enum oct_mask { OCT_SETMASK = 0, OCT_BLOCK = 1, OCT_UNBLOCK = 2 };

// What the kernel puts on the stack for a signal that is caught; sp and a1 point to it, a0 is the signal, all signals are
// blocked, and the process goes on at the code pointer in gp. oct_sigreturn goes back to what is in it.
struct oct_sigframe {
	uint32_t regs[16];
	uint32_t acc;      // of the bytecode machine
	uint32_t mask;     // signals blocked before
	uint32_t pc;
	uint16_t address;  // SIGSEGV: of the access
	uint8_t signal;
	uint8_t restart;   // pc is on a system call that can begin again
};

// A time of day, or since boot, and the clocks that oct_clock reads.
struct oct_time {
	uint32_t seconds;  // since 1970-01-01 UTC, or boot
	uint32_t ms;       // 0 to 999
};

enum oct_clock { OCT_CLOCK_WALL = 0, OCT_CLOCK_BOOT = 1 };

enum oct_reboot { OCT_HALT = 0, OCT_RESTART = 1 };

#endif
