// SPDX-License-Identifier: ISC
//
// calls BATCHES SEED: random system calls with hostile arguments, a process for each batch, which is killed when it waits for too
// long. Run it as root in an empty folder where all may write, with its descriptors on files. Batches are an ordinary user's, so that nobody else
// is theirs to kill, whatever they ask for or jump to. They may well damage their own memory and die of it; status 0: all could be
// started, and the kernel never wrote to read-only data.
#include <dirent.h>
#include <octix/octix.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tempting.h"

enum { CALLS = 120, PATIENCE_MS = 1500, DAMAGED = 93, USER = 7 };

enum call {
#define SYSCALL(name, ...) CALL_##name,
#include <octix/syscalls.def>
#undef SYSCALL
	CALL_COUNT
};

static uint32_t state;
static char buffer[1500], long_path[200];
static const uint32_t constant[160] = { 1, 2, 3 };
static char *vector[4];

static uint32_t random32(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

static uint32_t below(uint32_t n)
{
	return random32() % n;
}

// A system call as it is, past the library.
static int32_t call(uint32_t number, const uint32_t *a)
{
	register uint32_t t0 __asm__("t0") = number;
	register uint32_t a0 __asm__("a0") = a[0];
	register uint32_t a1 __asm__("a1") = a[1];
	register uint32_t a2 __asm__("a2") = a[2];

	__asm__ volatile("ecall" : "+r"(a0) : "r"(t0), "r"(a1), "r"(a2) : "memory");
	return (int32_t)a0;
}

// ---- arguments

static uint32_t number(void)
{
	static const uint32_t edges[] = { TEMPTING_NUMBERS };

	return below(4) ? edges[below(sizeof edges / sizeof edges[0])] : random32() >> below(32);
}

static uint32_t pointer(void)
{
	static const uint32_t edges[] = { 0, 1, 3, 0x1ff, 0x200, 0x7ffe, 0xefff, 0xf000, 0xfc00, 0xfffc, 0xffff, 0x10000, 0x10200, 0x80000000,
					  0xffffffff };

	switch (below(16)) {
	case 0: case 4: return edges[below(sizeof edges / sizeof edges[0])];
	case 1: case 5: return (uint32_t)(uintptr_t)constant + below(sizeof constant);
	case 2: case 6: return (uint32_t)(uintptr_t)(buffer + sizeof buffer) - below(20);
	case 3: return random32() & 0xffff;
	}
	return (uint32_t)(uintptr_t)buffer + below(600);
}

// Paths of this folder, unless `system`; pointers that are none now and then.
static uint32_t path(int system)
{
	static const char *const local[] = { TEMPTING_NAMES };
	static const char *const others[] = { "/", "/swap", "/sbin/init", "/bin/sh", "/root/calls", "/etc/motd", "/bin", "/bin/true", "/nothing",
					      "/dev", "/dev/null", "/dev/zero", "/dev/random", "/dev/tty", "/proc", "/proc/stat", "/proc/meminfo",
					      "/proc/1", "/proc/1/stat", "/proc/..", "/proc/1/../../dev/null" };

	if (below(10) == 0)
		return pointer();
	if (below(12) == 0)
		return (uint32_t)(uintptr_t)(long_path + below(sizeof long_path));
	if (system && below(4) == 0)
		return (uint32_t)(uintptr_t)others[below(sizeof others / sizeof others[0])];
	return (uint32_t)(uintptr_t)local[below(sizeof local / sizeof local[0])];
}

static uint32_t descriptor(void)
{
	return below(8) ? below(11) : number();
}

// Offsets and lengths: never far behind the end of a file, which would fill the card.
static uint32_t length(void)
{
	return below(4) ? below(40000) : 0u - below(70000);
}

static uint32_t argument_vector(void)
{
	for (unsigned i = 0; i < 3; i++)
		vector[i] = below(4) ? (char *)"word" : (char *)(uintptr_t)pointer();
	vector[below(4)] = NULL;
	return below(3) ? (uint32_t)(uintptr_t)vector : pointer();
}

static void arguments(enum call which, uint32_t *a)
{
	a[0] = number();
	a[1] = pointer();
	a[2] = number();
	switch (which) {
	case CALL_read: case CALL_write: case CALL_getdents: case CALL_close: case CALL_dup: case CALL_dup2: case CALL_oct_fstat:
	case CALL_fchown:
		a[0] = descriptor();
		if (which == CALL_dup2)
			a[1] = descriptor();
		break;
	case CALL_fchmod: // also of programs: they stay ones
		a[0] = descriptor();
		a[1] = number() | 0555;
		break;
	case CALL_ioctl: // the console must stay of use
		a[0] = descriptor();
		a[1] = below(4) ? below(OX_TIOCGSID + 2) : number();
		if ((a[1] >= OX_TCSETS && a[1] <= OX_TCSETSF) || a[1] == OX_TCXONC)
			a[1] = OX_TCGETS;
		a[2] = below(3) ? pointer() : below(4);
		break;
	case CALL_lseek: case CALL_ftruncate:
		a[0] = descriptor();
		a[1] = length();
		a[2] = below(8) ? below(3) : number();
		break;
	case CALL_open:
		a[0] = path(1);
		a[1] = below(8) ? (random32() & 0x240ec3) : random32();
		break;
	case CALL_mkdir: case CALL_rmdir: case CALL_unlink: case CALL_chdir: case CALL_oct_stat: case CALL_execve:
		a[0] = path(1);
		if (which == CALL_execve)
			a[1] = argument_vector(), a[2] = below(2) ? 0 : argument_vector();
		break;
	case CALL_access: case CALL_chmod: case CALL_chown: case CALL_oct_utime:
		a[0] = path(0);
		break;
	case CALL_rename:
		a[0] = path(0);
		a[1] = path(1);
		break;
	case CALL_pipe:
		a[0] = pointer();
		a[1] = number();
		break;
	case CALL_waitpid:
		a[0] = below(2) ? 0xffffffff : number();
		a[2] = below(8) ? 1 : 0;
		break;
	case CALL_kill:
		a[0] = below(4) ? 1 + below(4) : number(); // init, shells, who has started us; sometimes ourselves
		a[1] = number();
		break;
	case CALL_oct_sigreturn: // most batches would end here
		a[0] |= below(10) ? 0x10000 : 0;
		break;
	case CALL_oct_alarm:
		a[0] = below(10) ? 0 : 100000 + below(100000);
		break;
	case CALL_oct_sleep:
		a[0] = below(20);
		break;
	case CALL_setresuid: case CALL_setresgid: // and back again
		a[0] = a[2] = 0xffffffff;
		a[1] = below(3) ? below(3) : number();
		break;
	case CALL_oct_reboot:
		a[0] |= 2;
		break;
	default:
		break;
	}
}

// ---- calls

static void one_call(int child)
{
	uint32_t a[3], which = below(50) ? below(CALL_COUNT) : CALL_COUNT + number() % 0xffff;

	if (which == CALL__exit || (which == CALL_oct_sigsuspend && below(10)) || (which == CALL_vfork && child) || (which == CALL_execve && !child))
		return;
	arguments(which, a);
	if (which != CALL_vfork) {
		call(which, a);
	} else if (vfork() == 0) {
		for (unsigned n = below(6); n--;)
			one_call(1);
		_exit(0);
	}
}

static int is_damaged(void)
{
	const volatile uint32_t *c = constant;

	for (unsigned i = 0; i < sizeof constant / sizeof constant[0]; i++)
		if (c[i] != (i < 3 ? i + 1 : 0))
			return 1;
	return 0;
}

static int batch(uint32_t seed)
{
	state = seed;
	memset(buffer, 'b', sizeof buffer);
	memset(long_path, 'p', sizeof long_path); // its end is somewhere behind
	for (unsigned i = 0; i < CALLS; i++)
		one_call(0);
	return is_damaged() ? DAMAGED : 0;
}

// ---- the batches

// The status of the process, which is killed when it does not end.
static int wait_for(pid_t pid)
{
	int status = 0;

	for (unsigned ms = 0; ms < PATIENCE_MS; ms += 50) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		usleep(50000);
	}
	kill(-pid, SIGKILL); // also a child for which it waits
	waitpid(pid, &status, 0);
	return status;
}

