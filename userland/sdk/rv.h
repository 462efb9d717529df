// SPDX-License-Identifier: ISC
//
// RV32EM instructions taken apart (RISC-V unprivileged ISA 20191213, chapters 2, 4, 7), as the packer and the
// reference interpreter use them; the packer adds pseudo instructions of its own.
#ifndef SDK_RV_H
#define SDK_RV_H

#include <stdint.h>

enum rv_op {
	RV_BAD,  // not an RV32EM instruction
	RV_NONE, // nothing to do (fence)
	RV_LUI, RV_AUIPC, RV_JAL, RV_JALR,
	RV_BEQ, RV_BNE, RV_BLT, RV_BGE, RV_BLTU, RV_BGEU, // each even one is followed by its inverse
	RV_LB, RV_LH, RV_LW, RV_LBU, RV_LHU,
	RV_SB, RV_SH, RV_SW,
	RV_ADDI, RV_SLTI, RV_SLTIU, RV_XORI, RV_ORI, RV_ANDI, RV_SLLI, RV_SRLI, RV_SRAI,
	RV_ZEXTH, // of the packer: a pair of shifts
	RV_ADD, RV_SUB, RV_SLL, RV_SLT, RV_SLTU, RV_XOR, RV_SRL, RV_SRA, RV_OR, RV_AND,
	RV_MUL, RV_MULH, RV_MULHSU, RV_MULHU, RV_DIV, RV_DIVU, RV_REM, RV_REMU,
	RV_ECALL, RV_EBREAK,
	RV_UNIMP,  // an instruction that is illegal by definition
	RV_NATIVE, // custom-0: imm is the number of the native bytecode

	// Of the packer, made from the above.
	RV_LI,     // rd = imm
	RV_LCODE,  // rd = code pointer of target
	RV_CALL,   // rd = next, go to target
	RV_J,      // go to target
	RV_PUSH, RV_POP, RV_POPRET, // imm registers
};

enum { RV_ZERO = 0, RV_RA = 1, RV_SP = 2, RV_GP = 3, RV_TP = 4, RV_T0 = 5, RV_S0 = 8, RV_S1 = 9, RV_A0 = 10, RV_A2 = 12, RV_A5 = 15 };

struct rv {
	uint8_t op;          // enum rv_op
	uint8_t rd, rs1, rs2; // 0..15, 0 where the form has none
	int32_t imm;         // sign-extended; lui and auipc: already shifted; branches and jal: offset from the instruction
};

// Takes one instruction apart; op is RV_BAD for what RV32EM does not have, including registers above x15.
struct rv rv_decode(uint32_t word);

static inline int rv_is_branch(unsigned op)
{
	return op >= RV_BEQ && op <= RV_BGEU;
}

static inline int rv_is_load(unsigned op)
{
	return op >= RV_LB && op <= RV_LHU;
}

static inline int rv_is_store(unsigned op)
{
	return op >= RV_SB && op <= RV_SW;
}

static inline int rv_is_alu_imm(unsigned op)
{
	return op >= RV_ADDI && op <= RV_ZEXTH;
}

static inline int rv_is_alu(unsigned op)
{
	return op >= RV_ADD && op <= RV_REMU;
}

// True when control may come out behind the instruction.
static inline int rv_falls_through(const struct rv *i)
{
	return i->op != RV_J && i->op != RV_UNIMP && i->op != RV_EBREAK && i->op != RV_POPRET && !(i->op == RV_JALR && !i->rd);
}

// ABI name of a register.
const char *rv_reg(unsigned number);

#endif
