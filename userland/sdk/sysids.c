// SPDX-License-Identifier: ISC
//
// System calls on users, owners and modes: this machine's, with its own rules.
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <octix/abi.h>
#include <octix/date.h>
#include <octix/errno.h>
#include <sys/stat.h>
#include <unistd.h>

uint8_t sys_small_id(unsigned id)
{
	return (uint8_t)(id > OCT_ID_MAX ? OCT_ID_MAX : id);
}

// An argument that is an id; -1, of 32 or 16 bits: none. False: not an id.
static bool arg_id(uint32_t arg, unsigned *id)
{
	*id = (arg & 0xffff) == 0xffff ? (unsigned)-1 : arg;
	return *id == (unsigned)-1 || *id <= OCT_ID_MAX;
}

int32_t sys_oct_ids(struct sys *s, const uint32_t *arg)
{
	unsigned r, e, saved;

	(void)s;
	if (arg[0])
		getresgid(&r, &e, &saved);
	else
		getresuid(&r, &e, &saved);
	return sys_small_id(r) | sys_small_id(e) << 8 | sys_small_id(saved) << 16;
}

static int32_t set_ids(const uint32_t *arg, int (*set)(unsigned, unsigned, unsigned))
{
	unsigned r, e, saved;

	if (!arg_id(arg[0], &r) || !arg_id(arg[1], &e) || !arg_id(arg[2], &saved))
		return -OX_EINVAL;
	return sys_result(set(r, e, saved));
}

int32_t sys_setresuid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return set_ids(arg, setresuid);
}

int32_t sys_setresgid(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return set_ids(arg, setresgid);
}

int32_t sys_umask(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return (int32_t)umask(arg[0] & 0777);
}

int32_t sys_chmod(struct sys *s, const uint32_t *arg)
{
	char path[PATH_MAX];
	int32_t error = sys_path(s, arg[0], path, sizeof path);

	return error ? error : sys_result(chmod(path, arg[1] & 07777));
}

int32_t sys_fchmod(struct sys *s, const uint32_t *arg)
{
	(void)s;
	return sys_result(fchmod((int)arg[0], arg[1] & 07777));
}

int32_t sys_chown(struct sys *s, const uint32_t *arg)
{
	char path[PATH_MAX];
	unsigned user, group;
	int32_t error = sys_path(s, arg[0], path, sizeof path);

	if (!error && (!arg_id(arg[1], &user) || !arg_id(arg[2], &group)))
		error = -OX_EINVAL;
	return error ? error : sys_result(chown(path, user, group));
}

int32_t sys_fchown(struct sys *s, const uint32_t *arg)
{
	unsigned user, group;

	(void)s;
	if (!arg_id(arg[1], &user) || !arg_id(arg[2], &group))
		return -OX_EINVAL;
	return sys_result(fchown((int)arg[0], user, group));
}

int32_t sys_oct_utime(struct sys *s, const uint32_t *arg)
{
	char path[PATH_MAX];
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = oct_date_seconds(arg[1]), .tv_nsec = arg[1] ? 0 : UTIME_NOW } };
	int32_t error = sys_path(s, arg[0], path, sizeof path);

	return error ? error : sys_result(utimensat(AT_FDCWD, path, times, 0));
}

int32_t sys_access(struct sys *s, const uint32_t *arg)
{
	char path[PATH_MAX];
	int32_t error = sys_path(s, arg[0], path, sizeof path);

	return error ? error : sys_result(access(path, (int)arg[1]));
}
