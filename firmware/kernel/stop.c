// SPDX-License-Identifier: ISC
//
// The kernel's door: the bytecode core calls stop() for page faults, system calls, traps and preemption. It returns
// when a process can run, loaded.

#include <assert.h>
#include <avr/wdt.h>

#include <octix/abi.h>
#include <octix/errno.h>
#include <octix/oxe.h>

#include "kernel/panic.h"
#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/signal.h"
#include "kernel/stat.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "vm/frames.h"
#include "vm/pager.h"

uint32_t syscalls;
struct pc vm_pc;
uint32_t vm_acc;
uint8_t vm_slot_page, vm_page, vm_byte, vm_space;
const struct space *vm_space_at;
uint8_t vm_slot_bit;
volatile uint8_t vm_pending;

#define SYSCALL(name, ...) int16_t sys_##name(void);
#include <octix/syscalls.def>
#undef SYSCALL

static int16_t (*const calls[])(void) PROGMEM = {
#define SYSCALL(name, ...) sys_##name,
#include <octix/syscalls.def>
#undef SYSCALL
};

#define CALLS (sizeof calls / sizeof calls[0])

// ---- ending a process for what it did

// The signal for what the process has done: for its handler, or it ends.
static void crash(uint8_t signal, enum why why, uint16_t address)
{
	struct proc *p = self();
	char name[NAME_SIZE];

	if (signal_catch(p, signal, address))
		return;
	card_restart = false;
	proc_name(p, name);
	print_ram(name);
	print(P("["));
	print_number(p->pid);
	print(P("]: "));
	print_why(why_text(why), why);
	if (signal == OX_SIGSEGV)
		print_hex(address);
	print(P(" (code page "));
	print_pc(&p->pc);
	print(P(")\n"));
	proc_exit(p, signal);
}

// ---- the reasons

// What is wrong with an access to a page that is not there or must not be written?
static enum why data_why(bool write)
{
	const struct space *s = &spaces[vm_space];
	uint8_t sp = page_address(vm_slot_page)[4 * 2 + 1];

	if (sp < s->stack_start || vm_page == s->stack_start - 1)
		return WHY_OVERFLOW;
	if (vm_page < OXE_DATA_BASE >> 8)
		return WHY_NULL_POINTER;
	return write && vm_page < s->readonly_end ? WHY_READ_ONLY : WHY_DATA_FAULT;
}

// Adds 0 or 1; the upper byte is rarely touched.
static inline void count_faults(uint8_t n)
{
	uint8_t *bytes = (uint8_t *)&self()->faults; // little-endian

	bytes[0] += n;
	if (bytes[0] < n)
		bytes[1]++;
}

// Brings the page in: enum pager_result.
static uint8_t page_fault(uint8_t why)
{
	uint8_t result;

	card_restart = true;
	if (why == STOP_CODE)
		result = pager_code_fault(vm_space, vm_pc.index, vm_pc.tag);
	else
		result = pager_data_fault(vm_space, vm_page, why == STOP_WRITE);
	if (result <= PAGER_HARD)
		count_faults(result);
	return result;
}

static void fault_failed(uint8_t why, uint8_t result)
{
	if (card_left) { // the instruction runs again
		wait_for_card();
	} else if (result == PAGER_IO) {
		crash(OX_SIGBUS, WHY_READ_ERROR, 0);
	} else if (result == PAGER_BAD_CODE) {
		crash(OX_SIGBUS, WHY_BAD_CODE, 0);
	} else if (result == PAGER_NO_FRAME) {
		crash(OX_SIGBUS, WHY_NO_FRAME, 0);
	} else if (why == STOP_CODE) {
		crash(OX_SIGSEGV, WHY_CODE_FAULT, (uint16_t)vm_pc.tag << 8 | vm_pc.index);
	} else {
		crash(OX_SIGSEGV, data_why(why == STOP_WRITE), (uint16_t)(vm_page << 8 | vm_byte));
	}
}

// A trap: the program counter goes back to it.
static void trap(uint8_t why)
{
	self()->pc.offset--;
	if (why == STOP_ILLEGAL)
		crash(OX_SIGILL, WHY_ILLEGAL, 0);
	else
		crash(OX_SIGTRAP, WHY_BREAKPOINT, 0);
}

// True: the process goes on at vm_pc.
static inline __attribute__((always_inline)) bool system_call(void)
{
	struct proc *p = self();
	uint32_t *regs = (uint32_t *)(void *)page_address(vm_slot_page); // stays, or there is no result
	uint32_t number = regs[5];
	int16_t result = -OX_ENOSYS;

	p->pc = vm_pc;
	card_restart = false;
	count_up(&syscalls);
	if (number < CALLS)
		result = ((int16_t (*)(void))pgm_read_ptr(&calls[(uint8_t)number]))();
	if ((uint8_t)((uint16_t)result >> 8) == SPECIAL) {
		if (result == AGAIN)
			call_waits(p);
		else
			p->call = CALL_NONE;
		return false;
	}
	regs[10] = (uint32_t)(int32_t)result;
	p->call = CALL_NONE;
	if (p->state != PROC_RUN || p->space != vm_space) // vfork: p sleeps
		return false;
	return !p->signaled;
}

// What interrupts have asked for.
static void requests(void)
{
	wdt_reset();
	assert(stack_guard == STACK_GUARD);
	self()->ticks += count_tick(false);
	vm_pending = 0;
	tty_poll();
	proc_tick();
	frames_poll();
}

// What need not change the process comes first; vm_run looks at vm_pending itself. OS_task: the core keeps nothing in registers
// meanwhile.
__attribute__((OS_task)) void stop(uint8_t why)
{
	if (why == STOP_ECALL) {
		if (system_call())
			return;
	} else {
		uint8_t result = PAGER_OK;

		if (why != STOP_PREEMPT && why < STOP_ECALL) {
			result = page_fault(why);
			if (result <= PAGER_HARD)
				return;
		}
		self()->pc = vm_pc;
		self()->acc = vm_acc;
		if (why > STOP_ECALL)
			trap(why);
		else if (why != STOP_PREEMPT)
			fault_failed(why, result);
	}
	if (vm_pending) {
		requests();
		schedule();
	} else if (self()->state != PROC_RUN || self()->signaled || urgent) {
		schedule();
	} else {
		proc_load();
	}
}
