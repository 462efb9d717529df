// SPDX-License-Identifier: ISC
//
// The bytecode core for the kernel on the host: what firmware/vm/core.S promises (vm/vm.h), with the instructions of
// userland/sdk/vmops.c. An instruction that faults has changed nothing that matters and runs again; a jump that misses the code
// map does not. What a packer never writes (an operand byte that is no register) is an illegal instruction here.

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <octix/abi.h>
#include <octix/oxe.h>

#include "../../../userland/sdk/cpu.h"
#include "kernel/proc.h"
#include "machine.h"
#include "soft.h"
#include "vm/frames.h"
#include "vm/vm.h"

#define STOP_CYCLES 200 // of the kernel, roughly, and of a soft fault

uint64_t core_instructions;
unsigned core_preempt;
bool core_checks, core_trace;
uint64_t core_longest_wait;

static struct cpu cpu;
static jmp_buf stopped;
static const struct slot *slot;     // of the loaded process

// What has been decoded before, by place in the pool; good as long as the bytes there are the same.
static struct decoded {
	uint8_t bytes[OXE_OP_MAX];
	struct op_insn insn;
} decoded[FRAMES * FRAME_SIZE];

// ---- addresses

static unsigned page_of(const struct pc *pc)
{
	return (pc->tag & 0x7fu) * 64 + (pc->index & 0x7f) / 2;
}

static void set_pc(uint32_t pc)
{
	unsigned page = pc / OXE_PAGE;

	vm_pc.offset = (uint8_t)pc;
	vm_pc.index = (uint8_t)(0x80 | 2 * (page & 63));
	vm_pc.tag = (uint8_t)(page >> 6 & 0x7f);
}

static _Noreturn void stop_for(uint8_t why, uint32_t pc)
{
	cpu.pc = pc;
	longjmp(stopped, why + 1);
}

bool core_touch(uint8_t page, bool write, uint8_t **address)
{
	const uint8_t *entry = &((const struct slot *)page_address(vm_slot_page))->data[page];

	if (write ? *entry & MAP_CLEAN : *entry == MAP_ABSENT) {
		machine_spend(STOP_CYCLES);
		if (!soft_data(vm_space, page, write)) {
			vm_page = page;
			return false;
		}
	}
	*address = page_address(*entry & 0x7f);
	return true;
}

bool core_code(unsigned page)
{
	const struct code_entry *entry = &((const struct slot *)page_address(vm_slot_page))->code[page & 63];

	if (entry->tag == page >> 6)
		return true;
	machine_spend(STOP_CYCLES);
	return soft_code(vm_space, page);
}

// ---- what the instructions need

uint8_t *cpu_bytes(struct cpu *v, uint32_t addr, unsigned size, unsigned how)
{
	uint8_t *page;

	addr &= ~(size - 1);
	vm_byte = (uint8_t)addr;
	if (!core_touch((uint8_t)(addr >> 8), how == CPU_WRITE, &page))
		stop_for(how == CPU_WRITE ? STOP_WRITE : STOP_READ, v->pc);
	return page + (uint8_t)addr;
}

void cpu_go(struct cpu *v, uint32_t p)
{
	unsigned page = (p >> 16 & 0x7f) * 64 + (p >> 9 & 63);

	v->next = page * OXE_PAGE + (p & 255);
}

void cpu_call(struct cpu *v)
{
	stop_for(STOP_ECALL, v->next);
}

void cpu_kill(struct cpu *v, int sig, const char *fmt, ...)
{
	(void)fmt;
	stop_for(sig == OX_SIGTRAP ? STOP_BREAK : STOP_ILLEGAL, v->pc + 1);
}

// ---- the loop

static bool registers_good(const struct op_insn *i)
{
	unsigned n = 0;

	for (const char *f = op_form(i->op); *f; f++)
		if (*f == 'r' || *f == 'd') {
			if (i->r[n] > 15 || (*f == 'd' && !i->r[n]))
				return false;
			n++;
		}
	return true;
}

static const struct op_insn *decode(const uint8_t *p, unsigned offset)
{
	struct decoded *d = &decoded[p - pool_memory];
	unsigned room = OXE_PAGE - offset < OXE_OP_MAX ? OXE_PAGE - offset : OXE_OP_MAX;

	if (d->insn.bytes && !memcmp(d->bytes, p, d->insn.bytes))
		return &d->insn;
	if (op_decode(p, room, &d->insn) || !registers_good(&d->insn)) {
		d->insn.bytes = 0;
		cpu_kill(&cpu, OX_SIGILL, "opcode");
	}
	memcpy(d->bytes, p, d->insn.bytes);
	return &d->insn;
}

