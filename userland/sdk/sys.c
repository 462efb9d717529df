// SPDX-License-Identifier: ISC
//
// System calls: dispatch, errors, arguments in memory, and the calls that are neither files nor processes.
#include "sys.h"

#include "diag.h"

#include <errno.h>
#include <octix/abi.h>
#include <octix/errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *name;
	sys_handler *run;
} calls[SYS_COUNT] = {
#define SYSCALL(name, ...) { #name, sys_##name },
#include <octix/syscalls.def>
#undef SYSCALL
};

const char *sys_name(uint32_t number)
{
	return number < SYS_COUNT ? calls[number].name : NULL;
}

uint32_t sys_call(struct sys *s, uint32_t number, const uint32_t *arg)
{
	if (number < SYS_COUNT && calls[number].run)
		return (uint32_t)calls[number].run(s, arg);
	if (s->strict)
		warn("system call %u (%s) is not there", number, number < SYS_COUNT ? calls[number].name : "unknown");
	return (uint32_t)-OX_ENOSYS;
}

int32_t sys_error(int error)
{
	switch (error) {
	case ENAMETOOLONG:
		return -OX_ENAMETOOLONG;
	case ENOTEMPTY:
		return -OX_ENOTEMPTY;
	case ENOSYS:
		return -OX_ENOSYS;
	default:
		return error <= ERANGE ? -error : -OX_EIO;
	}
}

int32_t sys_result(long result)
{
	return result < 0 ? sys_error(errno) : (int32_t)result;
}

void *sys_bytes(const struct sys *s, uint32_t addr, uint32_t n, unsigned how)
{
	if (!space_allows(s->space, addr, n, how))
		return NULL;
	if (n)
		refs_add(s->space->refs, REF_DATA, addr, addr + n - 1);
	return s->space->mem + (addr & 0xffff);
}

int32_t sys_string(const struct sys *s, uint32_t addr, char *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!space_allows(s->space, addr + (uint32_t)i, 1, SPACE_READ))
			return -OX_EFAULT;
		refs_add(s->space->refs, REF_DATA, addr + (uint32_t)i, addr + (uint32_t)i);
		to[i] = (char)s->space->mem[addr + i];
		if (!to[i])
			return 0;
	}
	return -OX_ENAMETOOLONG;
}

int32_t sys_path(const struct sys *s, uint32_t addr, char *to, size_t n)
{
	char path[256];
	int32_t error = sys_string(s, addr, path, sizeof path);

	if (error)
		return error;
	if (!*path)
		return -OX_ENOENT;
	if ((size_t)snprintf(to, n, "%s%s", s->root && *path == '/' ? s->root : "", path) >= n)
		return -OX_ENAMETOOLONG;
	return 0;
}

int32_t sys__exit(struct sys *s, const uint32_t *arg)
{
	s->exited = true;
	s->status = (int)(arg[0] & 255);
	return 0;
}

int32_t sys_oct_brk(struct sys *s, const uint32_t *arg)
{
	return space_brk(s->space, arg[0]) ? -OX_ENOMEM : 0;
}

int32_t sys_oct_sleep(struct sys *s, const uint32_t *arg)
{
	struct timespec t = { .tv_sec = arg[0] / 1000, .tv_nsec = (long)(arg[0] % 1000) * 1000000 };

	(void)s;
	return sys_result(nanosleep(&t, NULL));
}

int32_t sys_oct_time(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return (int32_t)time(NULL);
}

int32_t sys_oct_clock(struct sys *s, const uint32_t *arg)
{
	struct oct_time t;
	struct timespec now;
	void *to;

	if (arg[0] > OCT_CLOCK_BOOT)
		return -OX_EINVAL;
	to = sys_bytes(s, arg[1], sizeof t, SPACE_WRITE);
	if (!to)
		return -OX_EFAULT;
	clock_gettime(arg[0] == OCT_CLOCK_WALL ? CLOCK_REALTIME : CLOCK_BOOTTIME, &now);
	t.seconds = (uint32_t)now.tv_sec;
	t.ms = (uint32_t)(now.tv_nsec / 1000000);
	memcpy(to, &t, sizeof t);
	return 0;
}

// A program does not set this machine's clock.
int32_t sys_oct_settime(struct sys *s, const uint32_t *arg)
{
	struct oct_time t;
	const void *from = sys_bytes(s, arg[0], sizeof t, SPACE_READ);

	if (!from)
		return -OX_EFAULT;
	memcpy(&t, from, sizeof t);
	return t.ms > 999 ? -OX_EINVAL : -OX_EPERM;
}

int32_t sys_cycles(struct sys *s, const uint32_t *arg)
{
	(void)arg;
	return (int32_t)(s->clock ? *s->clock : 0);
}

int32_t sys_mark(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return 0;
}

int32_t sys_sync(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return 0;
}

int32_t sys_oct_reboot(struct sys *s, const uint32_t *arg)
{
	(void)s;
	(void)arg;
	return -OX_EPERM;
}

int32_t sys_oct_uptime(struct sys *s, const uint32_t *arg)
{
	struct timespec now;

	(void)s;
	(void)arg;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}
