// SPDX-License-Identifier: ISC
//
// rv32ref: a reference interpreter of RV32EM for the ELF files from which oxpack makes OXE files. It runs them as linked,
// with the system calls of oxrun, and counts the instructions that retire. Written for plainness: it is what bytecode
// results are compared with, and is itself compared with qemu-riscv32.
//
//   rv32ref [--count] [--marks] [--root DIR] ELF [ARGUMENT...]    --count: number of instructions on stderr at the end
#include "diag.h"
#include "elfin.h"
#include "rv.h"
#include "space.h"
#include "sys.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine {
	struct elf *elf;
	struct rv *text; // decoded
	struct space space;
	struct sys sys;
	uint32_t r[16], pc, next;
	uint64_t insns;
	uint64_t mark[256]; // insns at the last system call mark(n)
};

static _Noreturn void fault(const struct machine *m, const char *what, uint32_t value)
{
	die("%s: %s 0x%x at 0x%x (%s)", m->elf->path, what, value, m->pc, elf_where(m->elf, m->pc));
}

static uint32_t address(const struct machine *m, uint32_t addr, uint32_t size, unsigned how)
{
	if (addr % size || !space_allows(&m->space, addr, size, how))
		fault(m, how & SPACE_WRITE ? "bad store to" : "bad load from", addr);
	return addr;
}

