// SPDX-License-Identifier: ISC
//
// See ids.h.

#include "kernel/ids.h"

#include "fs/fs.h"
#include "kernel/file.h"
#include "kernel/slots.h"
#include "kernel/user.h"
#include "vm/pool.h"

const struct user *fs_user(void)
{
	return &self()->user;
}

uint8_t arg_id(uint8_t n)
{
	uint32_t id = arg(n);

	if ((uint16_t)id == 0xffff)
		return OWNER_NONE;
	if (id > OWNER_MAX)
		fail(-OX_EINVAL);
	return (uint8_t)id;
}

void need_root(void)
{
	if (self()->user.uid)
		fail(-OX_EPERM);
}

bool may_signal(const struct proc *p)
{
	const struct user *u = &self()->user, *of = &p->user;

	return !u->uid || u->uid == of->ruid || u->uid == of->suid || u->ruid == of->ruid || u->ruid == of->suid;
}

void set_by_exec(const struct owner *o)
{
	struct user *u = &self()->user;

	if (o->mode & OX_S_ISUID)
		u->uid = o->uid;
	if (o->mode & OX_S_ISGID)
		u->gid = o->gid;
	u->suid = u->uid;
	u->sgid = u->gid;
}

// ---- the ids of a process

int16_t sys_oct_ids(void)
{
	const struct user *u = &self()->user;
	uint8_t group = arg(0) != 0;

	return any_value(u->ids[0][group] | (uint16_t)u->ids[1][group] << 8 | (uint32_t)u->ids[2][group] << 16);
}

// Real, effective and saved, each OWNER_NONE: stays. Who is not root chooses among those that it has.
static int16_t set_ids(uint8_t group)
{
	struct user *u = &self()->user;
	uint8_t want[3];

	for (uint8_t i = 0; i < 3; i++) {
		want[i] = arg_id(i);
		if (want[i] == OWNER_NONE)
			want[i] = u->ids[i][group];
		else if (u->uid && want[i] != u->ids[0][group] && want[i] != u->ids[1][group] && want[i] != u->ids[2][group])
			fail(-OX_EPERM);
	}
	for (uint8_t i = 0; i < 3; i++)
		u->ids[i][group] = want[i];
	return 0;
}

int16_t sys_setresuid(void)
{
	return set_ids(0);
}

int16_t sys_setresgid(void)
{
	return set_ids(1);
}

int16_t sys_umask(void)
{
	struct user *u = &self()->user;
	uint16_t old = u->umask;

	u->umask = (uint16_t)arg(0) & 0777;
	return (int16_t)old;
}

// ---- owners and modes of files

// By the real ids.
int16_t sys_access(void)
{
	struct user *u = &self()->user, before = *u;
	uint16_t want = (uint16_t)arg_small(1);
	int8_t result;

	arg_path(0, PATH_A);
	if (want > 7)
		fail(-OX_EINVAL);
	card_restart = false;
	u->uid = u->ruid;
	u->gid = u->rgid;
	result = fs_access(PATH_A, self()->cwd, (uint8_t)want);
	*u = before;
	return result;
}

static int16_t change_path(const struct owner *to)
{
	arg_path(0, PATH_A);
	return fs_change(PATH_A, self()->cwd, to);
}

static int16_t change_open(const struct owner *to)
{
	const struct open *o = arg_open();

	if (o->kind >= OPEN_CONSOLE)
		fail(o->kind <= OPEN_TTY ? -OX_EROFS : -OX_EINVAL);
	return fs_fchange(o->file, to);
}

static int16_t change_mode(int16_t (*change)(const struct owner *))
{
	const struct owner to = { .mode = (uint16_t)arg(1) & OWNER_MODE };

	return change(&to);
}

static int16_t change_owner(int16_t (*change)(const struct owner *))
{
	const struct owner to = { .uid = arg_id(1), .gid = arg_id(2), .mode = OWNER_KEEP };

	return change(&to);
}

int16_t sys_chmod(void)
{
	return change_mode(change_path);
}

int16_t sys_fchmod(void)
{
	return change_mode(change_open);
}

int16_t sys_chown(void)
{
	return change_owner(change_path);
}

int16_t sys_fchown(void)
{
	return change_owner(change_open);
}