static const struct op_insn *fetch(void)
{
	unsigned page = cpu.pc / OXE_PAGE % 8192, offset = cpu.pc % OXE_PAGE;

	if (!core_code(page))
		stop_for(STOP_CODE, cpu.pc);
	return decode(page_address(slot->code[page & 63].frame) + offset, offset);
}

static void loop(void)
{
	unsigned left = core_preempt;

	for (;;) {
		const struct op_insn *i;

		if (core_preempt && !left--)
			machine_request();
		if (vm_pending)
			stop_for(STOP_PREEMPT, cpu.pc);
		i = fetch();
		cpu.next = cpu.pc + i->bytes;
		core_instructions++;
		machine_spend(op_cycles(i->op));
		cpu_execute(&cpu, i);
		cpu.pc = cpu.next;
	}
}

uint8_t core_run(void)
{
	struct slot *s = (struct slot *)page_address(vm_slot_page);
	int why;

	slot = s;
	memcpy(cpu.r, s->regs, sizeof cpu.r);
	cpu.r[0] = 0;
	cpu.acc = vm_acc;
	cpu.pc = page_of(&vm_pc) * OXE_PAGE + vm_pc.offset;
	why = setjmp(stopped);
	if (!why)
		loop();
	memcpy(s->regs, cpu.r, sizeof cpu.r);
	vm_acc = cpu.acc;
	set_pc(cpu.pc);
	return (uint8_t)(why - 1);
}

// ---- round and round

unsigned core_current(void)
{
	return (unsigned)(running - procs);
}

// How long has each process been able to run without running?
static void watch_waits(void)
{
	static uint64_t since[PROCS];

	for (unsigned i = 0; i < PROCS; i++)
		if (i == core_current() || procs[i].state != PROC_RUN)
			since[i] = machine_cycles;
		else if (machine_cycles - since[i] > core_longest_wait)
			core_longest_wait = machine_cycles - since[i];
}

static jmp_buf again;

void kernel_again(void)
{
	longjmp(again, 1);
}

void kernel_leave(void)
{
	longjmp(again, 2);
}

static void enter_kernel(uint8_t why)
{
	switch (setjmp(again)) {
	case 0:
		stop(why);
		break;
	case 1: // a system call has ended in the midst
		stop(STOP_PREEMPT);
	}
}

static const char *call_name(uint32_t number)
{
	static const char *const names[] = {
#define SYSCALL(name, ...) #name,
#include <octix/syscalls.def>
#undef SYSCALL
	};

	return number < sizeof names / sizeof names[0] ? names[number] : "?";
}

// A text argument, or nothing where it cannot be read without bringing a page in.
static void print_text(uint32_t at)
{
	uint8_t page = (uint8_t)(at >> 8);
	uint8_t entry = ((const struct slot *)page_address(vm_slot_page))->data[page];

	if (at < 0x10000 && entry != MAP_ABSENT)
		fprintf(stderr, " \"%.*s\"", (int)(256 - at % 256), (const char *)page_address(entry & 0x7f) + at % 256);
}

static void trace_call(void)
{
	const uint32_t *r = self_regs();
	const char *name = call_name(r[5]);

	fprintf(stderr, "%.6f %u: %s(0x%x, 0x%x, 0x%x)", (double)machine_cycles / BOARD_F_CPU, self()->pid, name, r[10], r[11],
	        r[12]);
	if (strstr("open oct_stat chdir mkdir rmdir unlink rename execve chmod chown oct_utime", name))
		print_text(r[10]);
	if (!strcmp(name, "rename"))
		print_text(r[11]);
	fputc('\n', stderr);
}

static void trace_result(uint8_t i)
{
	fprintf(stderr, "%.6f [%u] state %u, %d\n", (double)machine_cycles / BOARD_F_CPU, procs[i].pid, procs[i].state, (int)proc_regs(&procs[i])[10]);
}

void vm_run(void)
{
	for (;;) {
		uint8_t why, ran = (uint8_t)core_current();
		bool wild = wild_on && wild_run(&why), traced;

		if (!wild)
			why = core_run();
		traced = core_trace && why == STOP_ECALL;
		if (traced)
			trace_call();
		machine_spend(STOP_CYCLES);
		enter_kernel(why);
		if (traced)
			trace_result(ran);
		if (wild_on)
			wild_left(wild);
		if (core_checks) {
			check_kernel();
			watch_waits();
		}
		fuzz_left();
	}
}
