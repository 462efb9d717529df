// SPDX-License-Identifier: ISC
//
// The bytecode machine: loading, the loop, the end of a program. vmops.c has the instructions.
#include "vm.h"

#include "diag.h"
#include "record.h"
#include "refs.h"
#include "rv.h"

#include <octix/abi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *signal_name(int sig)
{
	switch (sig) {
	case OX_SIGILL:
		return "illegal instruction";
	case OX_SIGTRAP:
		return "breakpoint";
	case OX_SIGBUS:
		return "misaligned access";
	case OX_SIGSEGV:
		return "segmentation fault";
	default:
		return "killed";
	}
}

static void where(const struct vm *v, char *text, size_t n)
{
	uint32_t addr;
	const char *name = symbol_in(v->map, v->cpu.pc / OXE_PAGE, v->cpu.pc % OXE_PAGE, &addr);

	if (name)
		snprintf(text, n, "%04x:%02x (%s, ELF 0x%x)", v->cpu.pc / OXE_PAGE, v->cpu.pc % OXE_PAGE, name, addr);
	else
		snprintf(text, n, "%04x:%02x", v->cpu.pc / OXE_PAGE, v->cpu.pc % OXE_PAGE);
}

_Static_assert((int)CPU_READ == (int)SPACE_READ && (int)CPU_WRITE == (int)SPACE_WRITE, "the same flags");

// The machine that an instruction runs on.
static struct vm *machine(struct cpu *c)
{
	return (struct vm *)c;
}

