// SPDX-License-Identifier: ISC
//
// Semaphores: what one with a name and one without have in common, and those without.
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>

enum { LONGEST = 1000000 }; // seconds of one wait in the kernel

int sem_init(sem_t *sem, int shared, unsigned value)
{
	int number = oct_sem_open(0, 0, O_CREAT, value);

	(void)shared;
	if (number < 0)
		return -1;
	sem->__number = (unsigned char)number;
	sem->__opened = 0;
	return 0;
}

int sem_destroy(sem_t *sem)
{
	int number = sem->__number;

	if (sem->__opened) { // that is sem_close's
		errno = EINVAL;
		return -1;
	}
	sem->__number = 0;
	return oct_sem_close(number);
}

int sem_wait(sem_t *sem)
{
	return oct_sem_wait(sem->__number, OX_SEM_FOREVER);
}

int sem_trywait(sem_t *sem)
{
	return oct_sem_wait(sem->__number, 0);
}

int sem_post(sem_t *sem)
{
	return oct_sem_post(sem->__number);
}

int sem_getvalue(sem_t *restrict sem, int *restrict value)
{
	int now = oct_sem_value(sem->__number);

	if (now < 0)
		return -1;
	*value = now;
	return 0;
}

// Milliseconds until then, rounded up; 0: it is past; at most LONGEST.
static unsigned long left(const struct timespec *until)
{
	struct timespec now;
	long long seconds, ms;

	clock_gettime(CLOCK_REALTIME, &now);
	seconds = (long long)until->tv_sec - now.tv_sec;
	if (seconds >= LONGEST)
		return LONGEST * 1000ul;
	if (seconds < -1)
		return 0;
	ms = seconds * 1000 + (until->tv_nsec - now.tv_nsec + 999999) / 1000000;
	return ms > 0 ? (unsigned long)ms : 0;
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict until)
{
	unsigned long ms;

	if (sem_trywait(sem) == 0)
		return 0;
	if (errno != EAGAIN)
		return -1;
	if (until->tv_nsec < 0 || until->tv_nsec > 999999999) {
		errno = EINVAL;
		return -1;
	}
	errno = ETIMEDOUT;
	while (errno == ETIMEDOUT && (ms = left(until)) > 0)
		if (oct_sem_wait(sem->__number, ms) == 0)
			return 0;
	return -1;
}
