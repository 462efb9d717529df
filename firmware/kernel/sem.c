// SPDX-License-Identifier: ISC
//
// Semaphores. A process has those whose bits are set in its `sems`; fork copies them, execve and the end clear them. One without a name is
// gone when no process has it, one with a name when it has been unlinked, too. The C library gives names as hashes of 64 bits.
//
// A unit that is posted while a process waits is given to it at once: its call is over, and does not run again.

#include <octix/abi.h>
#include <octix/errno.h>
#include <octix/limits.h>

#include "kernel/param.h"
#include "kernel/proc.h"
#include "kernel/user.h"

_Static_assert(SEMS >= 1 && SEMS <= OX_SEM_NSEMS_MAX, "proc.sems has a bit for each");

static struct sem {
	uint32_t name[2];        // 0, 0: none
	uint16_t value;
	struct proc *waiter;     // NULL: nobody waits; or MANY, or who may do
} sems[SEMS];

#define MANY ((struct proc *)1)

// The semaphore with the name of arguments 0 and 1, or NULL.
static struct sem *find(void)
{
	for (struct sem *s = sems; s < sems + SEMS; s++)
		if (s->name[0] == arg(0) && s->name[1] == arg(1))
			return s;
	return 0;
}

static bool is_free(const struct sem *s, uint8_t bit)
{
	if (s->name[0] | s->name[1])
		return false;
	for (const struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state != PROC_FREE && p->state != PROC_ZOMBIE && p->sems & bit)
			return false;
	return true;
}

// A new one, with the name of arguments 0 and 1.
static struct sem *new_sem(void)
{
	uint8_t bit = 1;

	for (struct sem *s = sems; s < sems + SEMS; s++, bit <<= 1)
		if (is_free(s, bit)) {
			s->name[0] = arg(0);
			s->name[1] = arg(1);
			s->value = (uint16_t)arg(3);
			s->waiter = 0;
			return s;
		}
	fail(-OX_ENOSPC);
}

int16_t sys_oct_sem_open(void)
{
	uint16_t flags = (uint16_t)arg(2);
	struct sem *s = arg(0) | arg(1) ? find() : 0;
	uint8_t number;

	if (s && flags & OX_O_CREAT && flags & OX_O_EXCL)
		fail(-OX_EEXIST);
	if (!s) {
		if (!(flags & OX_O_CREAT))
			fail(-OX_ENOENT);
		if (arg(3) > OX_SEM_VALUE_MAX)
			fail(-OX_EINVAL);
		s = new_sem();
	}
	number = (uint8_t)(s - sems);
	self()->sems |= (uint8_t)(1 << number);
	return number + 1;
}

int16_t sys_oct_sem_unlink(void)
{
	struct sem *s = arg(0) | arg(1) ? find() : 0;

	if (!s)
		return -OX_ENOENT;
	s->name[0] = s->name[1] = 0;
	return 0;
}

// Argument 0: the number of a semaphore that the process has.
static uint8_t arg_sem(void)
{
	uint32_t number = arg(0);

	if (number - 1 >= SEMS || !(self()->sems & (uint8_t)(1 << ((uint8_t)number - 1))))
		fail(-OX_EINVAL);
	return (uint8_t)number;
}

int16_t sys_oct_sem_close(void)
{
	self()->sems &= (uint8_t)~(1 << (arg_sem() - 1));
	return 0;
}

int16_t sys_oct_sem_value(void)
{
	return (int16_t)sems[arg_sem() - 1].value;
}

int16_t sys_oct_sem_wait(void)
{
	uint8_t number = arg_sem();
	struct sem *s = &sems[number - 1];
	struct proc *me = self();
	uint32_t ms = arg(1);

	if (s->value) {
		s->value--;
		me->timed = false;
		return 0;
	}
	if (!ms)
		return -OX_EAGAIN;
	if (ms != OX_SEM_FOREVER && time_is_up(ms))
		return -OX_ETIMEDOUT;
	me->state = PROC_SEM;
	me->wait_on = number;
	s->waiter = !s->waiter || s->waiter == me ? me : MANY;
	return AGAIN;
}

static bool waits(const struct proc *p, uint8_t number)
{
	return p->state == PROC_SEM && p->wait_on == number;
}

// One of those who wait, or NULL.
static struct proc *one_of_many(uint8_t number)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (waits(p, number))
			return p;
	return 0;
}

int16_t sys_oct_sem_post(void)
{
	uint8_t number = arg_sem();
	struct sem *s = &sems[number - 1];
	struct proc *p = s->waiter;

	if (p == MANY) {
		p = one_of_many(number);
		if (!p)
			s->waiter = 0;
	} else {
		s->waiter = 0;
	}
	if (p && waits(p, number)) { // its call is over
		proc_regs(p)[10] = 0;
		p->pc.offset++;
		p->timed = false;
		p->call = CALL_NONE;
		proc_go_on(p);
	} else if (s->value == OX_SEM_VALUE_MAX) {
		return -OX_EOVERFLOW;
	} else {
		s->value++;
	}
	return 0;
}
