// SPDX-License-Identifier: ISC
//
// The bytecode machine: loading, the loop, the end of a program. vmops.c has the instructions.
#include "vm.h"

#include "diag.h"
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
	const char *name = symbol_in(v->map, v->pc / OXE_PAGE, v->pc % OXE_PAGE, &addr);

	if (name)
		snprintf(text, n, "%04x:%02x (%s, ELF 0x%x)", v->pc / OXE_PAGE, v->pc % OXE_PAGE, name, addr);
	else
		snprintf(text, n, "%04x:%02x", v->pc / OXE_PAGE, v->pc % OXE_PAGE);
}

void vm_kill(struct vm *v, int sig, const char *fmt, ...)
{
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
		vm_kill(v, OX_SIGBUS, "%u bytes at 0x%04x", size, addr);
	where(v, at, sizeof at);
	if (v->misaligned++ < 10 && !v->quiet)
		warn("%s: %u bytes at 0x%04x are not aligned; low bits ignored, at %s", v->name, size, addr, at);
}

uint32_t vm_address(struct vm *v, uint32_t addr, unsigned size, unsigned how)
{
	if (v->wide && addr >> 16)
		vm_kill(v, OX_SIGSEGV, "address 0x%08x is beyond the data space", addr);
	addr &= 0xffff;
	if (addr & (size - 1)) {
		misaligned(v, addr, size);
		addr &= ~(size - 1);
	}
	if ((v->space.may[addr / SPACE_PAGE] & how) != how)
		vm_kill(v, OX_SIGSEGV, "%s address 0x%04x", how & SPACE_WRITE ? "write to" : "read of", addr);
	refs_add(v->space.refs, REF_DATA, addr, addr + size - 1);
	return addr;
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
	v->pc = codeptr_page(h->entry) * OXE_PAGE + codeptr_offset(h->entry);
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
			vm_kill(v, OX_SIGILL, "an operand of %s is not a register", op_name(i->op));
		if (*f == 'd' && !i->r[n])
			vm_kill(v, OX_SIGILL, "%s writes x0", op_name(i->op));
		n++;
	}
}

static const struct op_insn *fetch(struct vm *v)
{
	struct op_insn *i;

	if (v->pc >= v->pages * (uint32_t)OXE_PAGE)
		vm_kill(v, OX_SIGSEGV, "ran off the last page");
	i = &v->decoded[v->pc];
	if (i->bytes)
		return i;
	v->pages_run[v->pc / OXE_PAGE] = 1;
	if (op_decode(v->code + v->pc, OXE_OP_MAX, i))
		vm_kill(v, OX_SIGILL, "opcode 0x%02x", v->code[v->pc]);
	if (v->pc % OXE_PAGE + i->bytes > OXE_PAGE)
		vm_kill(v, OX_SIGILL, "%s is torn by the page's end", op_name(i->op));
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
			record_step(v->recorder, v->pc, i->bytes);
		refs_add(v->space.refs, REF_CODE, v->pc, v->pc);
		v->next = v->pc + i->bytes;
		v->insns++;
		if (v->per_place)
			v->per_place[v->pc]++;
		v->per_op[i->op]++;
		vm_handlers[i->op](v, i);
		v->pc = v->next;
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
