// SPDX-License-Identifier: ISC
//
// RV32EM instruction words taken apart.
#include "rv.h"

static uint32_t bits(uint32_t word, unsigned low, unsigned n)
{
	return word >> low & ((1u << n) - 1);
}

static int32_t extend(uint32_t value, unsigned n)
{
	return (int32_t)(value << (32 - n)) >> (32 - n);
}

static int32_t imm_i(uint32_t w)
{
	return (int32_t)w >> 20;
}

static int32_t imm_s(uint32_t w)
{
	return extend(bits(w, 25, 7) << 5 | bits(w, 7, 5), 12);
}

static int32_t imm_b(uint32_t w)
{
	return extend(bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 | bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1, 13);
}

static int32_t imm_j(uint32_t w)
{
	return extend(bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 | bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1, 21);
}

static struct rv alu_imm(uint32_t w, struct rv i)
{
	static const uint8_t op[8] = { RV_ADDI, RV_SLLI, RV_SLTI, RV_SLTIU, RV_XORI, RV_SRLI, RV_ORI, RV_ANDI };
	unsigned f3 = bits(w, 12, 3), f7 = bits(w, 25, 7);

	i.op = op[f3];
	i.rs2 = 0;
	i.imm = imm_i(w);
	if (f3 != 1 && f3 != 5)
		return i;
	i.imm = (int32_t)bits(w, 20, 5);
	if (f3 == 5 && f7 == 0x20)
		i.op = RV_SRAI;
	else if (f7)
		i.op = RV_BAD;
	return i;
}

static struct rv alu(uint32_t w, struct rv i)
{
	static const uint8_t op[8] = { RV_ADD, RV_SLL, RV_SLT, RV_SLTU, RV_XOR, RV_SRL, RV_OR, RV_AND };
	unsigned f3 = bits(w, 12, 3), f7 = bits(w, 25, 7);

	if (f7 == 0)
		i.op = op[f3];
	else if (f7 == 1)
		i.op = (uint8_t)(RV_MUL + f3);
	else if (f7 == 0x20 && f3 == 0)
		i.op = RV_SUB;
	else if (f7 == 0x20 && f3 == 5)
		i.op = RV_SRA;
	return i;
}

static struct rv memory(uint32_t w, struct rv i, int store)
{
	static const uint8_t loads[8] = { RV_LB, RV_LH, RV_LW, 0, RV_LBU, RV_LHU, 0, 0 };
	static const uint8_t stores[8] = { RV_SB, RV_SH, RV_SW, 0, 0, 0, 0, 0 };
	unsigned f3 = bits(w, 12, 3);

	i.op = store ? stores[f3] : loads[f3];
	i.imm = store ? imm_s(w) : imm_i(w);
	if (store)
		i.rd = 0;
	else
		i.rs2 = 0;
	return i;
}

static struct rv branch(uint32_t w, struct rv i)
{
	static const uint8_t op[8] = { RV_BEQ, RV_BNE, 0, 0, RV_BLT, RV_BGE, RV_BLTU, RV_BGEU };

	i.op = op[bits(w, 12, 3)];
	i.imm = imm_b(w);
	i.rd = 0;
	return i;
}

static struct rv system_insn(uint32_t w)
{
	if (w == 0x00000073)
		return (struct rv){ .op = RV_ECALL };
	if (w == 0x00100073)
		return (struct rv){ .op = RV_EBREAK };
	if (w == 0xc0001073)
		return (struct rv){ .op = RV_UNIMP };
	return (struct rv){ .op = RV_BAD };
}

static struct rv by_opcode(uint32_t w, struct rv i)
{
	switch (w & 0x7f) {
	case 0x37:
		return (struct rv){ .op = RV_LUI, .rd = i.rd, .imm = (int32_t)(w & 0xfffff000) };
	case 0x17:
		return (struct rv){ .op = RV_AUIPC, .rd = i.rd, .imm = (int32_t)(w & 0xfffff000) };
	case 0x6f:
		return (struct rv){ .op = RV_JAL, .rd = i.rd, .imm = imm_j(w) };
	case 0x67:
		return (struct rv){ .op = bits(w, 12, 3) ? RV_BAD : RV_JALR, .rd = i.rd, .rs1 = i.rs1, .imm = imm_i(w) };
	case 0x63:
		return branch(w, i);
	case 0x03:
		return memory(w, i, 0);
	case 0x23:
		return memory(w, i, 1);
	case 0x13:
		return alu_imm(w, i);
	case 0x33:
		return alu(w, i);
	case 0x0f:
		return (struct rv){ .op = RV_NONE };
	case 0x73:
		return system_insn(w);
	case 0x0b:
		i.op = bits(w, 12, 3) ? RV_BAD : RV_NATIVE;
		i.imm = (int32_t)bits(w, 25, 7);
		return i;
	default:
		return i;
	}
}

struct rv rv_decode(uint32_t w)
{
	struct rv i = { .op = RV_BAD };

	if (w == 0)
		return (struct rv){ .op = RV_UNIMP };
	i.rd = (uint8_t)bits(w, 7, 5);
	i.rs1 = (uint8_t)bits(w, 15, 5);
	i.rs2 = (uint8_t)bits(w, 20, 5);
	i = by_opcode(w, i);
	if (i.rd > 15 || i.rs1 > 15 || i.rs2 > 15)
		i.op = RV_BAD;
	return i;
}
