// SPDX-License-Identifier: ISC
//
// The bytecode's instructions, one short function each, under the names of octix/opcodes.def.
#include "cpu.h"
#include "rv.h"

#include <octix/abi.h>
#include <octix/oxe.h>
#include <stdbool.h>

#define HANDLER(name) static void do_##name(struct cpu *v, const struct op_insn *i)
#define R(n) v->r[i->r[n]]
#define SIGNED(x) ((int32_t)(x))
#define IMM16 ((uint32_t)(int16_t)i->value)

// The code pointer of an instruction, and back.
static uint32_t pointer(uint32_t pc)
{
	return codeptr(pc / OXE_PAGE, pc % OXE_PAGE);
}

// Control.
HANDLER(trap)
{
	(void)i;
	cpu_kill(v, OX_SIGILL, "trap");
}

HANDLER(pgend)
{
	(void)i;
	v->next = (v->pc / OXE_PAGE + 1) * OXE_PAGE;
}

HANDLER(ecall)
{
	(void)i;
	cpu_call(v);
}

HANDLER(ebreak)
{
	(void)i;
	cpu_kill(v, OX_SIGTRAP, "ebreak");
}

HANDLER(j)
{
	v->next = v->pc / OXE_PAGE * OXE_PAGE + i->target;
}

HANDLER(jf)
{
	cpu_go(v, i->target);
}

HANDLER(call)
{
	v->r[RV_RA] = pointer(v->next);
	cpu_go(v, i->target);
}

HANDLER(callx)
{
	R(0) = pointer(v->next);
	cpu_go(v, i->target);
}

HANDLER(callr)
{
	uint32_t target = R(0);

	v->r[RV_RA] = pointer(v->next);
	cpu_go(v, target);
}

HANDLER(callrx)
{
	uint32_t target = R(0);

	R(1) = pointer(v->next);
	cpu_go(v, target);
}

HANDLER(jr)
{
	cpu_go(v, R(0));
}

HANDLER(ret)
{
	(void)i;
	cpu_go(v, v->r[RV_RA]);
}

// Bytes of memory, lowest first.
static uint32_t load(struct cpu *v, uint32_t addr, unsigned size)
{
	const uint8_t *p = cpu_bytes(v, addr, size, CPU_READ);
	uint32_t value = 0;

	while (size--)
		value = value << 8 | p[size];
	return value;
}

static void store(struct cpu *v, uint32_t addr, unsigned size, uint32_t value)
{
	uint8_t *p = cpu_bytes(v, addr, size, CPU_WRITE);

	for (; size--; value >>= 8)
		*p++ = (uint8_t)value;
}

static const uint8_t saved[3] = { RV_RA, RV_S0, RV_S1 };

static unsigned saved_count(struct cpu *v, const struct op_insn *i)
{
	if (i->value < 1 || i->value > 3)
		cpu_kill(v, OX_SIGILL, "%s of %u registers", op_name(i->op), i->value);
	return i->value;
}

HANDLER(push)
{
	unsigned n = saved_count(v, i);

	for (unsigned k = 0; k < n; k++)
		store(v, v->r[RV_SP] - 4 * (k + 1), 4, v->r[saved[k]]);
	v->r[RV_SP] -= 4 * n;
}

HANDLER(pop)
{
	unsigned n = saved_count(v, i);

	for (unsigned k = 0; k < n; k++)
		v->r[saved[k]] = load(v, v->r[RV_SP] + 4 * (n - k - 1), 4);
	v->r[RV_SP] += 4 * n;
}

HANDLER(popret)
{
	do_pop(v, i);
	cpu_go(v, v->r[RV_RA]);
}

// Constants: the last register is the destination.
#define CONSTANT(name, expr) HANDLER(name) { R(0) = (expr); }
CONSTANT(li0, 0)
CONSTANT(li8, i->value)
CONSTANT(li8n, i->value - 256)
CONSTANT(li16, i->value)
CONSTANT(lih, i->value << 16)
CONSTANT(li32, i->value)

// Three registers.
#define ALU3(name, expr) HANDLER(name) { uint32_t a = R(0), b = R(1); R(2) = (expr); }
// Two registers: destination op= source.
#define ALU2(name, op) HANDLER(name##2) { R(1) op##= R(0); }
// Two registers, one of them the result.
#define UNARY(name, expr) HANDLER(name) { uint32_t a = R(0); R(1) = (expr); }

