// SPDX-License-Identifier: ISC
//
// What makes processes go on: events, children, times and alarms.

#include <octix/abi.h>

#include "kernel/clock.h"
#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/user.h"

bool proc_wake(uint8_t state, const void *wait_on)
{
	bool any = false;

	for (struct proc *p = procs; p < procs_end; p++)
		if (p->state == state && (!wait_on || p->wait_on == (uint8_t)(uintptr_t)wait_on)) {
			p->state = PROC_RUN;
			any = true;
		} else if (BOARD_HAS_POLL && (p->state == PROC_POLL_OUT || (p->state == PROC_POLL && state != PROC_TTY_OUT))) {
			p->state = PROC_RUN;
		}
	return any;
}

void proc_wake_reader(const void *tty)
{
	for (struct proc *p = procs; p < procs + PROCS; p++)
		if (p->state == PROC_TTY_IN && p->wait_on == (uint8_t)(uintptr_t)tty)
			p->timed = false;
	proc_wake(PROC_TTY_IN, tty);
}

void proc_go_on(struct proc *p)
{
	p->state = PROC_RUN;
	woken = p;
}

void proc_jump(struct proc *p, uint32_t pointer)
{
	p->pc.offset = (uint8_t)pointer;
	p->pc.index = (uint8_t)((uint8_t)(pointer >> 8) | 0x80) & 0xfe;
	p->pc.tag = (uint8_t)(pointer >> 16) & 0x7f;
}

void wake_parent(struct proc *parent)
{
	if (parent->state == PROC_CHILD)
		parent->state = PROC_RUN;
}

// ---- times

// Called, and asks for the time itself, so that a tick for which nobody waits is short.
static NOINLINE bool is_due(uint32_t deadline)
{
	return (int32_t)(clock_uptime() - deadline) >= 0;
}

bool time_is_up(uint32_t ms)
{
	struct proc *p = self();

	if (!p->timed) {
		p->deadline = clock_uptime() + (ms > 0x7fffffff ? 0x7fffffff : ms);
		p->timed = true;
	}
	if (!is_due(p->deadline))
		return false;
	p->timed = false;
	return true;
}

static uint32_t next_alarm; // of all processes; 0: none

// Sends the signals that are due, and finds the next.
static NOINLINE void alarms(void)
{
	next_alarm = 0;
	for (struct proc *p = procs; p < procs + PROCS; p++) {
		if (!p->alarm)
			continue;
		if (is_due(p->alarm)) {
			p->alarm = 0;
			proc_signal(p, OX_SIGALRM);
		} else if (!next_alarm || (int32_t)(p->alarm - next_alarm) < 0) {
			next_alarm = p->alarm;
		}
	}
}

uint32_t alarm_set(struct proc *p, uint32_t ms)
{
	uint32_t now = clock_uptime(), left = p->alarm ? p->alarm - now : 0;

	if (ms) {
		ms = now + (ms > INT32_MAX ? INT32_MAX : ms);
		ms += !ms; // 0 is no alarm
	}
	p->alarm = ms;
	alarms();
	return left;
}

void proc_tick(void)
{
	for (struct proc *p = procs; p < procs_end; p++)
		if (p->timed && p->state >= PROC_SLEEP && p->state <= PROC_TTY_IN && is_due(p->deadline))
			p->state = PROC_RUN;
	if (next_alarm && is_due(next_alarm))
		alarms();
}
