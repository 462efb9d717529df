// SPDX-License-Identifier: ISC
//
// Sequences that compute in the accumulator: each of its forms, and results that are kept there alone.
#include "pairs.h"

PAIRS(mv, "add t0, %1, %2\n mv %0, t0\n add %0, %0, t0")
PAIRS(add, "add t0, %1, %2\n add %0, t0, %2\n xor %0, %0, t0")
PAIRS(sub, "add t0, %1, %2\n sub %0, t0, %2\n xor %0, %0, t0")
PAIRS(or, "add t0, %1, %2\n or %0, t0, %2\n xor %0, %0, t0")
PAIRS(xor, "add t0, %1, %2\n xor %0, t0, %2\n xor %0, %0, t0")
PAIRS(mul, "add t0, %1, %2\n mul %0, t0, %2\n xor %0, %0, t0")
PAIRS(add_second, "add t0, %1, %2\n add %0, %2, t0\n xor %0, %0, t0")
PAIRS(add_half, "add t0, %1, %2\n add t1, t0, %2\n add t1, t1, t0\n slli %0, t1, 16\n srli %0, %0, 16")
PAIRS(sh2add, "add t0, %1, %2\n slli t1, t0, 2\n add %0, t1, %2\n xor %0, %0, t0")
PAIRS(muladd, "mv %0, %1\n add t0, %1, %2\n mul t1, t0, %2\n add %0, %0, t1\n xor %0, %0, t0")
PAIRS(mul_half, "add t0, %1, %2\n mul t1, t0, %2\n add t1, t1, t0\n slli %0, t1, 16\n srli %0, %0, 16")
PAIRS(add_alone, "add t0, %1, %2\n add t1, t0, %2\n xor %0, t1, %1")
PAIRS(addi, "add t0, %1, %2\n addi %0, t0, 77\n xor %0, %0, t0")
PAIRS(addi_half, "add t0, %1, %2\n addi t1, t0, 177\n add t1, t1, t0\n slli %0, t1, 16\n srli %0, %0, 16")
PAIRS(addi_alone, "addi t0, %1, 77\n xor %0, t0, %2")
PAIRS(addi_from_alone, "add t0, %1, %2\n addi t0, t0, 255\n xor %0, t0, %2")
PAIRS(addi_byte, "xor t0, %1, %2\n addi t1, t0, 77\n add t1, t1, t0\n andi %0, t1, 255")
PAIRS(addi_extended, "add t0, %1, %2\n addi t1, t0, 77\n andi %0, t1, 255\n add %0, %0, t0")
PAIRS(andi, "add t0, %1, %2\n andi %0, t0, 0x3c\n sub %0, %0, t0")
PAIRS(andi_byte, "xor t0, %1, %2\n andi t1, t0, 0x3c\n add t1, t1, t0\n andi %0, t1, 255")
PAIRS(andi_wide, "add t0, %1, %2\n andi %0, t0, -256\n xor %0, %0, t0")
PAIRS(seqz, "sub t0, %1, %2\n seqz %0, t0\n xor %0, %0, t0")
PAIRS(snez, "sub t0, %1, %2\n snez %0, t0\n xor %0, %0, t0")
PAIRS(slli1, "add t0, %1, %2\n slli %0, t0, 1\n xor %0, %0, t0")
PAIRS(slli2, "add t0, %1, %2\n slli %0, t0, 2\n xor %0, %0, t0")
PAIRS(srai, "add t0, %1, %2\n srai %0, t0, 5\n xor %0, %0, t0")
PAIRS(srli, "add t0, %1, %2\n srli %0, t0, 3\n xor %0, %0, t0")
PAIRS(zexth, "add t0, %1, %2\n slli %0, t0, 16\n srli %0, %0, 16\n xor %0, %0, t0")
PAIRS(bne, "sub t0, %1, %2\n li %0, 1\n bne t0, %2, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bltu, "sub t0, %1, %2\n li %0, 1\n bltu t0, %2, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bgeu, "sub t0, %1, %2\n li %0, 1\n bgeu t0, %2, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bgtu, "sub t0, %1, %2\n li %0, 1\n bltu %2, t0, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bleu, "sub t0, %1, %2\n li %0, 1\n bgeu %2, t0, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(beqz, "sub t0, %1, %2\n li %0, 1\n beqz t0, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bnez, "sub t0, %1, %2\n li %0, 1\n bnez t0, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(beq_bytes, "andi t1, %2, 255\n sub t0, %1, %2\n andi t0, t0, 255\n li %0, 1\n beq t0, t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bne_bytes, "andi t1, %2, 255\n sub t0, %1, %2\n andi t0, t0, 255\n li %0, 1\n bne t0, t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(beqz_byte, "sub t0, %1, %2\n andi t0, t0, 255\n li %0, 1\n beqz t0, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bnez_byte, "sub t0, %1, %2\n andi t0, t0, 255\n li %0, 1\n bnez t0, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(beq_imm, "sub t0, %1, %2\n andi t0, t0, 255\n li t1, 127\n li %0, 1\n beq t0, t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bne_imm, "sub t0, %1, %2\n andi t0, t0, 255\n li t1, 127\n li %0, 1\n bne t0, t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bltu_imm, "sub t0, %1, %2\n andi t0, t0, 255\n li t1, 127\n li %0, 1\n bltu t0, t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(bgeu_imm, "sub t0, %1, %2\n andi t0, t0, 255\n li t1, 127\n li %0, 1\n bgeu t0, t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(test_zero, "li %0, 1\n sub t0, %1, %2\n andi t1, t0, 0x81\n beqz t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(test_not_zero, "li %0, 1\n sub t0, %1, %2\n andi t1, t0, 0x81\n bnez t1, 1f\n li %0, 2\n1:\n xor %0, %0, t0")
PAIRS(xor_alone, "xor t0, %1, %2\n andi t0, t0, 255\n li %0, 1\n bnez t0, 1f\n li %0, 2\n1:")
PAIRS(andi_alone, "andi %0, %2, 63\n sub t0, %1, %2\n andi t0, t0, 63\n li t1, 1\n beq t0, %0, 1f\n li t1, 2\n1: mv %0, t1")
PAIRS(srli_alone, "add t0, %1, %2\n srli t0, t0, 8\n andi t0, t0, 255\n li %0, 1\n bnez t0, 1f\n li %0, 2\n1:")
PAIRS(not_taken_then_alone, "addi t0, %1, 77\n li %0, 5\n bltu %1, %2, 1f\n xor %0, t0, %2\n1:")
PAIRS(stack, "addi sp, sp, -16\n add t0, %1, %2\n sw t0, 4(sp)\n sw %2, 8(sp)\n lw t1, 4(sp)\n xor %0, t1, %1\n addi sp, sp, 16")
MEMORY(load_alone, "lui t0, %%hi(area+512)\n lw t0, %%lo(area+512)(t0)\n xor %0, t0, %1")
MEMORY(load_scaled_alone, "srli t1, %2, 2\n slli t0, t1, 2\n add t0, t0, %3\n lw t0, 0(t0)\n xor %0, t0, %1")
MEMORY(store, "add t0, %3, %2\n add t1, %1, %2\n sw t1, 0(t0)\n mv %0, t1")
MEMORY(store_offset, "add t0, %3, %2\n add t1, %1, %2\n sw t1, 12(t0)\n mv %0, t1")

static void test(void)
{
	test_mv(), test_add(), test_sub(), test_or(), test_xor(), test_mul(), test_add_second(), test_add_half();
	test_sh2add(), test_muladd(), test_mul_half(), test_add_alone(), test_addi(), test_addi_half();
	test_addi_alone(), test_addi_from_alone(), test_addi_byte(), test_addi_extended(), test_andi();
	test_andi_byte(), test_andi_wide(), test_seqz(), test_snez(), test_slli1(), test_slli2(), test_srai();
	test_srli(), test_zexth(), test_bne(), test_bltu(), test_bgeu(), test_bgtu(), test_bleu(), test_beqz();
	test_bnez(), test_beq_bytes(), test_bne_bytes(), test_beqz_byte(), test_bnez_byte(), test_beq_imm();
	test_bne_imm(), test_bltu_imm(), test_bgeu_imm(), test_test_zero(), test_test_not_zero(), test_xor_alone();
	test_andi_alone(), test_srli_alone(), test_not_taken_then_alone(), test_stack(), test_load_alone();
	test_load_scaled_alone(), test_store(), test_store_offset();
}