// The same on the lowest byte or halfword of the registers.
#define LOW(old, new, mask) (((old) & ~(uint32_t)(mask)) | ((new) & (mask)))
#define ALU3B(name, expr) HANDLER(name) { uint32_t a = R(0), b = R(1); R(2) = LOW(R(2), expr, 0xff); }
#define ALU3H(name, expr) HANDLER(name) { uint32_t a = R(0), b = R(1); R(2) = LOW(R(2), expr, 0xffff); }
#define UNARYB(name, expr) HANDLER(name) { uint32_t a = R(0); R(1) = LOW(R(1), expr, 0xff); }
#define UNARYH(name, expr) HANDLER(name) { uint32_t a = R(0); R(1) = LOW(R(1), expr, 0xffff); }

ALU3(add, a + b)
ALU3(sub, a - b)
ALU3(and, a & b)
ALU3(or, a | b)
ALU3(xor, a ^ b)
ALU2(add, +)
ALU2(sub, -)
ALU2(and, &)
ALU2(or, |)
ALU2(xor, ^)
UNARY(mv, a)
UNARY(seqz, a == 0)
UNARY(snez, a != 0)
ALU3(sll, a << (b & 31))
ALU3(srl, a >> (b & 31))
ALU3(sra, (uint32_t)(SIGNED(a) >> (b & 31)))
ALU3(slt, SIGNED(a) < SIGNED(b))
ALU3(sltu, a < b)
ALU3(mul, a * b)
ALU3(mulh, (uint32_t)((int64_t)SIGNED(a) * SIGNED(b) >> 32))
ALU3(mulhsu, (uint32_t)((int64_t)SIGNED(a) * (int64_t)b >> 32))
ALU3(mulhu, (uint32_t)((uint64_t)a * b >> 32))
ALU3(div, b == 0 ? UINT32_MAX : a == 0x80000000 && b == UINT32_MAX ? a : (uint32_t)(SIGNED(a) / SIGNED(b)))
ALU3(divu, b == 0 ? UINT32_MAX : a / b)
ALU3(rem, b == 0 ? a : a == 0x80000000 && b == UINT32_MAX ? 0 : (uint32_t)(SIGNED(a) % SIGNED(b)))
ALU3(remu, b == 0 ? a : a % b)

ALU3(sh2add, (a << 2) + b)
ALU3B(xorb, a ^ b)
ALU3H(addh, a + b)
ALU3(muladd, R(2) + a * b)
ALU3H(mul16, a * b)
UNARYH(add2h, R(1) + a)
UNARYB(mvb, a)
UNARYH(mvh, a)
UNARY(zexth, a & 0xffff)

// Immediates.
CONSTANT(li0b, LOW(R(0), 0u, 0xff))
CONSTANT(li8b, LOW(R(0), i->value, 0xff))
CONSTANT(li16h, LOW(R(0), i->value, 0xffff))
UNARYB(addib, a + i->value)
UNARY(addiz, (a + i->value) & 0xff)
UNARYH(addi8h, a + i->value)
UNARYB(andib, a & i->value)
UNARYB(srli8b, a >> 8)
UNARYB(srlb, (uint32_t)((uint64_t)(a >> 8 * (i->value & 3)) * (i->value >> 8) >> 8))
UNARY(srlim, (uint32_t)((uint64_t)a * i->value >> 8))
UNARY(addi8, a + i->value)
UNARY(addi16, a + IMM16)
CONSTANT(inc8, R(0) + i->value)
CONSTANT(dec8, R(0) - i->value)
CONSTANT(inc1, R(0) + 1)
CONSTANT(dec1, R(0) - 1)
UNARY(andi8, a & i->value)
UNARY(andi16, a & IMM16)
UNARY(ori8, a | i->value)
UNARY(ori16, a | IMM16)
UNARY(xori16, a ^ IMM16)
UNARY(slti, SIGNED(a) < SIGNED(IMM16))
UNARY(sltiu, a < IMM16)
UNARY(slli, a << (i->value & 31))
UNARY(srli, a >> (i->value & 31))
UNARY(srai, (uint32_t)(SIGNED(a) >> (i->value & 31)))
UNARY(slli1, a << 1)
UNARY(slli2, a << 2)
UNARY(slli16, a << 16)
UNARY(srli8, a >> 8)
UNARY(srli16, a >> 16)
CONSTANT(slli1x, R(0) << 1)
CONSTANT(srli1x, R(0) >> 1)

