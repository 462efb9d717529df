// SPDX-License-Identifier: ISC
//
// Semaphores with a name. The kernel knows a hash of it.
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

static sem_t opened[OX_SEM_NSEMS_MAX]; // by number: the same semaphore has the same address

static sem_t *wrong(int error)
{
	errno = error;
	return SEM_FAILED;
}

// FNV-1a, 64 bits. 0, which stands for no name, is made 1. False: not a name.
static int hash_of(const char *name, uint64_t *hash)
{
	if (*name == '/')
		name++;
	if (!*name || strchr(name, '/'))
		return wrong(EINVAL), 0;
	if (strlen(name) > NAME_MAX)
		return wrong(ENAMETOOLONG), 0;
	*hash = 0xcbf29ce484222325;
	while (*name)
		*hash = (*hash ^ (unsigned char)*name++) * 0x100000001b3;
	*hash += !*hash;
	return 1;
}

sem_t *sem_open(const char *name, int flags, ...)
{
	unsigned value = 0;
	uint64_t hash;
	va_list rest;
	sem_t *sem;
	int number;

	if (!hash_of(name, &hash))
		return SEM_FAILED;
	if (flags & O_CREAT) {
		va_start(rest, flags);
		(void)va_arg(rest, int); // mode
		value = va_arg(rest, unsigned);
		va_end(rest);
	}
	number = oct_sem_open((uint32_t)hash, (uint32_t)(hash >> 32), flags & (O_CREAT | O_EXCL), value);
	if (number < 0)
		return SEM_FAILED;
	sem = &opened[number - 1];
	if (sem->__opened == 255)
		return wrong(EMFILE);
	sem->__number = (unsigned char)number;
	sem->__opened++;
	return sem;
}

// A number that is not the semaphore's any more may be another's later.
int sem_close(sem_t *sem)
{
	int number = sem->__number;

	if (sem < opened || sem >= opened + OX_SEM_NSEMS_MAX || !sem->__opened)
		return wrong(EINVAL), -1;
	if (--sem->__opened)
		return 0;
	sem->__number = 0;
	return oct_sem_close(number);
}

int sem_unlink(const char *name)
{
	uint64_t hash;

	return hash_of(name, &hash) ? oct_sem_unlink((uint32_t)hash, (uint32_t)(hash >> 32)) : -1;
}