void cpu_kill(struct cpu *c, int sig, const char *fmt, ...)
{
	struct vm *v = machine(c);
	char text[200], at[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	where(v, at, sizeof at);
	if (!v->quiet)
		warn("%s: %s: %s, at %s", v->name, signal_name(sig), text, at);
	v->signal = sig;
	longjmp(v->stop, 1);
}

static void misaligned(struct vm *v, uint32_t addr, unsigned size)
{
	char at[160];

	if (v->strict)
		cpu_kill(&v->cpu, OX_SIGBUS, "%u bytes at 0x%04x", size, addr);
	where(v, at, sizeof at);
	if (v->misaligned++ < 10 && !v->quiet)
		warn("%s: %u bytes at 0x%04x are not aligned; low bits ignored, at %s", v->name, size, addr, at);
}

uint8_t *cpu_bytes(struct cpu *c, uint32_t addr, unsigned size, unsigned how)
{
	struct vm *v = machine(c);

	if (v->wide && addr >> 16)
		cpu_kill(c, OX_SIGSEGV, "address 0x%08x is beyond the data space", addr);
	addr &= 0xffff;
	if (addr & (size - 1)) {
		misaligned(v, addr, size);
		addr &= ~(size - 1);
	}
	if ((v->space.may[addr / SPACE_PAGE] & how) != how)
		cpu_kill(c, OX_SIGSEGV, "%s address 0x%04x", how & CPU_WRITE ? "write to" : "read of", addr);
	refs_add(v->space.refs, REF_DATA, addr, addr + size - 1);
	return v->space.mem + addr;
}

void cpu_go(struct cpu *c, uint32_t p)
{
	if (!p)
		cpu_kill(c, OX_SIGILL, "jump to code pointer 0");
	if (!codeptr_valid(p) || codeptr_page(p) >= machine(c)->pages)
		cpu_kill(c, OX_SIGSEGV, "jump to 0x%08x, which is no code pointer", p);
	c->next = codeptr_page(p) * OXE_PAGE + codeptr_offset(p);
}

// The child of a fork or vfork: what its parent has done is the parent's to tell.
static void begin_again(struct vm *v)
{
	uint32_t bytes = v->pages * (uint32_t)OXE_PAGE;

	v->sys.forked = false;
	if (v->recorder)
		v->recorder = record_start(v->map, bytes);
	if (v->per_place)
		memset(v->per_place, 0, bytes * sizeof *v->per_place);
	if (v->space.refs)
		refs_leave(v->space.refs);
	v->space.refs = NULL;
}

void cpu_call(struct cpu *c)
{
	struct vm *v = machine(c);

	c->r[RV_A0] = v->trace_calls ? vm_traced_call(v, c->r[RV_T0], &c->r[RV_A0]) : sys_call(&v->sys, c->r[RV_T0], &c->r[RV_A0]);
	if (v->sys.forked)
		begin_again(v);
}

void vm_load(struct vm *v, const struct oxe_file *f)
{
	const struct oxe_header *h = f->header;
	struct space_sizes z = { OXE_DATA_BASE, h->data_end, h->heap, h->stack };
	size_t bytes = (size_t)oxe_pages(f) * OXE_PAGE;

	if (f->rodata)
		z.rodata_end = f->rodata->addr + f->rodata->bytes;
	space_open(&v->space, &z);
	if (f->rodata)
		memcpy(v->space.mem + f->rodata->addr, oxe_bytes(f, f->rodata), f->rodata->bytes);
	if (f->data)
		memcpy(v->space.mem + f->data->addr, oxe_bytes(f, f->data), f->data->bytes);
	v->pages = oxe_pages(f);
	v->code = xcalloc(bytes + OXE_OP_MAX, 1);
	memcpy(v->code, oxe_bytes(f, f->code), bytes);
	for (size_t page = 0; page < v->pages; page++)
		memset(v->code + page * OXE_PAGE + OXE_PAGE_USED, OP_pgend, OXE_PAGE - OXE_PAGE_USED);
	v->decoded = xcalloc(bytes, sizeof *v->decoded);
	v->pages_run = xcalloc(v->pages, 1);
	v->cpu.pc = codeptr_page(h->entry) * OXE_PAGE + codeptr_offset(h->entry);
	v->sys.space = &v->space;
	v->sys.clock = &v->insns;
}

void vm_free(struct vm *v)
{
	free(v->code);
	free(v->decoded);
	free(v->pages_run);
	munmap(v->space.mem, OXE_DATA_END);
}

// Operands that a packer never writes: not a register, or x0 as destination.
static void check_operands(struct vm *v, const struct op_insn *i)
{
	unsigned n = 0;

	for (const char *f = op_form(i->op); *f; f++) {
		if (*f != 'r' && *f != 'd')
			continue;
		if (i->r[n] > 15)
			cpu_kill(&v->cpu, OX_SIGILL, "an operand of %s is not a register", op_name(i->op));
		if (*f == 'd' && !i->r[n])
			cpu_kill(&v->cpu, OX_SIGILL, "%s writes x0", op_name(i->op));
		n++;
	}
}

static const struct op_insn *fetch(struct vm *v)
{
	struct op_insn *i;

	if (v->cpu.pc >= v->pages * (uint32_t)OXE_PAGE)
		cpu_kill(&v->cpu, OX_SIGSEGV, "ran off the last page");
	i = &v->decoded[v->cpu.pc];
	if (i->bytes)
		return i;
	v->pages_run[v->cpu.pc / OXE_PAGE] = 1;
	if (op_decode(v->code + v->cpu.pc, OXE_OP_MAX, i))
		cpu_kill(&v->cpu, OX_SIGILL, "opcode 0x%02x", v->code[v->cpu.pc]);
	if (v->cpu.pc % OXE_PAGE + i->bytes > OXE_PAGE)
		cpu_kill(&v->cpu, OX_SIGILL, "%s is torn by the page's end", op_name(i->op));
	check_operands(v, i);
	return i;
}

static void loop(struct vm *v)
{
	while (!v->sys.exited && (!v->max_insns || v->insns < v->max_insns)) {
		const struct op_insn *i = fetch(v);

		if (v->trace)
			vm_trace(v, i);
		if (v->recorder)
			record_step(v->recorder, v->cpu.pc, i->bytes);
		refs_add(v->space.refs, REF_CODE, v->cpu.pc, v->cpu.pc);
		v->cpu.next = v->cpu.pc + i->bytes;
		v->insns++;
		if (v->per_place)
			v->per_place[v->cpu.pc]++;
		v->per_op[i->op]++;
		cpu_execute(&v->cpu, i);
		v->cpu.pc = v->cpu.next;
	}
}

int vm_run(struct vm *v)
{
	if (setjmp(v->stop))
		return 128 + v->signal;
	loop(v);
	if (v->sys.exited)
		return v->sys.status;
	if (!v->quiet)
		warn("%s: stopped after %llu instructions", v->name, (unsigned long long)v->insns);
	return 124;
}