// On the accumulator; set_acc() does what all instructions do to it.
#define ACC_ALU(name, expr) HANDLER(name##_a) { uint32_t a = v->acc, b = R(0); R(1) = (expr); }
#define ACC_ALUH(name, expr) HANDLER(name##_a) { uint32_t a = v->acc, b = R(0); R(1) = LOW(R(1), expr, 0xffff); }
#define ACC_UNARY(name, expr) HANDLER(name##_a) { uint32_t a = v->acc; R(0) = (expr); }
#define ACC_UNARYB(name, expr) HANDLER(name##_a) { uint32_t a = v->acc; R(0) = LOW(R(0), expr, 0xff); }
#define ACC_UNARYH(name, expr) HANDLER(name##_a) { uint32_t a = v->acc; R(0) = LOW(R(0), expr, 0xffff); }
#define TO_ACC(name, expr) HANDLER(name) { (void)i; v->acc = (expr); }
ACC_UNARY(mv, a)
ACC_ALU(add, a + b)
ACC_ALU(sub, a - b)
ACC_ALU(or, a | b)
ACC_ALU(xor, a ^ b)
ACC_ALUH(addh, a + b)
ACC_ALU(sh2add, (a << 2) + b)
ACC_ALU(mul, a * b)
ACC_ALU(muladd, R(1) + a * b)
ACC_ALUH(mul16, a * b)
ACC_UNARY(addi8, a + i->value)
ACC_UNARYH(addi8h, a + i->value)
ACC_UNARYB(addib, a + i->value)
ACC_UNARY(addiz, (a + i->value) & 0xff)
ACC_UNARY(andi8, a & i->value)
ACC_UNARYB(andib, a & i->value)
ACC_UNARY(andi16, a & IMM16)
ACC_UNARY(seqz, a == 0)
ACC_UNARY(snez, a != 0)
ACC_UNARY(slli1, a << 1)
ACC_UNARY(slli2, a << 2)
ACC_UNARY(srai, (uint32_t)(SIGNED(a) >> (i->value & 31)))
ACC_UNARY(srlim, (uint32_t)((uint64_t)a * i->value >> 8))
ACC_UNARY(zexth, a & 0xffff)
TO_ACC(add_an, v->acc + R(0))
TO_ACC(addh_an, v->acc + R(0))
TO_ACC(xorb_n, R(0) ^ R(1))
TO_ACC(addi8_n, R(0) + i->value)
TO_ACC(addi8_an, v->acc + i->value)
TO_ACC(andib_an, v->acc & i->value)
TO_ACC(srli8b_an, v->acc >> 8)

