// SPDX-License-Identifier: ISC
//
// A kernel without users: all processes are root's, no file has an owner or mode of its own, and root may do everything. Stands for
// fs/access.c, fs/owner.c and kernel/ids.c, where the functions are described.

#include "fs/fat.h"
#include "kernel/ids.h"
#include "kernel/slots.h"
#include "kernel/user.h"

#define UMASK 022

const struct user *fs_user(void)
{
	static const struct user root = { .umask = UMASK };

	return &root;
}

void need_root(void)
{
}

bool may_signal(const struct proc *p)
{
	(void)p;
	return true;
}

void set_by_exec(const struct owner *o)
{
	(void)o;
}

// ---- files

void owner_default(uint8_t attr, struct owner *o)
{
	o->uid = o->gid = 0;
	o->mode = attr & ATTR_READ_ONLY ? 0555 : 0755;
}

void owner_of_entry(const struct disk_entry *e, struct owner *o)
{
	owner_default(e->attr, o);
}

void owner_new(struct owner *o, uint16_t mode)
{
	(void)o;
	(void)mode;
}

void owner_encode(uint8_t *at, const struct owner *o)
{
	(void)at;
	(void)o;
}

int8_t owner_of(const struct node *n, bool dir, struct owner *o)
{
	(void)n;
	(void)dir;
	owner_default(0, o);
	return 0;
}

bool owner_allows(const struct owner *o, uint8_t want)
{
	(void)o;
	(void)want;
	return true;
}

int8_t node_check_access(const struct node *n, bool dir, uint8_t want)
{
	(void)n;
	(void)dir;
	(void)want;
	return 0;
}

int8_t dir_check(uint32_t first, uint8_t want)
{
	(void)first;
	(void)want;
	return 0;
}

int8_t check_removal(const struct entry *e)
{
	(void)e;
	return 0;
}

// ---- the system calls; changing a file's owner or mode is missing (kernel/missing.c)

int16_t sys_oct_ids(void)
{
	return 0;
}

// Only root, or what it is already.
static int16_t stay_root(void)
{
	for (uint8_t i = 0; i < 3; i++)
		if ((uint16_t)(arg(i) + 1) > 1)
			return -OX_ENOSYS;
	return 0;
}

int16_t sys_setresuid(void)
{
	return stay_root();
}

int16_t sys_setresgid(void)
{
	return stay_root();
}

int16_t sys_umask(void)
{
	return UMASK;
}

int16_t sys_access(void)
{
	arg_path(0, PATH_A);
	return arg(1) > 7 ? -OX_EINVAL : fs_access(PATH_A, self()->cwd, (uint8_t)arg(1));
}
