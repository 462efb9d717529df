// SPDX-License-Identifier: ISC
//
// The kernel's door: the bytecode core calls stop() for page faults, system calls, traps and preemption. It returns
// when a process can run, loaded.

#include <octix/abi.h>
#include <octix/errno.h>

#include "kernel/print.h"
#include "kernel/proc.h"
#include "kernel/tty.h"
#include "kernel/user.h"
#include "vm/frames.h"
#include "vm/pager.h"

uint32_t syscalls;
struct pc vm_pc;
uint8_t vm_slot_page, vm_page;
volatile uint8_t vm_pending;

#define SYSCALL(name, ...) int32_t sys_##name(void);
#include <octix/syscalls.def>
#undef SYSCALL

static int32_t (*const calls[])(void) PROGMEM = {
#define SYSCALL(name, ...) sys_##name,
#include <octix/syscalls.def>
#undef SYSCALL
};

#define CALLS (sizeof calls / sizeof calls[0])

// ---- ending a process for what it did

// A code pointer's page and offset; `behind`: the counter is behind the opcode.
static void print_pc(uint8_t behind)
{
	print_number((uint16_t)vm_pc.tag * 64 + (vm_pc.index & 0x7f) / 2);
	print(P(":"));
	print_number((uint8_t)(vm_pc.offset - behind));
}

static void kill_self(uint8_t signal, const char *why, uint16_t address, uint8_t behind)
{
	print_ram(self()->name);
	print(P("["));
	print_number(self()->pid);
	print(P("]: "));
	print(why);
	if (signal == OX_SIGSEGV)
		print_hex(address);
	print(P(" (code page "));
	print_pc(behind);
	print(P(")\n"));
	self()->pending |= 1u << signal;
}

static const char data_fault[] PROGMEM = "memory fault at ";
static const char code_fault[] PROGMEM = "jump outside its code, to ";
static const char read_error[] PROGMEM = "the card could not be read";
static const char bad_code[] PROGMEM = "its code is damaged on the card: install the program again";
static const char no_frame[] PROGMEM = "no frame is free";
static const char illegal[] PROGMEM = "illegal instruction";
static const char breakpoint[] PROGMEM = "breakpoint";

static void fault_failed(uint8_t why, const char *segv, uint16_t address)
{
	switch (why) {
	case PAGER_SEGV:
		kill_self(OX_SIGSEGV, segv, address, 0);
		break;
	case PAGER_IO:
		kill_self(OX_SIGBUS, read_error, 0, 0);
		break;
	case PAGER_BAD_CODE:
		kill_self(OX_SIGBUS, bad_code, 0, 0);
		break;
	case PAGER_NO_FRAME:
		kill_self(OX_SIGBUS, no_frame, 0, 0);
	}
}

// ---- the reasons

static void page_fault(uint8_t why)
{
	uint8_t result, before = (uint8_t)pool_counts.hard;

	if (why == STOP_CODE) {
		result = pager_code_fault(self()->space, vm_pc.index, vm_pc.tag);
		if (result != PAGER_OK)
			fault_failed(result, code_fault, (uint16_t)vm_pc.tag << 8 | vm_pc.index);
	} else {
		result = pager_data_fault(self()->space, vm_page, why == STOP_WRITE);
		if (result != PAGER_OK)
			fault_failed(result, data_fault, (uint16_t)vm_page << 8);
	}
	self()->faults += (uint8_t)pool_counts.hard != before;
}

static void system_call(void)
{
	struct proc *p = self();
	uint32_t number = proc_regs(current)[5];
	int32_t result = -OX_ENOSYS;

	syscalls++;
	if (number < CALLS)
		result = ((int32_t (*)(void))pgm_read_word(&calls[(uint8_t)number]))();
	if (result == AGAIN)
		p->pc.offset--;
	else if (result != NO_RESULT)
		proc_regs(current)[10] = (uint32_t)result;
}

// What interrupts have asked for. True: the time slice may be over.
static bool requests(void)
{
	if (!vm_pending)
		return false;
	vm_pending = 0;
	self()->ticks++;
	tty_poll();
	proc_tick();
	return true;
}

void stop(uint8_t why)
{
	bool yield;

	self()->pc = vm_pc;
	switch (why) {
	case STOP_READ:
	case STOP_WRITE:
	case STOP_CODE:
		page_fault(why);
		break;
	case STOP_ECALL:
		system_call();
		break;
	case STOP_ILLEGAL:
		kill_self(OX_SIGILL, illegal, 0, 1);
		break;
	case STOP_BREAK:
		kill_self(OX_SIGTRAP, breakpoint, 0, 1);
	}
	yield = requests();
	if (yield || self()->state != PROC_RUN || self()->pending)
		schedule();
	else
		proc_load();
}