// Memory.
#define LOAD16(name, type, size) \
	HANDLER(name##16) { R(1) = (uint32_t)(type)load(v, R(0) + IMM16, size); }
#define LOAD_BASE(name, type, size)                                                 \
	HANDLER(name##0) { R(1) = (uint32_t)(type)load(v, R(0), size); }            \
	HANDLER(name##8) { R(1) = (uint32_t)(type)load(v, R(0) + i->value, size); } \
	LOAD16(name, type, size)
#define LOAD(name, type, size)         \
	LOAD_BASE(name, type, size)    \
	HANDLER(name##a) { R(0) = (uint32_t)(type)load(v, i->value, size); }
#define STORE(name, size)                                           \
	HANDLER(name##0) { store(v, R(0), size, R(1)); }            \
	HANDLER(name##8) { store(v, R(0) + i->value, size, R(1)); } \
	HANDLER(name##16) { store(v, R(0) + IMM16, size, R(1)); }

LOAD(lw, uint32_t, 4)
LOAD_BASE(lhu, uint16_t, 2)
LOAD(lbu, uint8_t, 1)
LOAD_BASE(lh, int16_t, 2)
LOAD16(lb, int8_t, 1)
STORE(sw, 4)
STORE(sh, 2)
STORE(sb, 1)
HANDLER(swa) { store(v, i->value, 4, R(0)); }
HANDLER(lwsp) { R(0) = load(v, v->r[RV_SP] + i->value, 4); }
HANDLER(swsp) { store(v, v->r[RV_SP] + i->value, 4, R(0)); }
HANDLER(lbu0b) { R(1) = LOW(R(1), load(v, R(0), 1), 0xff); }
HANDLER(lbux) { R(2) = load(v, R(0) + R(1), 1); }
HANDLER(lwx4) { R(2) = load(v, (R(0) << 2) + R(1), 4); }

HANDLER(lwa_n) { v->acc = load(v, i->value, 4); }
HANDLER(lwsp_n) { v->acc = load(v, v->r[RV_SP] + i->value, 4); }
HANDLER(lwx4_an) { v->acc = load(v, (v->acc << 2) + R(0), 4); }
HANDLER(sw0_a) { store(v, R(0), 4, v->acc); }
HANDLER(sw8_a) { store(v, R(0) + i->value, 4, v->acc); }
HANDLER(swsp_a) { store(v, v->r[RV_SP] + i->value, 4, v->acc); }

// Steps: the base register is advanced before the loaded value is written.
static uint32_t load_step(struct cpu *v, const struct op_insn *i, unsigned size)
{
	uint32_t value = load(v, R(0), size);

	R(0) += size;
	return value;
}

HANDLER(lbup) { uint32_t x = load_step(v, i, 1); R(1) = x; }
HANDLER(lwp) { uint32_t x = load_step(v, i, 4); R(1) = x; }
HANDLER(sbp) { store(v, R(1), 1, R(0)); R(1)++; }

// Branches.
#define BRANCH2(name, expr)                    \
	HANDLER(name)                          \
	{                                      \
		uint32_t a = R(0), b = R(1);   \
		if (expr)                      \
			do_j(v, i);            \
	}
#define BRANCH1(name, expr)                    \
	HANDLER(name)                          \
	{                                      \
		uint32_t a = R(0);             \
		if (expr)                      \
			do_j(v, i);            \
	}
BRANCH2(beq, a == b)
BRANCH2(bne, a != b)
BRANCH2(blt, SIGNED(a) < SIGNED(b))
BRANCH2(bge, SIGNED(a) >= SIGNED(b))
BRANCH2(bltu, a < b)
BRANCH2(bgeu, a >= b)
BRANCH1(beqz, a == 0)
BRANCH1(bnez, a != 0)
BRANCH1(bltz, SIGNED(a) < 0)
BRANCH1(bgez, SIGNED(a) >= 0)
BRANCH2(beqb, (uint8_t)a == (uint8_t)b)
BRANCH2(bneb, (uint8_t)a != (uint8_t)b)
BRANCH2(bltub, (uint8_t)a < (uint8_t)b)
BRANCH2(bgeub, (uint8_t)a >= (uint8_t)b)
BRANCH1(beqzb, !(uint8_t)a)
BRANCH1(bnezb, (uint8_t)a)
BRANCH1(beqi, a == i->value)
BRANCH1(bnei, a != i->value)
BRANCH1(beqib, (uint8_t)a == i->value)
BRANCH1(bneib, (uint8_t)a != i->value)
BRANCH1(bltuib, (uint8_t)a < i->value)
BRANCH1(bgeuib, (uint8_t)a >= i->value)
BRANCH1(tbz, !(a & i->value))
BRANCH1(tbnz, a & i->value)

#define BRANCH2_ACC(name, expr)                  \
	HANDLER(name##_a)                        \
	{                                        \
		uint32_t a = v->acc, b = R(0);   \
		if (expr)                        \
			do_j(v, i);              \
	}
#define BRANCH1_ACC(name, expr)                  \
	HANDLER(name##_a)                        \
	{                                        \
		uint32_t a = v->acc;             \
		if (expr)                        \
			do_j(v, i);              \
	}
BRANCH2_ACC(bne, a != b)
BRANCH2_ACC(bltu, a < b)
BRANCH2_ACC(bgeu, a >= b)
BRANCH2_ACC(bgtu, a > b)
BRANCH2_ACC(bleu, a <= b)
BRANCH1_ACC(beqz, a == 0)
BRANCH1_ACC(bnez, a != 0)
BRANCH2_ACC(beqb, (uint8_t)a == (uint8_t)b)
BRANCH2_ACC(bneb, (uint8_t)a != (uint8_t)b)
BRANCH1_ACC(beqzb, !(uint8_t)a)
BRANCH1_ACC(bnezb, (uint8_t)a)
BRANCH1_ACC(beqib, (uint8_t)a == i->value)
BRANCH1_ACC(bneib, (uint8_t)a != i->value)
BRANCH1_ACC(bltuib, (uint8_t)a < i->value)
BRANCH1_ACC(bgeuib, (uint8_t)a >= i->value)
BRANCH1_ACC(tbz, !(a & i->value))
BRANCH1_ACC(tbnz, a & i->value)

// Something done, then a branch by its result.
static void branch_if(struct cpu *v, const struct op_insn *i, bool taken)
{
	if (taken)
		do_j(v, i);
}

HANDLER(lbuzb) { uint32_t x = load(v, R(0), 1); R(1) = LOW(R(1), x, 0xff); branch_if(v, i, !x); }
HANDLER(lbunzb) { uint32_t x = load(v, R(0), 1); R(1) = LOW(R(1), x, 0xff); branch_if(v, i, x); }
HANDLER(shrz) { uint32_t x = R(0); R(0) = x >> 1; branch_if(v, i, !(x & 1)); }
HANDLER(incbne) { uint32_t x = R(0) += i->value; branch_if(v, i, x != R(1)); }
HANDLER(decbnz) { uint32_t x = --R(0); branch_if(v, i, x); }
HANDLER(decbnzb) { uint32_t x = LOW(R(0), R(0) - 1, 0xff); R(0) = x; branch_if(v, i, x & 0xff); }

// Natives: registers advance as the loops go. One step each; false: done.
typedef bool step(struct cpu *v, const struct op_insn *i);

// Steps until done. A loop that the address space cannot end is left after a while and comes back as the next instruction.
static void repeat(struct cpu *v, const struct op_insn *i, step *one)
{
	for (unsigned n = 0; n < OXE_DATA_END; n++)
		if (!one(v, i))
			return;
	v->next = v->pc;
}

#define NATIVE(name)                                                        \
	static bool step_##name(struct cpu *v, const struct op_insn *i);     \
	HANDLER(name) { repeat(v, i, step_##name); }                        \
	static bool step_##name(struct cpu *v, const struct op_insn *i)

NATIVE(nmemcpy)
{
	if (!R(2))
		return false;
	store(v, R(0), 1, load(v, R(1), 1));
	R(0)++;
	R(1)++;
	R(2)--;
	return true;
}

NATIVE(nmemset)
{
	if (!R(2))
		return false;
	store(v, R(0), 1, R(1));
	R(0)++;
	R(2)--;
	return true;
}

NATIVE(nmemrev)
{
	if (!R(2))
		return false;
	store(v, R(0) - 1, 1, load(v, R(1) - 1, 1));
	R(0)--;
	R(1)--;
	R(2)--;
	return true;
}

NATIVE(nmemcmp)
{
	if (!R(2) || load(v, R(0), 1) != load(v, R(1), 1))
		return false;
	R(0)++;
	R(1)++;
	R(2)--;
	return true;
}

NATIVE(nstrlen)
{
	if (!load(v, R(0), 1))
		return false;
	R(0)++;
	return true;
}

NATIVE(nstrcpy)
{
	uint32_t byte = load(v, R(1), 1);

	store(v, R(0), 1, byte);
	if (!byte)
		return false;
	R(0)++;
	R(1)++;
	return true;
}

NATIVE(nstrcmp)
{
	uint32_t byte = load(v, R(0), 1);

	if (byte != load(v, R(1), 1) || !byte)
		return false;
	R(0)++;
	R(1)++;
	return true;
}

NATIVE(nstrchr)
{
	uint32_t byte = load(v, R(0), 1);

	if (!byte || byte == (R(1) & 255))
		return false;
	R(0)++;
	return true;
}

static uint64_t pair(const struct cpu *v, unsigned low)
{
	return v->r[low] | (uint64_t)v->r[low + 1] << 32;
}

static void set_pair(struct cpu *v, unsigned low, uint64_t value)
{
	v->r[low] = (uint32_t)value;
	v->r[low + 1] = (uint32_t)(value >> 32);
}

HANDLER(nudiv64)
{
	uint64_t a = pair(v, RV_A0), b = pair(v, RV_A2);

	(void)i;
	set_pair(v, RV_A0, b ? a / b : UINT64_MAX);
	set_pair(v, RV_A2, b ? a % b : a);
}

HANDLER(nmul64)
{
	(void)i;
	set_pair(v, RV_A0, pair(v, RV_A0) * pair(v, RV_A2));
}

typedef void handler(struct cpu *v, const struct op_insn *i);

static handler *const handlers[OP_COUNT] = {
#define OP(name, ...) do_##name,
#include <octix/opcodes.def>
#undef OP
};

// The accumulator behind an instruction. Its undefined bytes change each time, so that no program can rely on them.
static void set_acc(struct cpu *v, const struct op_insn *i)
{
	enum acc how = op_acc(i->op);
	uint32_t defined = how == ACC_none ? 0 : how == ACC_d2 ? 0xffff : how == ACC_d1 || how == ACC_s1 ? 0xff : ~0u;

	if (how == ACC_kept)
		return;
	if (how == ACC_s1 || how == ACC_s4)
		v->acc = v->r[i->r[0]];
	else if (how != ACC_none && !i->acc_only)
		v->acc = v->r[i->r[i->registers - 1]];
	v->junk = v->junk * 1664525 + 1013904223;
	v->acc = (v->acc & defined) | (v->junk & ~defined);
}

void cpu_execute(struct cpu *v, const struct op_insn *i)
{
	handlers[i->op](v, i);
	set_acc(v, i);
}