// What a batch has left behind: its children, and what they became.
static void kill_children(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		pid_t pid = (pid_t)atoi(d->d_name);

		if (pid > 1 && pid != getpid() && pid != getppid())
			kill(pid, SIGKILL);
	}
	if (dir)
		closedir(dir);
}

static pid_t start(uint32_t seed)
{
	char text[12];
	char *const argv[] = { (char *)"calls", text, NULL };
	pid_t pid;

	snprintf(text, sizeof text, "%lu", (unsigned long)seed);
	pid = vfork();
	if (pid == 0) {
		setpgid(0, 0); // a batch that has damaged itself may jump to kill(0, SIGKILL)
		setgid(USER);
		setuid(USER);
		execve("/root/calls", argv, argv + 2);
		_exit(127);
	}
	return pid;
}

int main(int argc, char **argv)
{
	unsigned ended = 0, batches = argc == 3 ? (unsigned)atoi(argv[1]) : 0;
	uint32_t seed = argc == 3 ? (uint32_t)atoi(argv[2]) : 0;

	if (argc == 2)
		return batch((uint32_t)strtoul(argv[1], NULL, 10));
	if (!batches) // executed by a batch: it must not end the others
		return 0;
	for (unsigned i = 0; i < batches; i++) {
		pid_t pid = start((seed * 1000 + i) * 2654435761u | 1);
		int status = pid < 0 ? -1 : wait_for(pid);

		kill_children();
		if (pid < 0 || (WIFEXITED(status) && (WEXITSTATUS(status) == DAMAGED || WEXITSTATUS(status) == 127)))
			return 1;
		ended += WIFEXITED(status);
	}
	return ended < batches / 4;
}