static uint32_t load(const struct machine *m, uint32_t addr, uint32_t size)
{
	const uint8_t *p = m->space.mem + address(m, addr, size, SPACE_READ);
	uint32_t v = 0;

	for (uint32_t i = size; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static void store(struct machine *m, uint32_t addr, uint32_t size, uint32_t v)
{
	uint8_t *p = m->space.mem + address(m, addr, size, SPACE_WRITE);

	for (uint32_t i = 0; i < size; i++, v >>= 8)
		p[i] = (uint8_t)v;
}

static uint32_t multiply(unsigned op, uint32_t a, uint32_t b)
{
	int32_t sa = (int32_t)a, sb = (int32_t)b;

	switch (op) {
	case RV_MUL:
		return a * b;
	case RV_MULH:
		return (uint32_t)((uint64_t)((int64_t)sa * sb) >> 32);
	case RV_MULHSU:
		return (uint32_t)((uint64_t)((int64_t)sa * (int64_t)(uint64_t)b) >> 32);
	case RV_MULHU:
		return (uint32_t)((uint64_t)a * b >> 32);
	case RV_DIV:
		return !b ? UINT32_MAX : sb == -1 ? 0 - a : (uint32_t)(sa / sb);
	case RV_DIVU:
		return !b ? UINT32_MAX : a / b;
	case RV_REM:
		return !b ? a : sb == -1 ? 0 : (uint32_t)(sa % sb);
	default:
		return !b ? a : a % b;
	}
}

static uint32_t compute(unsigned op, uint32_t a, uint32_t b)
{
	switch (op) {
	case RV_ADD:
		return a + b;
	case RV_SUB:
		return a - b;
	case RV_SLL:
		return a << (b & 31);
	case RV_SLT:
		return (int32_t)a < (int32_t)b;
	case RV_SLTU:
		return a < b;
	case RV_XOR:
		return a ^ b;
	case RV_SRL:
		return a >> (b & 31);
	case RV_SRA:
		return (uint32_t)((int32_t)a >> (b & 31));
	case RV_OR:
		return a | b;
	case RV_AND:
		return a & b;
	default:
		return multiply(op, a, b);
	}
}

static uint32_t compute_immediate(unsigned op, uint32_t a, uint32_t imm)
{
	static const uint8_t same[] = { [RV_ADDI] = RV_ADD, [RV_SLTI] = RV_SLT, [RV_SLTIU] = RV_SLTU, [RV_XORI] = RV_XOR,
					[RV_ORI] = RV_OR, [RV_ANDI] = RV_AND, [RV_SLLI] = RV_SLL, [RV_SRLI] = RV_SRL,
					[RV_SRAI] = RV_SRA };

	return compute(same[op], a, imm);
}

static int taken(unsigned op, uint32_t a, uint32_t b)
{
	switch (op) {
	case RV_BEQ:
		return a == b;
	case RV_BNE:
		return a != b;
	case RV_BLT:
		return (int32_t)a < (int32_t)b;
	case RV_BGE:
		return (int32_t)a >= (int32_t)b;
	case RV_BLTU:
		return a < b;
	default:
		return a >= b;
	}
}

static uint32_t load_value(const struct machine *m, unsigned op, uint32_t addr)
{
	switch (op) {
	case RV_LB:
		return (uint32_t)(int8_t)load(m, addr, 1);
	case RV_LBU:
		return load(m, addr, 1);
	case RV_LH:
		return (uint32_t)(int16_t)load(m, addr, 2);
	case RV_LHU:
		return load(m, addr, 2);
	default:
		return load(m, addr, 4);
	}
}

static void set(struct machine *m, unsigned rd, uint32_t v)
{
	if (rd)
		m->r[rd] = v;
}

static void jump(struct machine *m, const struct rv *i)
{
	uint32_t target = i->op == RV_JAL ? m->pc + (uint32_t)i->imm : (m->r[i->rs1] + (uint32_t)i->imm) & ~1u;

	set(m, i->rd, m->pc + 4);
	m->next = target;
}

static void other(struct machine *m, const struct rv *i)
{
	switch (i->op) {
	case RV_NONE:
		break;
	case RV_LUI:
		set(m, i->rd, (uint32_t)i->imm);
		break;
	case RV_AUIPC:
		set(m, i->rd, m->pc + (uint32_t)i->imm);
		break;
	case RV_JAL:
	case RV_JALR:
		jump(m, i);
		break;
	case RV_ECALL:
		if (m->r[RV_T0] == SYS_mark)
			m->mark[m->r[RV_A0] & 255] = m->insns;
		m->r[RV_A0] = sys_call(&m->sys, m->r[RV_T0], &m->r[RV_A0]);
		break;
	case RV_NATIVE:
		fault(m, "native bytecode (link with --no-natives)", (uint32_t)i->imm);
	default:
		fault(m, "trap", elf_word(m->elf, m->pc));
	}
}

static void execute(struct machine *m, const struct rv *i)
{
	uint32_t a = m->r[i->rs1], b = m->r[i->rs2];
	unsigned op = i->op;

	if (rv_is_branch(op))
		m->next = taken(op, a, b) ? m->pc + (uint32_t)i->imm : m->next;
	else if (rv_is_load(op))
		set(m, i->rd, load_value(m, op, a + (uint32_t)i->imm));
	else if (rv_is_store(op))
		store(m, a + (uint32_t)i->imm, 1u << (op - RV_SB), b);
	else if (rv_is_alu_imm(op))
		set(m, i->rd, compute_immediate(op, a, (uint32_t)i->imm));
	else if (rv_is_alu(op))
		set(m, i->rd, compute(op, a, b));
	else
		other(m, i);
}

static void decode_text(struct machine *m)
{
	const struct elf *e = m->elf;

	m->text = xcalloc((e->text_end - e->text) / 4, sizeof *m->text);
	for (uint32_t addr = e->text; addr < e->text_end; addr += 4)
		if (elf_text_section(e, addr))
			m->text[(addr - e->text) / 4] = rv_decode(elf_word(e, addr));
}

static void open_machine(struct machine *m, char **argv)
{
	static char *const no_environment[] = { NULL };
	struct elf *e = m->elf;
	struct space_sizes z = { e->rodata_end, e->data_end, e->heap, e->stack };

	space_open(&m->space, &z);
	memcpy(m->space.mem, e->data, sizeof e->data);
	m->sys.space = &m->space;
	m->sys.clock = &m->insns;
	m->pc = e->entry;
	m->r[RV_SP] = space_arguments(&m->space, argv, no_environment);
	if (!m->r[RV_SP])
		die("arguments exceed %d bytes", OXE_ARG_MAX);
	decode_text(m);
}

static void run(struct machine *m)
{
	while (!m->sys.exited) {
		if (m->pc % 4 || m->pc < m->elf->text || m->pc >= m->elf->text_end)
			fault(m, "jump to", m->pc);
		m->next = m->pc + 4;
		execute(m, &m->text[(m->pc - m->elf->text) / 4]);
		m->pc = m->next;
		m->insns++;
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "count", no_argument, NULL, 'c' }, { "marks", no_argument, NULL, 'm' }, { "root", required_argument, NULL, 'r' }, { 0 } };
	static struct machine m;
	int count = 0, marks = 0, c;

	diag_name = "rv32ref";
	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (c == 'c')
			count = 1;
		else if (c == 'm')
			marks = 1;
		else if (c == 'r')
			m.sys.root = optarg;
		else
			return EXIT_USAGE;
	}
	if (optind == argc)
		return fputs("usage: rv32ref [--count] [--marks] [--root DIR] ELF [ARGUMENT...]\n", stderr), EXIT_USAGE;
	m.elf = elf_load(argv[optind]);
	open_machine(&m, argv + optind);
	run(&m);
	if (count)
		fprintf(stderr, "%llu\n", (unsigned long long)m.insns);
	if (marks) // instructions between mark(1) and mark(2)
		fprintf(stderr, "%llu\n", (unsigned long long)(m.mark[2] - m.mark[1]));
	return m.sys.status;
}
