// SPDX-License-Identifier: ISC
//
// <semaphore.h>: POSIX semaphores. There are few of them in the system (8 on m1284p, 4 on the others): a process counts as user of one from
// sem_open or sem_init to sem_close or sem_destroy, execve or its end; fork's child has those of its parent.
#ifndef OCTIX_SEMAPHORE_H
#define OCTIX_SEMAPHORE_H

#include <limits.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
	unsigned char __number, __opened; // 0: none; how often by sem_open
} sem_t;

#define SEM_FAILED    ((sem_t *)0)

// Names are up to NAME_MAX characters, a first `/` does not count, there is no other one. Mode is not looked at: all processes may open all
// names. O_CREAT is followed by mode and value. ENOSPC: the system has no more semaphores.
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *sem);
int sem_unlink(const char *name);

// Processes share no memory, so `shared` changes nothing: a semaphore is shared with the children that fork makes after this,
// which get copies of *sem.
int sem_init(sem_t *sem, int shared, unsigned value);
int sem_destroy(sem_t *sem);

int sem_wait(sem_t *sem);
int sem_trywait(sem_t *sem);
int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict until); // CLOCK_REALTIME
int sem_post(sem_t *sem);
int sem_getvalue(sem_t *restrict sem, int *restrict value); // 0 while somebody waits

#ifdef __cplusplus
}
#endif

#endif
