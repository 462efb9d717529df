// SPDX-License-Identifier: ISC
//
// Users and groups of the process, over oct_ids, setresuid and setresgid. There are no supplementary groups.
#include "private.h"

#include <errno.h>
#include <unistd.h>

enum { REAL = 0, EFFECTIVE = 8 };

uid_t getuid(void)
{
	return oct_ids(0) >> REAL & 255;
}

uid_t geteuid(void)
{
	return oct_ids(0) >> EFFECTIVE & 255;
}

gid_t getgid(void)
{
	return oct_ids(1) >> REAL & 255;
}

gid_t getegid(void)
{
	return oct_ids(1) >> EFFECTIVE & 255;
}

// Root sets all three, others the effective one.
int setuid(uid_t uid)
{
	return geteuid() ? setresuid(-1, uid, -1) : setresuid(uid, uid, uid);
}

int setgid(gid_t gid)
{
	return geteuid() ? setresgid(-1, gid, -1) : setresgid(gid, gid, gid);
}

int seteuid(uid_t uid)
{
	return setresuid(-1, uid, -1);
}

int setegid(gid_t gid)
{
	return setresgid(-1, gid, -1);
}

// The saved one becomes the effective one when the real one is set.
int setreuid(uid_t real, uid_t effective)
{
	uid_t none = (uid_t)-1;

	return setresuid(real, effective, real == none ? none : effective != none ? effective : geteuid());
}

int setregid(gid_t real, gid_t effective)
{
	gid_t none = (gid_t)-1;

	return setresgid(real, effective, real == none ? none : effective != none ? effective : getegid());
}

int getgroups(int size, gid_t list[])
{
	(void)list;
	if (size >= 0)
		return 0;
	errno = EINVAL;
	return -1;
}
