// SPDX-License-Identifier: ISC
//
// Program start. The kernel enters with sp at argc, followed by argv, NULL, envp, NULL; all other registers are 0.
// Pages of bss and of the thread-local block arrive zeroed, so nothing is copied or cleared and no system call is made.
	.section .text.start, "ax"
	.globl _start
_start:
	lui tp, %hi(__tls_start)
	addi tp, tp, %lo(__tls_start)
	lw a0, 0(sp)         // argc
	addi a1, sp, 4       // argv
	slli a2, a0, 2
	add a2, a2, a1
	addi a2, a2, 4       // envp, behind argv's NULL
	call __oct_start     // does not return
	ebreak
