// SPDX-License-Identifier: ISC
//
// Sequences for which the packer has one bytecode, and results of which only the lowest bytes are read.
#include "pairs.h"

PAIRS(add_byte, "add t0, %1, %2" LOW)
PAIRS(xor_byte, "xor t0, %1, %2" LOW)
PAIRS(addi_byte, "addi t0, %1, 77\n add t0, t0, %2" LOW)
PAIRS(andi_byte, "andi t0, %1, 0x3c\n add t0, t0, %2" LOW)
PAIRS(li_byte, "li t0, 0\n li t1, 0x155\n add t0, t0, %2\n add t0, t0, t1" LOW)
PAIRS(srl_byte, "srli t0, %1, 8\n srli t1, %2, 13\n add t0, t0, t1\n srai t1, %1, 3\n add t0, t0, t1\n srli t1, %1, 21\n add t0, t0, t1" LOW)
PAIRS(or_byte, "ori t0, %1, -256\n xori t0, t0, 0x55\n add t0, t0, %2" LOW)
PAIRS(zero_extended, "addi t0, %1, 5\n andi %0, t0, 255\n addi %0, %0, -100\n andi %0, %0, 255\n add %0, %0, %2")
PAIRS(addi_half, "addi t0, %1, 100\n addi t0, t0, -300\n add t0, t0, %2" HALF)
PAIRS(add_half, "add t0, %1, %2\n li t1, 0x12345\n add t0, t0, t1" HALF)
PAIRS(add2_half, "mv t0, %1\n add t0, t0, %2" HALF)
PAIRS(mul_half, "mul t0, %1, %2" HALF)
PAIRS(multiply_add, "mv %0, %1\n mul t0, %1, %2\n add %0, %0, t0\n mul t0, %0, %2\n add %0, t0, %0")
PAIRS(scaled_half, "slli t0, %1, 2\n add t0, t0, %2" HALF)
PAIRS(scaled, "slli t0, %1, 2\n add %0, t0, %2")
PAIRS(extended, "slli %0, %1, 24\n srai %0, %0, 24\n slli t0, %2, 16\n srai t0, t0, 16\n add %0, %0, t0\n"
	      " slli t0, %1, 24\n srli t0, t0, 24\n add %0, %0, t0\n slli t0, %1, 16\n srli t0, t0, 16\n add %0, %0, t0")
PAIRS(shift_multiply, "srli %0, %1, 1\n srli t0, %2, 7\n add %0, %0, t0\n srli t0, %1, 4\n add %0, %0, t0")

