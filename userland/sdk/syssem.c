// SPDX-License-Identifier: ISC
//
// Semaphores are the host's: one with a name is one of the host with a name made of the hash and the user, and stays until it is unlinked.
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <octix/abi.h>
#include <octix/errno.h>
#include <octix/limits.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct {
	sem_t *sem;              // NULL: none
	uint32_t low, high;      // its hash; 0, 0: no name
} opened[OX_SEM_NSEMS_MAX];

static void host_name(const uint32_t *arg, char name[64])
{
	snprintf(name, 64, "/octix-%u-%08x%08x", (unsigned)getuid(), arg[1], arg[0]);
}

static sem_t *without_name(unsigned value)
{
	sem_t *sem = mmap(NULL, sizeof *sem, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (sem == MAP_FAILED)
		return SEM_FAILED;
	return sem_init(sem, 1, value) == 0 ? sem : SEM_FAILED;
}

static sem_t *with_name(const uint32_t *arg)
{
	int flags = (arg[2] & OX_O_CREAT ? O_CREAT : 0) | (arg[2] & OX_O_EXCL ? O_EXCL : 0);
	char name[64];

	host_name(arg, name);
	return sem_open(name, flags, 0600, arg[3]);
}

int32_t sys_oct_sem_open(struct sys *s, const uint32_t *arg)
{
	int32_t place = -1;
	sem_t *sem;

	(void)s;
	if (arg[2] & OX_O_CREAT && arg[3] > OX_SEM_VALUE_MAX)
		return -OX_EINVAL;
	sem = arg[0] | arg[1] ? with_name(arg) : without_name(arg[3]);
	if (sem == SEM_FAILED)
		return sys_error(errno);
	for (int32_t i = OX_SEM_NSEMS_MAX; i-- > 0; )
		if (opened[i].sem == sem) // the host gives the same address
			return i + 1;
		else if (!opened[i].sem)
			place = i;
	if (place < 0)
		return -OX_ENOSPC;
	opened[place].sem = sem;
	opened[place].low = arg[0];
	opened[place].high = arg[1];
	return place + 1;
}

int32_t sys_oct_sem_unlink(struct sys *s, const uint32_t *arg)
{
	char name[64];

	(void)s;
	host_name(arg, name);
	return sys_result(sem_unlink(name));
}

static sem_t *find(uint32_t number)
{
	return number - 1 < OX_SEM_NSEMS_MAX ? opened[number - 1].sem : NULL;
}

int32_t sys_oct_sem_close(struct sys *s, const uint32_t *arg)
{
	sem_t *sem = find(arg[0]);
	int result;

	(void)s;
	if (!sem)
		return -OX_EINVAL;
	if (opened[arg[0] - 1].low | opened[arg[0] - 1].high)
		result = sem_close(sem);
	else
		result = munmap(sem, sizeof *sem);
	opened[arg[0] - 1].sem = NULL;
	return sys_result(result);
}

int32_t sys_oct_sem_wait(struct sys *s, const uint32_t *arg)
{
	sem_t *sem = find(arg[0]);
	struct timespec until;

	(void)s;
	if (!sem)
		return -OX_EINVAL;
	if (!arg[1])
		return sys_result(sem_trywait(sem));
	if (arg[1] == OX_SEM_FOREVER)
		return sys_result(sem_wait(sem));
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += arg[1] / 1000;
	until.tv_nsec += arg[1] % 1000 * 1000000L;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return sem_timedwait(sem, &until) < 0 ? errno == ETIMEDOUT ? -OX_ETIMEDOUT : sys_error(errno) : 0;
}

int32_t sys_oct_sem_value(struct sys *s, const uint32_t *arg)
{
	sem_t *sem = find(arg[0]);
	int value = 0;

	(void)s;
	if (!sem)
		return -OX_EINVAL;
	sem_getvalue(sem, &value);
	return value;
}

int32_t sys_oct_sem_post(struct sys *s, const uint32_t *arg)
{
	int32_t value = sys_oct_sem_value(s, arg);

	if (value < 0)
		return value;
	if (value >= OX_SEM_VALUE_MAX)
		return -OX_EOVERFLOW;
	return sys_result(sem_post(find(arg[0])));
}
