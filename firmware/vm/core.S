; SPDX-License-Identifier: ISC
;
; The bytecode core: executes OXE code pages (userland/sdk/OXE.md) for the process whose slot is current.
;
; X is the code pointer, in the frame of the current code page. YH is the slot's register page, so `ld YL,X+` makes Y
; the address of a register. Z dispatches and points to data. Dispatch goes through a 256-entry table of rjmp whose
; high byte is in r2; an interrupt that wants the kernel swaps r2 for a table that leads to the exit (preemption costs
; nothing here).
;
; Rules. A handler writes no register and no memory before its last possible fault, so that a fault restarts the
; instruction; what it writes earlier must come out the same again. A jump that misses the code map does not restart:
; its target becomes the program counter. Only the operand bytes of the page itself are fetched: the kernel keeps the
; last six bytes of every code page page-ends.
;
; A is the accumulator: the column acc of octix/opcodes.def says what a handler leaves there. Handlers that say "kept" compute in T and
; B. A form on the accumulator is mostly a second entry to its handler, behind the load of the first operand.

#include <avr/io.h>
#include "board.h"
#include "kernel/quick.h"
#include "vm/vm.h"

#define XL r26
#define XH r27
#define YL r28
#define YH r29
#define ZL r30
#define ZH r31

#define DISP  r2            /* high byte of the dispatch table's word address */
#define MAP   r4            /* page of the data map */
#define REGS  r5            /* page of the registers */
#define ZERO  r3            /* 0 even while mul uses r1 */
#define CODE  r6            /* page of the code map */
#define INDEX r24           /* of the current code page, 0x80 | 2 * (page & 63) */
#define TAG   r25
#define A0 r12              /* the accumulator; few instructions with immediates work on it */
#define A1 r13
#define A2 r14
#define A3 r15
#define T0 r16
#define T1 r17
#define T2 r18
#define T3 r19
#define B0 r20
#define B1 r21
#define B2 r22
#define B3 r23

#define REG_RA 4
#define REG_SP 8
#define REG_T0 20

#include "vm/core/blocks.inc"

	.section .progmem.gcc_vm_1, "ax", @progbits

; ---- entry and exit

	.global vm_core_start
vm_core_start:

H ecall                         ; leaves the accumulator undefined: what was saved last comes back, never the kernel's registers
	ldi YL, REG_T0
	ld r16, Y
	subi r16, CALL_READ
	cpi r16, 2              ; read and write may have a short way
	brlo 1f
	.global ecall_long      ; from quick.S
ecall_long:
	out _SFR_IO_ADDR(GPIOR1), r1
	sts vm_pc+0, XL
	sts vm_pc+1, INDEX
	sts vm_pc+2, TAG
	ldi r24, STOP_ECALL
	rjmp enter_from_call
1:	jmp quick_io

; The program counter is in XL, INDEX, TAG; the reason in r16.
	.global vm_exit         ; from quick.S
vm_exit:
exit:
	out _SFR_IO_ADDR(GPIOR1), r1
	sts vm_pc+0, XL
	sts vm_pc+1, INDEX
	sts vm_pc+2, TAG
	mov r24, r16
	.global enter_kernel    ; from soft.S
enter_kernel:
	sts vm_acc+0, A0
	sts vm_acc+1, A1
	sts vm_acc+2, A2
	sts vm_acc+3, A3
	.global enter_from_call ; from fail.S
enter_from_call:
	call stop
	.global vm_run
vm_run:
	lds YH, vm_slot_page
	mov REGS, YH
	mov CODE, YH
	inc CODE
	mov MAP, CODE
	inc MAP
	clr ZERO
	lds A0, vm_acc+0
	lds A1, vm_acc+1
	lds A2, vm_acc+2
	lds A3, vm_acc+3
	.global vm_resume       ; from soft.S
vm_resume:
	ldi r16, hi8(pm(optab))
	mov DISP, r16
	ldi r16, VM_RUNNING
	out _SFR_IO_ADDR(GPIOR1), r16
	lds r17, vm_pending     ; an interrupt before the flag stood left it here; one after it swaps DISP
	lds XL, vm_pc+0
	lds INDEX, vm_pc+1
	tst r17
	brne 1f
	lds TAG, vm_pc+2
	ENTER_PAGE
1:	out _SFR_IO_ADDR(GPIOR1), r1
	ldi r24, STOP_PREEMPT
	rjmp enter_kernel

code_miss:
	jmp vm_code_soft

#include "vm/core/control.inc"
#include "vm/core/arith.inc"
#include "vm/core/branch.inc"

; ---- faults stand in the middle, where both halves reach them: the instruction's fetched bytes are given back

read_fault4:
	dec XL
read_fault3:
	dec XL
read_fault2:
	subi XL, 2
	ldi r16, STOP_READ
	jmp vm_data_soft

write_fault4:
	dec XL
write_fault3:
	dec XL
write_fault2:
	subi XL, 2
	ldi r16, STOP_WRITE
	jmp vm_data_soft

; ---- dispatch tables, in the middle: rjmp reaches 4 KB each way

preempt:
	dec XL
	ldi r16, STOP_PREEMPT
	jmp exit

	.section .progmem.gcc_vm_2, "ax", @progbits
	.balign 512
	.global vm_optab
vm_optab:
optab:
#define OP(name, ...) rjmp h_##name
#include <octix/opcodes.def>
#undef OP
optab_end:
	.rept 256 - (optab_end - optab) / 2
	rjmp h_trap
	.endr

preempt_table:
	.rept 256
	rjmp preempt
	.endr

	.global vm_preempt_page
vm_preempt_page = preempt_table

	.section .progmem.gcc_vm_3, "ax", @progbits

.macro SETZ name, branch
H \name
	LDA
H \name\()_a
	or A0, A1
	or A0, A2
	or A0, A3
	ldi T0, 1
	\branch 1f
	clr T0
1:	rjmp store_bool
.endm
	SETZ seqz, breq
	SETZ snez, brne

#include "vm/core/memory.inc"
#include "vm/core/shift.inc"
#include "vm/core/muldiv.inc"
#include "vm/core/natives.inc"