#define BYTES "andi t0, %1, 255\n andi t1, %2, 255\n "
#define BRANCH(name, branch)                                                    \
	PAIRS(name##_bytes, BYTES TAKEN(#branch " t0, t1"))                     \
	PAIRS(name##_imm, "li %0, 1\n li t0, 77\n " #branch " %1, t0, 1f\n li %0, 2\n1:\n li t0, 77\n " #branch        \
	      " t0, %1, 1f\n addi %0, %0, 4\n1:")                               \
	PAIRS(name##_imm_bytes, BYTES "li %0, 1\n li t1, 127\n " #branch " t0, t1, 1f\n li %0, 2\n1:\n li t1, 127\n " #branch \
	      " t1, t0, 1f\n addi %0, %0, 4\n1:\n li t1, 255\n " #branch " t1, t0, 1f\n addi %0, %0, 8\n1:")

BRANCH(beq, beq)
BRANCH(bne, bne)
BRANCH(blt, blt)
BRANCH(bge, bge)
BRANCH(bltu, bltu)
BRANCH(bgeu, bgeu)

PAIRS(beqz_byte, "andi t0, %1, 255\n " TAKEN("beqz t0"))
PAIRS(bnez_byte, "andi t0, %1, 255\n " TAKEN("bnez t0"))
PAIRS(sign_of_byte, "andi t0, %1, 255\n li %0, 1\n bltz t0, 1f\n li %0, 2\n bgez t0, 1f\n li %0, 3\n1:")
PAIRS(test_zero, "li %0, 1\n andi t0, %1, 0x81\n beqz t0, 1f\n li %0, 2\n1:\n slli t0, %2, 27\n bgez t0, 1f\n addi %0, %0, 4\n1:")
PAIRS(test_not_zero, "li %0, 1\n andi t0, %1, 0x81\n bnez t0, 1f\n li %0, 2\n1:\n slli t0, %2, 31\n bltz t0, 1f\n addi %0, %0, 4\n1:")
PAIRS(shift_out_zero, "mv t1, %1\n andi t0, t1, 1\n srli t1, t1, 1\n beqz t0, 1f\n xor t1, t1, %2\n1:\n mv %0, t1")
PAIRS(shift_out_one, "mv t1, %1\n andi t0, t1, 1\n srli t1, t1, 1\n bnez t0, 1f\n xor t1, t1, %2\n1:\n mv %0, t1")

PAIRS(loop_up, "mv %0, %1\n li t0, 3\n li t1, 1200\n1: add %0, %0, %2\n addi t0, t0, 7\n bne t0, t1, 1b")
PAIRS(loop_down, "mv %0, %1\n li t0, 0x101\n1: add %0, %0, %2\n xor %0, %0, t0\n addi t0, t0, -1\n bnez t0, 1b")
PAIRS(loop_down_byte, "mv %0, %1\n li t0, 5\n1: add %0, %0, %2\n addi t0, t0, -1\n andi t0, t0, 255\n bnez t0, 1b")

MEMORY(load_byte_low, AT "lbu t0, 1(t0)\n add t0, t0, %1" LOW)
MEMORY(load_byte_sum, "add t0, %3, %2\n lbu %0, 0(t0)\n add %0, %0, %1")
MEMORY(load_byte_zero, AT "mv %0, %1\n lbu t1, 0(t0)\n li %0, 7\n beqz t1, 1f\n mv %0, t1\n1: add %0, %0, t1")
MEMORY(load_zero, AT "mv %0, %1\n lbu t1, 0(t0)\n beqz t1, 1f\n addi t1, t1, 9\n1: add %0, t1, %1")
MEMORY(load_not_zero, AT "mv %0, %1\n lbu t1, 0(t0)\n bnez t1, 1f\n addi t1, t1, 9\n1: add %0, t1, %1")
MEMORY(load_zero_low, AT "mv %0, %1\n lbu t1, 0(t0)\n beqz t1, 1f\n addi t1, t1, 9\n1: add t0, t1, %1" LOW)
MEMORY(load_not_zero_low, AT "mv %0, %1\n lbu t1, 0(t0)\n bnez t1, 1f\n addi t1, t1, 9\n1: add t0, t1, %1" LOW)
MEMORY(load_step_byte, AT "lbu %0, 0(t0)\n addi t0, t0, 1\n lbu t1, 0(t0)\n addi t0, t0, 1\n add %0, %0, t1\n sub t0, t0, %3\n add %0, %0, t0")
MEMORY(load_step_low, AT "lbu t1, 0(t0)\n addi t0, t0, 1\n sub t0, t0, %3\n add t1, t1, t0\n add t0, t1, %1" LOW)
MEMORY(step_then_load, AT "addi t0, t0, 1\n xor t1, %1, %2\n lbu %0, -1(t0)\n add %0, %0, t1\n sub t0, t0, %3\n add %0, %0, t0")
MEMORY(load_step_word, AT "lw %0, 0(t0)\n add t1, %1, %2\n addi t0, t0, 4\n add %0, %0, t1\n sub t0, t0, %3\n add %0, %0, t0")
MEMORY(store_step_byte, AT "sb %1, 0(t0)\n addi t0, t0, 1\n sb %2, 0(t0)\n addi t0, t0, 1\n sub %0, t0, %3")
MEMORY(store_step_word, AT "sw %1, 0(t0)\n addi t0, t0, 4\n sub %0, t0, %3")
MEMORY(load_word_scaled, "srli t1, %2, 2\n slli t0, t1, 2\n add t0, t0, %3\n lw %0, 0(t0)")

static void test(void)
{
	test_add_byte(), test_xor_byte(), test_addi_byte(), test_andi_byte(), test_li_byte(), test_srl_byte(), test_or_byte();
	test_zero_extended(), test_addi_half(), test_add_half(), test_add2_half(), test_mul_half(), test_scaled_half();
	test_multiply_add(), test_scaled(), test_extended(), test_shift_multiply();
	test_beq_bytes(), test_beq_imm(), test_beq_imm_bytes(), test_bne_bytes(), test_bne_imm(), test_bne_imm_bytes();
	test_blt_bytes(), test_blt_imm(), test_blt_imm_bytes(), test_bge_bytes(), test_bge_imm(), test_bge_imm_bytes();
	test_bltu_bytes(), test_bltu_imm(), test_bltu_imm_bytes(), test_bgeu_bytes(), test_bgeu_imm(), test_bgeu_imm_bytes();
	test_beqz_byte(), test_bnez_byte(), test_sign_of_byte(), test_test_zero(), test_test_not_zero();
	test_shift_out_zero(), test_shift_out_one(), test_loop_up(), test_loop_down(), test_loop_down_byte();
	test_load_byte_low(), test_load_byte_sum(), test_load_byte_zero(), test_load_zero(), test_load_not_zero();
	test_load_zero_low(), test_load_not_zero_low(), test_load_step_byte(), test_load_step_low(), test_step_then_load();
	test_load_step_word(), test_store_step_byte(), test_store_step_word(), test_load_word_scaled();
}
